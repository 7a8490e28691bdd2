package sheet

import (
	"slices"
	"strings"
)

// Values of Sheet.Methods. Each method is a column of a sheet, and can become a row in LaTeX tables.
const (
	MethodsAuto = "auto" // rows if this needs fewer blocks
	MethodsRows = "rows"
)

// levelSeparator separates the factor levels in the head of a transposed row. It is the ASCII unit separator.
const levelSeparator = "\x1f"

// rowsToColumns changes sentences about rows of a table into sentences about its columns. Sentences about rows
// of data, such as "the test rows", stay.
var rowsToColumns = strings.NewReplacer(
	"in the row", "in the column", "of the row", "of the column", "of a row", "of a column",
	"of its row", "of its column",
	"the row's", "the column's", "this row", "this column", "This row", "This column",
	"each row", "each column", "Each row", "Each column", "marked row", "marked column",
	"per row", "per column", "by row", "by column", "In rows", "In columns", "more rows", "more columns",
	"row, too many", "column, too many", "rows, too many", "columns, too many", "rows: its", "columns: its")

// transposed returns the sheet with rows and columns exchanged. Rows of the foot become the last columns. In
// texts, words such as "by row" become "by column".
func (s *Sheet) transposed() *Sheet {
	headCount := s.RowHeadCount()
	columns := slices.Concat(s.Rows, s.Foot)
	turned := *s
	turned.Caption = rowsToColumns.Replace(s.Caption)
	turned.Notes, turned.Remarks = aboutColumns(s.Notes), aboutColumns(s.Remarks)
	turned.Heads, turned.Rows, turned.Foot = nil, nil, nil
	corner := stackHeads(s.Heads[:headCount])
	corner.IsText = true
	turned.Heads = append(turned.Heads, corner)
	for _, column := range columns {
		turned.Heads = append(turned.Heads, stackHeads(column.Heads))
	}
	for k, h := range s.Heads[headCount:] {
		row := Row{Heads: []Head{h}}
		for _, column := range columns {
			row.Cells = append(row.Cells, column.Cells[k])
		}
		turned.Rows = append(turned.Rows, row)
	}
	return &turned
}

func aboutColumns(texts []string) (turned []string) {
	for _, text := range texts {
		turned = append(turned, rowsToColumns.Replace(text))
	}
	return turned
}

// stackHeads combines the labels of a row into a single column head, with one label per line. At most one label
// may have a footnote.
func stackHeads(heads []Head) Head {
	var labels []string
	note := 0
	for _, level := range heads {
		labels = append(labels, level.Label)
		note = max(note, level.Note)
	}
	return Head{Label: strings.Join(labels, levelSeparator), Note: note}
}
