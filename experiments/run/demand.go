package run

import (
	"fmt"

	"copse/experiments/config"
	"copse/experiments/study"
)

// A Demand is the largest expected memory use of any fit in a plan.
type Demand struct {
	Bytes    int64
	Cell     *study.Cell
	Entry    study.Entry
	Measured bool // an earlier run measured Bytes; otherwise it is computed by Cell.EstimatedMemory
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
				d.Bytes = d.Cell.EstimatedMemory(e)
			}
			if d.Bytes > most.Bytes {
				most = d
			}
		}
	}
	return most
}

// checkMemory returns an error if a fit of the plan is expected to exceed the memory limit of the
// user. It ignores other limits, because the user did not choose them. Fits of external programs
// have their own limit.
func checkMemory(p *Plan, ceiling MemoryCeiling) error {
	if ceiling.Source != MemoryFlag || ceiling.Bytes == 0 {
		return nil
	}
	for _, missing := range missingByCell(p) {
		for _, e := range missing.entries() {
			if bytes := missing.cell.EstimatedMemory(e); bytes > ceiling.Bytes {
				return fmt.Errorf("the memory limit of %s (%s) is too low: %s needs about %s in cell %s; choose a "+
					"higher limit, or `--memory 0` for none", config.FormatBytes(ceiling.Bytes), ceiling.Source, e.ID,
					config.FormatBytes(bytes), missing.cell.ID)
			}
		}
	}
	return nil
}
