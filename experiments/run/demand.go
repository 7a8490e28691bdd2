package run

import (
	"copse/classifiers"
	"copse/experiments/study"
)

// A Demand is the expected memory of the largest fit of a plan.
type Demand struct {
	Bytes    int64
	Cell     *study.Cell
	Entry    study.Entry
	Measured bool // an earlier run measured Bytes; otherwise classifiers.Memory estimates it
}

// Memory returns the largest demand among the tasks. A peak measured in the same cell
// replaces the formula. A fit without a peak is left out if it has no formula: if it is
// a program's, or if the number of columns is unknown.
func Memory(p *Plan) (most Demand) {
	peaks := map[[2]string]int64{} // by cell and classifier
	for r := range p.Folder.Rows() {
		at := [2]string{r.Cell, r.Classifier}
		peaks[at] = max(peaks[at], r.Peak)
	}
	seen := map[[2]string]bool{}
	for _, t := range p.Tasks {
		for _, e := range t.Entries {
			at := [2]string{t.Cell.ID, e.ID}
			if seen[at] {
				continue
			}
			seen[at] = true
			need := Demand{Bytes: peaks[at], Cell: t.Cell, Entry: e, Measured: peaks[at] > 0}
			if !need.Measured {
				need.Bytes = expected(t.Cell, e)
			}
			if need.Bytes > most.Bytes {
				most = need
			}
		}
	}
	return most
}

// expected returns the bytes by the formula of a built-in classifier; 0: unknown.
func expected(c *study.Cell, e study.Entry) int64 {
	d := c.Data.Columns()
	if e.Classifier == nil || d == 0 {
		return 0
	}
	train, test := c.Data.Rows()
	return classifiers.Memory(e.Classifier, classifiers.Load{Train: train, Test: test, D: d, Classes: c.Data.Classes()})
}
