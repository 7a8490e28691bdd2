package view

import (
	"fmt"
	"slices"

	"copse/stats/records"
)

// Treatments of failed fits. The first one of a study applies to means and tests.
const (
	// Common compares classifiers on the replicates in which all of them succeeded. It sets
	// aside classifiers that fail too often.
	Common = "common"
	// Fallback scores a failed fit like another classifier.
	Fallback = "fallback"
	// Worst scores a failed fit, in each metric, like the worst classifier of its replicate.
	Worst = "worst"
)

// treatment returns the treatment of failed fits in means and tests.
func (o *Inference) treatment() string {
	if len(o.Failures) == 0 {
		return Common
	}
	return o.Failures[0]
}

// An Aside is a classifier that is set aside in a group, since it fails too often.
type Aside struct {
	ID            string
	Failed, Tried int // in the cell of the group in which it fails most often
}

// Rate returns the share of failed fits.
func (a Aside) Rate() float64 { return float64(a.Failed) / float64(a.Tried) }

// Aside returns the classifiers whose share of failed fits exceeds SetAside in any cell of a
// group, in the order of the study; nil under other treatments than Common. Means and tests
// leave them out of the whole group: without that cell, means would be over other problems.
func (v *View) Aside(g *Group) []Aside {
	if v.treatment() != Common {
		return nil
	}
	var list []Aside
	for _, id := range v.Records.Classifiers {
		worst := Aside{ID: id, Tried: 1}
		for i := range g.Cells {
			tried, failed := g.Cells[i].Attempts(id)
			if a := (Aside{id, failed, tried}); tried > 0 && a.Rate() > worst.Rate() {
				worst = a
			}
		}
		if worst.Rate() > v.SetAside {
			list = append(list, worst)
		}
	}
	return list
}

// Attempts returns the number of fits of a classifier in a group and of failed ones.
func (g *Group) Attempts(classifier string) (tried, failed int) {
	for i := range g.Cells {
		n, without := g.Cells[i].Attempts(classifier)
		tried, failed = tried+n, failed+without
	}
	return tried, failed
}

// IsAside reports whether a list contains a classifier.
func IsAside(list []Aside, id string) bool {
	return slices.ContainsFunc(list, func(a Aside) bool { return a.ID == id })
}

// On returns the cells of a group with failed fits treated as the inference asks: left out, or
// replaced by the results of another fit. Means, tests and ranks use these cells.
func (v *View) On(g *Group) []records.Cell {
	if !v.AnyFailed(*g) {
		return g.Cells
	}
	if v.treatment() == Common {
		return v.common(g)
	}
	cells := make([]records.Cell, len(g.Cells))
	for i := range g.Cells {
		cells[i] = v.scored(&g.Cells[i])
	}
	return cells
}

// OnEach treats the failed fits of each cell by itself (On).
func (v *View) OnEach(cells []records.Cell) []records.Cell {
	var list []records.Cell
	for _, g := range Singles(cells) {
		list = append(list, v.On(&g)...)
	}
	return list
}

// AnyFailed reports whether any fit of a group failed.
func (v *View) AnyFailed(g Group) bool { return slices.ContainsFunc(g.Cells, hasFailures) }

// hasFailures reports whether any fit of a cell failed.
func hasFailures(c records.Cell) bool { return slices.ContainsFunc(c.Rows, isFailure) }

// isFailure reports whether a record is a failed fit.
func isFailure(r records.Record) bool { return r.Status != records.OK }

// common returns the cells without the classifiers that are set aside, and without the draws
// in which any other classifier failed. A draw is the data of one replicate.
func (v *View) common(g *Group) []records.Cell {
	aside := v.Aside(g)
	draws, lost := v.lostDraws(g, aside)
	cells := make([]records.Cell, len(g.Cells))
	for i := range g.Cells {
		var kept []records.Record
		for _, r := range g.Cells[i].Rows {
			draw := draws[i][r.Replicate]
			if !lost[draw] && !IsAside(aside, r.Classifier) {
				kept = append(kept, r)
			}
		}
		cells[i] = g.Cells[i].With(kept)
	}
	return cells
}

// lostDraws returns the draw of each replicate, by index of the cell in the group, and the
// draws in which a classifier failed that is not set aside.
func (v *View) lostDraws(g *Group, aside []Aside) (draws []map[int]string, lost map[string]bool) {
	draws = make([]map[int]string, len(g.Cells))
	lost = map[string]bool{}
	for i := range g.Cells {
		draws[i] = map[int]string{}
		for replicate, rows := range g.Cells[i].ByReplicate() {
			draw := v.drawn(&g.Cells[i], i, replicate, rows)
			draws[i][replicate] = draw
			for _, r := range rows {
				if isFailure(*r) && !IsAside(aside, r.Classifier) {
					lost[draw] = true
				}
			}
		}
	}
	return draws, lost
}

// drawn names the draw of a replicate. Cells of a group may share a draw; they then lose it
// together. Each fold of a data set is a draw of its own.
func (v *View) drawn(c *records.Cell, cell, replicate int, rows []*records.Record) string {
	if v.Sampling[c.ID].OneSet {
		return fmt.Sprintf("%s/%d", c.ID, replicate)
	}
	return v.source(c, replicate, seen(rows, cell))
}

// scored returns the cell with a stand-in result for each failed fit. It leaves out
// replicates without any success.
func (v *View) scored(c *records.Cell) records.Cell {
	byReplicate := c.ByReplicate()
	var rows []records.Record
	for _, r := range c.Rows {
		if !isFailure(r) {
			rows = append(rows, r)
		} else if like := v.standIn(byReplicate[r.Replicate], v.Classes[c.ID]); like != nil {
			scored := *like
			scored.Classifier, scored.Fit, scored.Predict, scored.Peak = r.Classifier, 0, 0, 0
			rows = append(rows, scored)
		}
	}
	return c.With(rows)
}

// standIn returns the result that replaces the failed fits of a replicate: the worst one, the
// fallback's or, without it, predictions by class shares; nil if all fits failed.
func (v *View) standIn(rows []*records.Record, classes []string) *records.Record {
	succeeded := slices.DeleteFunc(slices.Clone(rows), func(r *records.Record) bool { return isFailure(*r) })
	if len(succeeded) == 0 {
		return nil
	}
	if v.treatment() == Worst {
		return records.WorstOf(succeeded)
	}
	for _, r := range succeeded {
		if r.Classifier == v.Fallback {
			return r
		}
	}
	return succeeded[0].ClassShares(v.Records.Metrics, classes)
}
