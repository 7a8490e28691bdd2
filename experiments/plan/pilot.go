package plan

import (
	"cmp"
	"context"
	"slices"
	"time"

	"copse/experiments/study"
	"copse/experiments/trial"
)

// inMemory is a worker that starts nothing.
func inMemory(s *study.Study) *trial.Worker {
	inProcess := *s
	inProcess.Isolate = false
	return trial.NewWorker(&inProcess, "")
}

// Pilot estimates a plan's cost by running, in memory, the first missing trial
// of each cell, the cheapest cells first, until the budget is spent. Cells that
// were not reached are taken to cost as much per unit of size as the last one
// that was. Programs are not started, so their time is not in it. It returns the number of trials run and sets the plan's seconds.
func Pilot(s *study.Study, plan *Plan, budget time.Duration) int {
	first := map[*study.Cell]Task{}
	var cells []*study.Cell
	for _, t := range plan.Tasks {
		if _, seen := first[t.Cell]; !seen {
			first[t.Cell] = t
			cells = append(cells, t.Cell)
		}
	}
	slices.SortStableFunc(cells, func(a, b *study.Cell) int { return cmp.Compare(sizeOf(a), sizeOf(b)) })
	worker := inMemory(s)
	defer worker.Close()
	measured := map[*study.Cell]float64{}
	perUnit := 0.0
	deadline := time.Now().Add(budget)
	for _, c := range cells {
		if time.Now().After(deadline) {
			break
		}
		if c.Data.Program != nil {
			continue
		}
		here := slices.DeleteFunc(slices.Clone(first[c].Entries), func(e study.Entry) bool { return e.Program != nil })
		if len(here) == 0 {
			continue
		}
		start := time.Now()
		if _, err := worker.Run(context.Background(), c, first[c].Replicate, here); err != nil {
			break
		}
		measured[c] = time.Since(start).Seconds()
		perUnit = measured[c] / sizeOf(c)
	}
	plan.Seconds = 0
	for _, t := range plan.Tasks {
		if seconds, ok := measured[t.Cell]; ok {
			plan.Seconds += seconds
		} else {
			plan.Seconds += perUnit * sizeOf(t.Cell)
		}
	}
	return len(measured)
}
