package study

import (
	"fmt"
	"slices"

	"copse/experiments/data"
	"copse/stats"
	"copse/stats/dataset/csvfile"
)

// nameSources sets the Source of each cell. Cells whose files have rows in common, directly or
// through other cells, get the same source, because their results are dependent.
func nameSources(cells []*Cell) {
	var fromFiles []*Cell
	for _, c := range cells {
		if c.Data.FromFiles() {
			c.Source = digest(fmt.Sprintf("%q %q", c.Data.Source(), c.Data.Where), sourceBytes)
			fromFiles = append(fromFiles, c)
		} else {
			c.Source = digest(c.SplitKey, sourceBytes)
		}
	}
	joinSources(fromFiles)
}

const sourceBytes = 8

// joinSources gives connected cells the Source of the first one. Two cells are connected if they
// share rows, directly or through other cells.
func joinSources(cells []*Cell) {
	rows := func(c *Cell) string { return c.Data.rowsRead() }
	groups := stats.Grouped(cells, rows) // the cells of a group read the same rows
	connected := stats.NewPartition(len(groups))
	readers := map[string][]int{}                         // from each input to the indices of the groups that read it
	conditions := make([][]csvfile.Equality, len(groups)) // on the rows that each group reads
	for i, group := range groups {
		d := group[0].Data
		conditions[i] = csvfile.EqualitiesOf(d.Where)
		for _, input := range d.inputs() {
			for _, k := range readers[input] {
				mayShareRows := !csvfile.Disjoint(conditions[i], conditions[k])
				if mayShareRows {
					connected.Join(i, k)
				}
			}
			readers[input] = append(readers[input], i)
		}
	}
	for i, group := range groups {
		first := groups[connected.Smallest(i)][0]
		for _, c := range group {
			c.Source = first.Source
		}
	}
}

// rowsRead returns a text that is equal for cells that select the same rows of the same files.
func (d *Data) rowsRead() string { return fmt.Sprintf("%q %q", d.inputs(), d.Where) }

// inputs returns keys that identify the files and data sets of d (see data.Inputs).
func (d *Data) inputs() []string {
	return data.Inputs(slices.Concat(d.CSV, d.Test.CSV), slices.Concat(d.Set, d.Test.Set), d.sums)
}
