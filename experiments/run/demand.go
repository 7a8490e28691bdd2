package run

import (
	"fmt"

	"copse/classifiers"
	"copse/experiments/stream"
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
	columns := map[string]int{} // by file or generator
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
				need.Bytes = expected(p.Folder.Study, t.Cell, e, columns)
			}
			if need.Bytes > most.Bytes {
				most = need
			}
		}
	}
	return most
}

// expected is what a built-in classifier's formula says, 0 where it cannot.
func expected(s *study.Study, c *study.Cell, e study.Entry, columns map[string]int) int64 {
	if e.Classifier == nil {
		return 0
	}
	source := fmt.Sprintf("%s %+v", c.Data.Source(), c.Data.Generator)
	d, known := columns[source]
	if !known {
		d = columnsOf(s, c)
		columns[source] = d
	}
	if d == 0 {
		return 0
	}
	train, test := c.Data.Rows()
	return classifiers.Memory(
		e.Classifier,
		classifiers.Load{Train: train, Test: test, D: d + c.Data.Irrelevant, Classes: c.Data.Classes()},
	)
}

// columnsOf returns the number of attributes of a cell's data, 0 where it is not
// known. A generator is asked for one row of a problem.
func columnsOf(s *study.Study, c *study.Cell) int {
	switch {
	case c.Data.File != nil:
		return c.Data.File.Rows.D()
	case c.Data.Generator == nil:
		return 0
	}
	problem, err := c.Data.Generator.New(stream.New(s.Seed, c.SplitKey, 1, stream.Structure))
	if err != nil {
		return 0 // the trial will say why
	}
	one := make([]int, c.Data.Classes())
	one[0] = 1
	return problem.Sample(one, stream.New(s.Seed, c.SplitKey, 1, stream.Train)).D()
}
