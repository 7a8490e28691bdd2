package experiments

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Pilot estimates a plan's cost by running, in memory, the first missing trial
// of each cell, the cheapest cells first, until the budget is spent. Cells that
// were not reached are taken to cost as much per unit of size as the last one
// that was. It returns the number of trials run and sets the plan's seconds.
func Pilot(s *Study, plan *Plan, budget time.Duration) int {
	first := map[*Cell]Task{}
	var cells []*Cell
	for _, t := range plan.Tasks {
		if _, seen := first[t.Cell]; !seen {
			first[t.Cell] = t
			cells = append(cells, t.Cell)
		}
	}
	slices.SortStableFunc(cells, func(a, b *Cell) int { return cmp.Compare(a.size(), b.size()) })
	measured := map[*Cell]float64{}
	perUnit := 0.0
	deadline := time.Now().Add(budget)
	for _, c := range cells {
		if time.Now().After(deadline) {
			break
		}
		start := time.Now()
		if _, err := runTrial(context.Background(), s, c, first[c].Replicate, first[c].Entries); err != nil {
			break
		}
		measured[c] = time.Since(start).Seconds()
		perUnit = measured[c] / c.size()
	}
	plan.Seconds = 0
	for _, t := range plan.Tasks {
		if seconds, ok := measured[t.Cell]; ok {
			plan.Seconds += seconds
		} else {
			plan.Seconds += perUnit * t.Cell.size()
		}
	}
	return len(measured)
}
