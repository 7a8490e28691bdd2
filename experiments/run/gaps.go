package run

import (
	"slices"

	"copse/experiments/study"
)

// A Gap contains results of a cell that are missing for the same reason: one for each classifier in
// IDs and replicate in Replicates.
type Gap struct {
	Reason     string
	Cell       *study.Cell
	IDs        []string
	Replicates []int // ascending
}

// A gapSorter collects the gaps of one cell. For each replicate, call add for each missing result,
// and then endReplicate.
type gapSorter struct {
	cell *study.Cell
	list []Gap
	open []Gap // gaps of the current replicate; Replicates is not set
}

// add adds a missing result of a classifier in the current replicate.
func (g *gapSorter) add(reason, id string) {
	for i := range g.open {
		if g.open[i].Reason == reason {
			g.open[i].IDs = append(g.open[i].IDs, id)
			return
		}
	}
	n := len(g.open)
	g.open = slices.Grow(g.open, 1)[:n+1] // the new element may still contain a gap of an earlier replicate
	reused := g.open[n].IDs[:0]           // the memory of that gap
	g.open[n] = Gap{Reason: reason, Cell: g.cell, IDs: append(reused, id)}
}

// endReplicate moves the gaps of the current replicate to g.list. It merges gaps with the same
// reason and classifiers.
func (g *gapSorter) endReplicate(replicate int) {
	for _, gap := range g.open {
		isSame := func(o Gap) bool { return o.Reason == gap.Reason && slices.Equal(o.IDs, gap.IDs) }
		i := slices.IndexFunc(g.list, isSame)
		if i < 0 {
			i = len(g.list)
			gap.IDs = slices.Clone(gap.IDs) // because add reuses the memory for the next replicate
			g.list = append(g.list, gap)
		}
		g.list[i].Replicates = append(g.list[i].Replicates, replicate)
	}
	g.open = g.open[:0]
}
