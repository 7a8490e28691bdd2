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
	Measured bool // by an earlier run; otherwise Cell.EstimatedMemory computes Bytes
}

// Memory returns the largest memory demand of any fit in a plan, measured by earlier runs or
// estimated. Bytes is 0 if no demand is known.
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

// noteMemory reports if a fit of a built-in classifier may need more memory than the ceiling.
func (o *Options) noteMemory(p *Plan) {
	if o.Memory.Bytes == 0 {
		return
	}
	most := Memory(p)
	if most.Measured || most.Bytes <= o.Memory.Bytes { // only memory of external programs is measured
		return
	}
	where := ""
	if levels := p.Folder.Study.Describe(most.Cell); levels != "" {
		where = " at " + levels
	}
	o.Progress.Note(fmt.Sprintf("%s%s may need %s of memory, more than the limit of %s (%s)", most.Entry.ID, where,
		config.FormatBytes(most.Bytes), config.FormatBytes(o.Memory.Bytes), o.Memory.Source))
}
