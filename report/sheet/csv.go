package sheet

import (
	"encoding/csv"
	"io"
)

// CSV writes one line for each row. Numbers have twelve digits, and missing numbers are NA.
func (s *Sheet) CSV(w io.Writer) error {
	lines := make([][]string, 1+len(s.Rows))
	for _, h := range s.Heads {
		lines[0] = append(lines[0], CSVText(h.Label))
	}
	for i, row := range s.Rows {
		for _, h := range row.Heads {
			lines[i+1] = append(lines[i+1], CSVText(h.Label))
		}
		for _, e := range row.Cells {
			lines[i+1] = append(lines[i+1], OrNA(e.SortKey))
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}
