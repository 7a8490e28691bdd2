package study

import (
	"fmt"
	"math"
	"strings"

	"copse/stats/dataset"
)

// doubts are remarks on files of the user's own: what a typing mistake or a column
// that was forgotten looks like, and may be meant.
func (data *Data) doubts() []string {
	rows := data.File.Rows
	var lines []string
	for j, a := range rows.Attributes {
		words := ""
		switch {
		case a.Kind == dataset.Discrete && 2*len(a.Levels) > rows.N()-lacking(rows, j) && len(a.Levels) >= fewLevels:
			words = fmt.Sprintf("has %d levels in %d rows: a date or an identifier?", len(a.Levels), rows.N())
		case a.Kind == dataset.Numeric && numbersRows(rows, j):
			words = "counts the rows: an identifier?"
		default:
			continue
		}
		lines = append(lines, fmt.Sprintf("%q %s drop leaves it out", a.Name, words))
	}
	counts, seen := rows.Counts(), map[string]string{}
	for c, n := range counts {
		name := rows.Classes[c]
		if n < data.Folds {
			lines = append(lines, fmt.Sprintf("class %q has fewer rows (%d) than there are folds (%d): some test parts have none of it", name, n, data.Folds))
		}
		if other, ok := seen[strings.ToLower(name)]; ok {
			lines = append(lines, fmt.Sprintf("classes %q and %q differ in capitals alone: one class? merge joins them", other, name))
		}
		seen[strings.ToLower(name)] = name
	}
	return lines
}

// fewLevels is the least number of levels that looks like an identifier.
const fewLevels = 12

// numbersRows tells whether a column goes up by one from row to row.
func numbersRows(s *dataset.Set, j int) bool {
	for i := 1; i < s.N(); i++ {
		if step := s.X.At(i, j) - s.X.At(i-1, j); step != 1 || math.IsNaN(step) {
			return false
		}
	}
	return s.N() > fewLevels
}
