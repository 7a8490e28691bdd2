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

// A grid shows one number per cell of a design. Its rows are the combinations of levels of the
// factors rows; its columns are the levels of the factor across, or a single one, the title.
type grid struct {
	title   string
	rows    []string
	across  string // "": a single column
	columns []string

	keys    []records.Levels // of the rows, in the order of the design
	numbers map[records.Levels]map[string]string
}

// printGrid prints the number of missing results of each cell; a dash marks combinations of
// levels that are not a cell. A study without factors has no grid.
func printGrid(out io.Writer, s *study.Study, title string, results map[string]*counts) {
	if len(s.Factors) == 0 {
		return
	}
	g := newGrid(s, title)
	for _, c := range s.Cells {
		g.set(c, results[c.ID].missing)
	}
	g.print(out)
}

// newGrid returns an empty grid of a study. The levels of the last factor are its columns, unless
// it is the only factor or has more than gridColumns levels.
func newGrid(s *study.Study, title string) *grid {
	factors := records.FactorNames(s.Factors)
	g := &grid{title: title, rows: factors, columns: []string{title}, numbers: map[records.Levels]map[string]string{}}
	last := s.Factors[len(s.Factors)-1]
	if len(factors) > 1 && len(last.Levels) <= gridColumns {
		g.rows, g.across, g.columns = factors[:len(factors)-1], last.Name, last.Levels
	}
	return g
}

// set sets the number of a cell and adds its row, unless the grid has the row already.
func (g *grid) set(c *study.Cell, number int) {
	key, column := c.Levels.On(g.rows), g.title
	if g.across != "" {
		column = c.Levels.Of(g.across)
	}
	if g.numbers[key] == nil {
		g.keys = append(g.keys, key)
		g.numbers[key] = map[string]string{}
	}
	g.numbers[key][column] = strconv.Itoa(number)
}

// print prints the first gridRows rows of the grid.
func (g *grid) print(out io.Writer) {
	head := slices.Concat(g.rows, g.columns)
	if g.across != "" {
		fmt.Fprintf(out, "%s:\n", g.title)
		for i, level := range g.columns {
			head[len(g.rows)+i] = g.across + "=" + orDash(level)
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	printRow(w, head)
	for _, key := range g.keys[:min(len(g.keys), gridRows)] {
		row := key.In(g.rows)
		for _, column := range g.columns {
			row = append(row, g.numbers[key][column])
		}
		printRow(w, row)
	}
	w.Flush()
	if more := len(g.keys) - gridRows; more > 0 {
		fmt.Fprintf(out, "  and %s; --details lists all cells\n", view.Plural(more, "more row", "more rows"))
	}
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
