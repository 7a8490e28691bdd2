package run

import (
	"copse/classifiers"
	"copse/experiments/study"
)

// A Demand is what the most demanding fit of a plan is expected to hold.
type Demand struct {
	Bytes    int64
	Cell     *study.Cell
	Entry    study.Entry
	Measured bool // in a process of its own, by an earlier run; else classifiers.Memory
}

// Memory looks for it among the tasks. Measured peaks of the same cell go before
// formulas; of programs and of cells whose number of columns only a program or a
// missing file knows nothing else is known, and they are left out.
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

// expected is what a built-in classifier's formula says, 0 where it cannot.
func expected(c *study.Cell, e study.Entry) int64 {
	d := c.Data.Columns()
	if e.Classifier == nil || d == 0 {
		return 0
	}
	train, test := c.Data.Rows()
	return classifiers.Memory(e.Classifier, classifiers.Load{Train: train, Test: test, D: d, Classes: c.Data.Classes()})
}
