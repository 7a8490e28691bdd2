package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"copse/experiments/run"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats/records"
)

// counts are the numbers of results of a cell. Failed results are stored, so done includes them.
type counts struct{ done, missing, failed int }

// countResults counts the results of each cell of a plan, by the cell's id; failures are the
// stored failed results.
func countResults(p *run.Plan, failures []records.Record) map[string]*counts {
	s := p.Folder.Study
	byCell := map[string]*counts{}
	for _, c := range s.Cells {
		byCell[c.ID] = &counts{done: s.Replicates * len(c.Classifiers)}
	}
	for _, t := range p.Tasks {
		n := byCell[t.Cell.ID]
		n.missing += len(t.Entries)
		n.done -= len(t.Entries)
	}
	for _, r := range failures {
		if n := byCell[r.Cell]; n != nil {
			n.failed++
		}
	}
	return byCell
}

// Most rows and columns of a grid, so that it fits a screen.
const (
	gridRows    = 12
	gridColumns = 8
)

// printGrid prints the number of missing results of each cell; a dash marks combinations of
// levels that are not a cell. A study without factors has no grid.
func printGrid(out io.Writer, s *study.Study, title string, results map[string]*counts) {
	if len(s.Factors) == 0 {
		return
	}
	rows, columns := gridFactors(s)
	if columns != nil {
		fmt.Fprintf(out, "%s:\n", title)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	printRow(w, gridHead(rows, columns, title))
	body := gridBody(s, rows, columns, results)
	for _, row := range body[:min(len(body), gridRows)] {
		printRow(w, row)
	}
	w.Flush()
	if more := len(body) - gridRows; more > 0 {
		fmt.Fprintf(out, "  and %s; --details lists all cells\n", view.Plural(more, "more row", "more rows"))
	}
}

// gridFactors returns the factors whose levels name the rows of a grid, and the factor whose levels
// are its columns: the last one, or nil if it is the only one or has more than gridColumns levels.
func gridFactors(s *study.Study) (rows []string, columns *records.Factor) {
	factors := records.FactorNames(s.Factors)
	last := len(factors) - 1
	if last == 0 || len(s.Factors[last].Levels) > gridColumns {
		return factors, nil
	}
	return factors[:last], &s.Factors[last]
}

// gridHead returns the names of the rows' factors, followed by "factor=level" for each column, or
// by the title of the only column.
func gridHead(rows []string, columns *records.Factor, title string) []string {
	if columns == nil {
		return append(slices.Clone(rows), title)
	}
	head := slices.Clone(rows)
	for _, level := range columns.Levels {
		head = append(head, columns.Name+"="+orDash(level))
	}
	return head
}

// gridBody returns a row for each combination of levels of the factors rows, in the order of the
// design: the levels, followed by the number of missing results in each column.
func gridBody(s *study.Study, rows []string, columns *records.Factor, results map[string]*counts) [][]string {
	width := 1
	if columns != nil {
		width = len(columns.Levels)
	}
	var body [][]string
	numbers := map[records.Levels][]string{} // the last columns of each row of body
	for _, c := range s.Cells {
		key := c.Levels.On(rows)
		if numbers[key] == nil {
			row := append(key.In(rows), make([]string, width)...)
			body = append(body, row)
			numbers[key] = row[len(rows):]
		}
		column := 0
		if columns != nil {
			column = slices.Index(columns.Levels, c.Levels.Of(columns.Name))
		}
		numbers[key][column] = strconv.Itoa(results[c.ID].missing)
	}
	return body
}

// printRow prints a row of a table, with a dash for each empty entry.
func printRow(w io.Writer, entries []string) {
	for _, entry := range entries {
		fmt.Fprintf(w, "%s\t", orDash(entry))
	}
	fmt.Fprintln(w)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
