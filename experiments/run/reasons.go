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

// A history describes the stored results of a folder.
type history struct {
	cells  map[string]bool           // ids of the cells
	specs  map[fitKey][]string       // recipes, by cell and classifier
	levels map[records.Levels]string // descriptions of the data, or "other data", keyed by the levels of the cell
}

// historyOf summarizes the stored results of f. ran is the result of f.Ran.
func historyOf(f *results.Folder, ran []results.History) history {
	h := history{cells: map[string]bool{}, specs: map[fitKey][]string{}, levels: map[records.Levels]string{}}
	for _, c := range f.Cells() {
		h.cells[c.ID] = true
		if _, isStored := h.levels[c.Levels]; c.Data != "" || !isStored { // prefer a cell whose data are described
			h.levels[c.Levels] = cmp.Or(c.Data, "other data")
		}
	}
	for _, r := range ran {
		key := fitKey{r.Cell, r.ID}
		h.specs[key] = append(h.specs[key], r.Spec)
	}
	return h
}

// formerRecipe returns an earlier recipe of a classifier in a cell, or "" if all stored results have
// the current one.
func (h history) formerRecipe(c *study.Cell, e study.Entry) string {
	former := ""
	for _, spec := range h.specs[fitKey{c.ID, e.ID}] {
		if spec != e.Spec {
			former = max(former, spec) // of several, always return the same one
		}
	}
	return former
}

// changedClassifier explains that a result is missing because the stored results of the classifier
// have an earlier recipe, former.
func changedClassifier(e study.Entry, former string) string {
	return fmt.Sprintf("changed classifier %s: was %s, is %s", e.ID, former, e.Spec)
}

// reason explains why a result of a classifier is missing in a cell.
func (h history) reason(c *study.Cell, e study.Entry) string {
	ran := h.specs[fitKey{c.ID, e.ID}]
	switch {
	case !h.cells[c.ID]:
		if was, isStored := h.levels[c.Levels]; isStored { // with these levels, the data were different
			return changedData(was, c.Key)
		}
		return "new cell"
	case ran == nil:
		return fmt.Sprintf("new classifier %s", e.ID)
	case !slices.Contains(ran, e.Spec):
		return changedClassifier(e, h.formerRecipe(c, e))
	}
	return "new replicate"
}

// changedData explains how two lists of settings, separated by semicolons, differ, such as "changed
// data: was n=100, is n=200".
func changedData(before, after string) string {
	old, now := strings.Split(before, ";"), strings.Split(after, ";")
	if len(old) == len(now) { // otherwise the settings do not correspond
		old, now = different(old, now), different(now, old)
	}
	isPair := func(setting string) bool { return strings.HasPrefix(setting, "pair=") }
	switch {
	case len(now) == 0:
		return "changed cell: a factor now sets other parameters of a classifier"
	case len(now) == 1 && len(old) == 1 && isPair(old[0]) && isPair(now[0]):
		return "changed draws: the first levels of the factors in `pair` determine the seeds and have changed; " +
			"list new levels last"
	}
	return fmt.Sprintf("changed data: was %s, is %s", strings.Join(old, ";"), strings.Join(now, ";"))
}

// different returns the elements list[i] that differ from other[i].
func different(list, other []string) (elements []string) {
	for i := range list {
		if list[i] != other[i] {
			elements = append(elements, list[i])
		}
	}
	return elements
}

// Reasons returns the number of missing results for each reason.
func (p *Plan) Reasons() map[string]int {
	counts := map[string]int{}
	for _, g := range p.Gaps {
		counts[g.Reason] += len(g.IDs) * len(g.Replicates)
	}
	return counts
}

// ReasonLines returns a line for each reason, such as "12 results: new cell", sorted by decreasing
// count and then by reason.
func (p *Plan) ReasonLines() []string {
	counts := p.Reasons()
	lines := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	for i, reason := range lines {
		noun := "results"
		if counts[reason] == 1 {
			noun = "result"
		}
		lines[i] = fmt.Sprintf("%d %s: %s", counts[reason], noun, reason)
	}
	return lines
}
