package run

import (
	"slices"

	"copse/experiments/study"
)

// A Gap is a set of results of one cell that are missing for one reason: those
// of the classifiers IDs in the replicates.
type Gap struct {
	Reason     string
	Cell       *study.Cell
	IDs        []string
	Replicates []int // ascending
}

// A gapSorter gathers what is missing of one cell.
type gapSorter struct {
	cell *study.Cell
	list []Gap
	open []Gap // of the present replicate; their lists are used again
}

func (g *gapSorter) miss(reason, id string) {
	for i := range g.open {
		if g.open[i].Reason == reason {
			g.open[i].IDs = append(g.open[i].IDs, id)
			return
		}
	}
	n := len(g.open)
	g.open = slices.Grow(g.open, 1)[:n+1]
	g.open[n] = Gap{Reason: reason, Cell: g.cell, IDs: append(g.open[n].IDs[:0], id)}
}

// next ends a replicate: its gaps join those that lack the same.
func (g *gapSorter) next(replicate int) {
	for _, gap := range g.open {
		i := slices.IndexFunc(
			g.list,
			func(o Gap) bool { return o.Reason == gap.Reason && slices.Equal(o.IDs, gap.IDs) },
		)
		if i < 0 {
			i = len(g.list)
			gap.IDs = slices.Clone(gap.IDs)
			g.list = append(g.list, gap)
		}
		g.list[i].Replicates = append(g.list[i].Replicates, replicate)
	}
	g.open = g.open[:0]
}
