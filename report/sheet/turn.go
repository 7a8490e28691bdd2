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

// inColumns rewords the sentences of a table for its transpose.
var inColumns = strings.NewReplacer("of the row", "of the column", "the row's", "the column's", "per row", "per column",
	"by row", "by column", "Each row", "Each column", "more rows", "more columns", "rows: its", "columns: its")

// transposed returns the sheet with its columns as rows. The levels of a row stand below one
// another in the head of its column; rows of the foot become the last columns.
func (s *Sheet) transposed() *Sheet {
	heads := s.rowHeads()
	turned := *s
	turned.Caption = inColumns.Replace(s.Caption)
	turned.Remarks = nil
	for _, remark := range s.Remarks {
		turned.Remarks = append(turned.Remarks, inColumns.Replace(remark))
	}
	turned.Heads = []Head{stacked(s.Heads[:heads])}
	turned.Heads[0].Text = true
	rows := slices.Clone(s.Rows)
	for _, foot := range s.Foot {
		row := Row{Heads: []Head{{Label: foot.Label}}}
		for _, value := range foot.Values {
			row.Cells = append(row.Cells, Entry{Main: value})
		}
		rows = append(rows, row)
	}
	turned.Foot, turned.Rows = nil, nil
	for _, row := range rows {
		turned.Heads = append(turned.Heads, stacked(row.Heads))
	}
	for k, h := range s.Heads[heads:] {
		method := Row{Heads: []Head{h}}
		for _, row := range rows {
			method.Cells = append(method.Cells, row.Cells[k])
		}
		turned.Rows = append(turned.Rows, method)
	}
	return &turned
}

// stacked returns the head of a column whose lines are the labels of heads.
func stacked(heads []Head) Head {
	var h Head
	var lines []string
	for _, level := range heads {
		lines = append(lines, level.Label)
		h.Note = max(h.Note, level.Note)
	}
	h.Label = strings.Join(lines, levelBreak)
	return h
}
