package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats/records"
)

// A history describes the cells and recipes of stored results.
type history struct {
	cells  map[string]bool
	specs  map[[2]string]string      // by cell and id: the recipe that ran
	levels map[records.Levels]string // by levels: the content of their cell
}

// historyOf returns the history of a folder, whose Ran is ran.
func historyOf(f *results.Folder, ran []results.History) history {
	h := history{map[string]bool{}, map[[2]string]string{}, map[records.Levels]string{}}
	for _, c := range f.Cells() {
		h.cells[c.ID] = true
		h.levels[c.Levels] = cmp.Or(c.Content, "other data")
	}
	for _, r := range ran {
		at := [2]string{r.Cell, r.ID}
		h.specs[at] = max(h.specs[at], r.Spec)
	}
	return h
}

// reason returns why a result is missing.
func (h history) reason(c *study.Cell, e study.Entry) string {
	old, ran := h.specs[[2]string{c.ID, e.ID}]
	switch {
	case !h.cells[c.ID]:
		if was, changed := h.levels[c.Levels]; changed {
			return changedData(was, c.Key)
		}
		return "new cell"
	case !ran:
		return fmt.Sprintf("new classifier %s", e.ID)
	case old != e.Spec:
		return fmt.Sprintf("changed classifier %s: was %s, is %s", e.ID, old, e.Spec)
	}
	return "new replicate"
}

// changedData lists the parts of a cell's content that changed.
func changedData(was, is string) string {
	old, now := strings.Split(was, ";"), strings.Split(is, ";")
	if len(old) == len(now) {
		for i := len(old) - 1; i >= 0; i-- {
			if old[i] == now[i] {
				old, now = slices.Delete(old, i, i+1), slices.Delete(now, i, i+1)
			}
		}
	}
	if len(now) == 0 {
		return "changed data: a factor sets other parameters of a classifier"
	}
	return fmt.Sprintf("changed data: was %s, is %s", strings.Join(old, ";"), strings.Join(now, ";"))
}

// Reasons returns how many results are missing for each reason.
func (p *Plan) Reasons() map[string]int {
	results := map[string]int{}
	for _, g := range p.Gaps {
		results[g.Reason] += len(g.IDs) * len(g.Replicates)
	}
	return results
}

// ReasonLines lists the reasons with their numbers, the most frequent first.
func (p *Plan) ReasonLines() []string {
	results := p.Reasons()
	lines := slices.SortedFunc(maps.Keys(results), func(a, b string) int {
		return cmp.Or(cmp.Compare(results[b], results[a]), strings.Compare(a, b))
	})
	for i, reason := range lines {
		noun := "results"
		if results[reason] == 1 {
			noun = "result"
		}
		lines[i] = fmt.Sprintf("%d %s: %s", results[reason], noun, reason)
	}
	return lines
}
