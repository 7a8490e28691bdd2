package sheet

import (
	"slices"
	"strings"
)

// Values of Sheet.Methods: where LaTeX puts the methods, which are columns of the sheet.
const (
	MethodsAuto = "auto" // rows where that saves blocks of columns
	MethodsRows = "rows"
)

// levelBreak separates the levels in the head of a transposed row: a character that no label
// should have (ASCII's unit separator).
const levelBreak = "\x1f"

// inColumns replaces words about rows in the sentences of a table by words about columns.
var inColumns = strings.NewReplacer("of the row", "of the column", "the row's", "the column's", "per row", "per column",
	"by row", "by column", "Each row", "Each column", "more rows", "more columns", "rows: its", "columns: its")

// transposed returns the sheet with its columns as rows. The head of a column has the levels of
// the former row below one another; rows of the foot become the last columns.
func (s *Sheet) transposed() *Sheet {
	heads := s.rowHeads()
	columns := s.rowsWithFoot()
	turned := *s
	turned.Caption = inColumns.Replace(s.Caption)
	turned.Remarks, turned.Foot, turned.Rows = nil, nil, nil
	for _, remark := range s.Remarks {
		turned.Remarks = append(turned.Remarks, inColumns.Replace(remark))
	}
	turned.Heads = []Head{stacked(s.Heads[:heads])}
	turned.Heads[0].Text = true
	for _, column := range columns {
		turned.Heads = append(turned.Heads, stacked(column.Heads))
	}
	for k, h := range s.Heads[heads:] {
		method := Row{Heads: []Head{h}}
		for _, column := range columns {
			method.Cells = append(method.Cells, column.Cells[k])
		}
		turned.Rows = append(turned.Rows, method)
	}
	return &turned
}

// rowsWithFoot returns the rows, those of the foot included.
func (s *Sheet) rowsWithFoot() []Row {
	rows := slices.Clone(s.Rows)
	for _, foot := range s.Foot {
		row := Row{Heads: []Head{{Label: foot.Label}}}
		for _, value := range foot.Values {
			row.Cells = append(row.Cells, Entry{Main: value})
		}
		rows = append(rows, row)
	}
	return rows
}

// stacked returns the head of a column whose lines are the labels of heads. It has the last of
// their footnotes.
func stacked(heads []Head) Head {
	var labels []string
	note := 0
	for _, level := range heads {
		labels = append(labels, level.Label)
		note = max(note, level.Note)
	}
	return Head{Label: strings.Join(labels, levelBreak), Note: note}
}
