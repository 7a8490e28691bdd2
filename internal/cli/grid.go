package cli

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"copse/experiments/study"
	"copse/report/view"
	"copse/stats/records"
)

// Bounds of a grid that fits a screen.
const (
	gridRows    = 12
	gridColumns = 8
)

// printGrid prints a number for each cell of the design. The levels of the last factor are
// the columns, unless it is the only one or has too many; a dash is no cell.
func printGrid(out io.Writer, s *study.Study, title string, number map[string]int) {
	factors := records.FactorNames(s.Factors)
	if len(factors) == 0 {
		return
	}
	last := s.Factors[len(s.Factors)-1]
	byLast := len(factors) > 1 && len(last.Levels) <= gridColumns
	rows, columns := factors, []string{title}
	if byLast {
		rows, columns = factors[:len(factors)-1], last.Levels
	}
	var keys []records.Levels
	cells := map[records.Levels]map[string]string{}
	for _, c := range s.Cells {
		key, column := c.Levels.On(rows), title
		if byLast {
			column = c.Levels.Of(last.Name)
		}
		if cells[key] == nil {
			keys, cells[key] = append(keys, key), map[string]string{}
		}
		cells[key][column] = strconv.Itoa(number[c.ID])
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if byLast {
		fmt.Fprintf(out, "%s:\n", title)
	}
	printGridHead(w, rows, columns, byLast, last.Name)
	for _, key := range keys[:min(len(keys), gridRows)] {
		for _, level := range key.In(rows) {
			fmt.Fprintf(w, "%s\t", orDash(level))
		}
		for _, column := range columns {
			fmt.Fprintf(w, "%s\t", orDash(cells[key][column]))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	if n := len(keys) - gridRows; n > 0 {
		fmt.Fprintf(out, "  and %s; --details lists all cells\n", view.Plural(n, "more row", "more rows"))
	}
}

// printGridHead prints the names of the rows' factors, and columns as levels of the last one.
func printGridHead(w io.Writer, rows, columns []string, byLast bool, last string) {
	for _, name := range rows {
		fmt.Fprintf(w, "%s\t", name)
	}
	for _, column := range columns {
		if byLast {
			column = last + "=" + orDash(column)
		}
		fmt.Fprintf(w, "%s\t", column)
	}
	fmt.Fprintln(w)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
