package run

import (
	"slices"

	"copse/experiments/study"
)

// A Gap is a set of results of one cell that are missing for one reason: one result of
// each classifier in IDs and each replicate.
type Gap struct {
	Reason     string
	Cell       *study.Cell
	IDs        []string
	Replicates []int // ascending
}

// A gapSorter groups the missing results of one cell into gaps.
type gapSorter struct {
	cell *study.Cell
	list []Gap
	open []Gap // of the present replicate; next reuses their memory
}

// miss adds a missing result to the gaps of the present replicate.
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

// next ends a replicate: each of its gaps joins the gap with the same reason and
// classifiers, or starts a new one.
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
