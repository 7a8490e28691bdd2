package run

import (
	"copse/classifiers"
	"copse/experiments/study"
)

// A Demand is the largest expected memory use of any fit in a plan.
type Demand struct {
	Bytes    int64
	Cell     *study.Cell
	Entry    study.Entry
	Measured bool // an earlier run measured Bytes; otherwise it is computed by classifiers.Memory
}

// Memory returns the largest memory demand of any fit in a plan. It estimates the demands that
// earlier runs did not measure. The field Bytes is 0 if no demand is known.
func Memory(p *Plan) (most Demand) {
	peaks := map[fitKey]int64{} // in bytes, keyed by cell and classifier
	for r := range p.Folder.Rows() {
		key := fitKey{r.Cell, r.Classifier}
		peaks[key] = max(peaks[key], r.Peak)
	}
	for _, missing := range missingByCell(p) { // all replicates of a cell have the same demand
		for _, e := range missing.entries() {
			peak := peaks[fitKey{missing.cell.ID, e.ID}]
			d := Demand{Bytes: peak, Cell: missing.cell, Entry: e, Measured: peak > 0}
			if !d.Measured {
				d.Bytes = estimatedBytes(d.Cell, e)
			}
			if d.Bytes > most.Bytes {
				most = d
			}
		}
	}
	return most
}

// estimatedBytes estimates the memory of a fit of a built-in classifier. It returns 0 for an
// external program or if the number of columns is unknown.
func estimatedBytes(c *study.Cell, e study.Entry) int64 {
	d := c.Data.Columns()
	if e.Classifier == nil || d == 0 {
		return 0
	}
	if e.CodesIndicators() {
		d = c.Data.CodedColumns()
	}
	train, test := c.Data.Rows()
	return classifiers.Memory(e.Classifier, classifiers.Load{Train: train, Test: test, D: d, Classes: c.Data.Classes()})
}
