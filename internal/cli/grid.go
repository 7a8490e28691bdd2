package cli

import (
	"cmp"
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

// counts holds the numbers of done, missing and failed results in a cell. done includes the failed
// results.
type counts struct{ done, missing, failed int }

// countResults counts the done, missing and failed results in each cell of a plan, keyed by cell id.
// failures lists the stored results that failed.
func countResults(p *run.Plan, failures []records.Record) map[string]*counts {
	s := p.Folder.Study
	byCell := map[string]*counts{}
	for _, c := range s.Cells {
		byCell[c.ID] = &counts{done: s.Replicates * len(c.Classifiers)} // missing ones are subtracted below
	}
	for _, t := range p.Tasks { // a task lists the missing results of one trial
		n := byCell[t.Cell.ID]
		n.missing += len(t.Entries)
		n.done -= len(t.Entries)
	}
	for _, r := range failures {
		if n := byCell[r.Cell]; n != nil { // other results belong to cells that are no longer in the study
			n.failed++
		}
	}
	return byCell
}

// A grid has at most this many rows and columns, so that it fits on a screen.
const (
	gridRows    = 12
	gridColumns = 8
)

const gridTitle = "results to run"

// printGrid prints a table with the number of missing results in each cell. It prints nothing
// without factors. A dash marks a combination of levels that is not in the design.
func printGrid(out io.Writer, s *study.Study, results map[string]*counts) {
	if len(s.Factors) == 0 {
		return
	}
	rows, columns := gridFactors(s)
	if columns.Name != "" { // otherwise, gridHeader contains the title
		fmt.Fprintln(out, gridTitle+":")
	}
	w := newTable(out, tabwriter.AlignRight)
	printRow(w, gridHeader(rows, columns))
	body := gridBody(s, rows, columns, results)
	for _, row := range body[:min(len(body), gridRows)] {
		printRow(w, row)
	}
	w.Flush()
	if more := len(body) - gridRows; more > 0 {
		fmt.Fprintf(out, "  and %s; use `--details` to list all cells\n", view.Plural(more, "more row", "more rows"))
	}
}

// gridFactors returns the names of the factors that label the rows of a grid, and the factor that
// labels its columns. If no factor is suitable for the columns, columns has no name and the single
// level "".
func gridFactors(s *study.Study) (rows []string, columns records.Factor) {
	factors := records.FactorNames(s.Factors)
	last := len(factors) - 1
	if last == 0 || len(s.Factors[last].Levels) > gridColumns {
		return factors, records.Factor{Levels: []string{""}}
	}
	columns = s.Factors[last]
	lacksFactor := func(c *study.Cell) bool { return c.Levels.Of(columns.Name) == "" }
	if slices.ContainsFunc(s.Cells, lacksFactor) { // nested gives the factor to other cells only
		columns.Levels = append([]string{""}, columns.Levels...)
	}
	return factors[:last], columns
}

// gridHeader returns the header of a grid. A single column of numbers has the title as header.
func gridHeader(rows []string, columns records.Factor) []string {
	head := slices.Clone(rows)
	if columns.Name == "" {
		return append(head, gridTitle)
	}
	for _, level := range columns.Levels {
		name := columns.Name + "=" + level
		if level == "" {
			name = "no " + columns.Name
		}
		head = append(head, name)
	}
	return head
}

// gridBody returns the rows of a grid. A row contains the levels of the row factors and then, for
// each level of columns, the number of missing results, or "" if the design has no such cell.
func gridBody(s *study.Study, rows []string, columns records.Factor, results map[string]*counts) [][]string {
	var body [][]string
	rowOf := map[records.Levels][]string{} // the row of body for each combination of levels of the row factors
	for _, c := range s.Cells {
		levels := c.Levels.Restrict(rows)
		row := rowOf[levels]
		if row == nil { // a new row: its levels, then an empty entry for each column
			row = append(levels.List(rows), make([]string, len(columns.Levels))...)
			rowOf[levels] = row
			body = append(body, row)
		}
		column := slices.Index(columns.Levels, c.Levels.Of(columns.Name))
		row[len(rows)+column] = strconv.Itoa(results[c.ID].missing) // body contains the same slice
	}
	return body
}

// newTable returns a writer that aligns tab-separated columns, with at least two spaces between
// them. flags is 0 or tabwriter.AlignRight.
func newTable(out io.Writer, flags uint) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', flags)
}

// printRow prints a row of a table, with a dash for each empty entry.
func printRow(w io.Writer, entries []string) {
	for _, entry := range entries {
		fmt.Fprintf(w, "%s\t", cmp.Or(entry, "-"))
	}
	fmt.Fprintln(w)
}
