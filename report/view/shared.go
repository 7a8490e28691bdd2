package view

import (
	"cmp"
	"maps"
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// sharedCells returns the cells of a block on whose data all given classifiers ran. If several cells have the
// same data, a classifier needs results in only one of them.
//
// The returned cells contain only the replicates on which all given classifiers ran.
func sharedCells(block *Group, ids []string) (shared Group) {
	for _, cells := range cellsByData(block.Cells) {
		ran := coverageOf(cells, ids) // ran[id]: replicates on which id ran, or nil
		didNotRun := func(id string) bool { return ran[id] == nil }
		if slices.ContainsFunc(ids, didNotRun) {
			continue
		}
		if len(ran.partial(ids)) > 0 {
			cells = ran.restrict(cells)
		}
		shared.Cells = append(shared.Cells, cells...)
	}
	return shared
}

func cellsByData(cells []records.Cell) [][]records.Cell {
	return stats.Grouped(cells, func(c records.Cell) string { return cmp.Or(c.Rows[0].Data, c.ID) })
}

// RanOnPart returns the classifiers among ids that ran on only part of the data of a pooled cell. Classifiers
// without records are not returned.
func RanOnPart(pooled *records.Cell, ids []string) []string {
	return coverageOf([]records.Cell{*pooled}, ids).partial(ids)
}

// ranOnPartOfCells returns the classifiers among ids that ran on only part of the data of some cell. Cells
// with the same data count as one.
func ranOnPartOfCells(cells []records.Cell, ids []string) []string {
	var partial []string
	for _, alike := range cellsByData(cells) {
		partial = append(partial, coverageOf(alike, ids).partial(ids)...)
	}
	return Without(ids, func(id string) bool { return !slices.Contains(partial, id) })
}

// A coverage contains the replicates on which each classifier ran.
type coverage map[string]map[int]bool

// coverageOf returns the replicates on which each of the given classifiers ran in cells with the
// same data. It omits replicates whose data could not be drawn.
func coverageOf(cells []records.Cell, ids []string) coverage {
	ran := coverage{}
	for _, id := range ids {
		replicates := map[int]bool{}
		for _, c := range cells {
			for _, r := range c.RowsOf(id) {
				if r.Cause != records.NotDrawn {
					replicates[r.Replicate] = true
				}
			}
		}
		if len(replicates) > 0 {
			ran[id] = replicates
		}
	}
	return ran
}

// partial returns the classifiers among ids that ran on some replicates, but missed some on which others ran.
func (ran coverage) partial(ids []string) []string {
	all := map[int]bool{}
	for _, replicates := range ran {
		maps.Copy(all, replicates)
	}
	return Without(ids, func(id string) bool { return ran[id] == nil || len(ran[id]) == len(all) })
}

// restrict returns the cells with only the replicates on which all classifiers ran, if there are any.
func (ran coverage) restrict(cells []records.Cell) (restricted []records.Cell) {
	isPartial := func(r records.Record) bool {
		for _, replicates := range ran {
			if !replicates[r.Replicate] {
				return true
			}
		}
		return false
	}
	for _, c := range cells {
		if rows := Without(c.Rows, isPartial); len(rows) > 0 {
			restricted = append(restricted, c.With(rows))
		}
	}
	return restricted
}
