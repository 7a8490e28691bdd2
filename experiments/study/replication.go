package study

import (
	"reflect"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
)

// A Stopping rule ends the replicates of a cell once its differences are known well
// enough. It is asked at Min, Min + Batch, ... replicates, of the results of exactly
// these and only when all of them are there: sharding, resuming and the order of
// arrival change nothing.
type Stopping struct {
	Min   int `param:"min" range:"[2,1e7]" required:"the replicates that every cell has" doc:"replicates that every cell has"`
	Max   int `param:"max" range:"[2,1e7]" required:"the replicates that no cell exceeds" doc:"replicates that no cell exceeds"`
	Batch int `param:"batch" range:"[1,1e7]" required:"the replicates from one look to the next" doc:"replicates from one look to the next"`
	Until struct {
		MCSE float64 `param:"mcse_difference" range:"(0,inf)" required:"a Monte-Carlo standard error, as a share" doc:"largest Monte-Carlo standard error of the mean difference in error between two classifiers of the cell, as a share"`
	} `param:"until" required:"what ends the replicates, such as {mcse_difference: 0.002}" doc:"what ends the replicates"`
}

// replication reads the key replicates: a number, or a rule to stop by.
func (s *document) replication() {
	n := s.ReplicatesNode
	if n == nil {
		return
	}
	d := &s.decoder
	if config.Resolve(n).Kind != yaml.MappingNode {
		d.Value(n, "replicates", reflect.ValueOf(&s.Replicates).Elem(), `range:"[1,1e7]"`)
		return
	}
	before, stop := d.Mistakes(), &Stopping{}
	d.Structure(n, "replicates", "key", stop)
	if d.Mistakes() > before {
		return
	}
	if stop.Max < stop.Min {
		d.Fail(n, "replicates.max", "%d, less than min %d", stop.Max, stop.Min)
	}
	s.Replicates, s.Stop = stop.Max, stop
}

// maxTrials bounds a study: as many a few GB of memory can plan and collect.
const maxTrials = 10_000_000

// checkTrials refuses studies of more trials than can be planned.
func (s *document) checkTrials() {
	if trials := len(s.cells) * s.Replicates; trials > maxTrials {
		s.decoder.Fail(entryOr(s.root, "replicates"), "replicates", "%d cells x %d replicates are %d trials, more than %d: divide the study", len(s.cells), s.Replicates, trials, maxTrials)
	}
}

// checkStopping refuses to stop by the standard error of results that are not
// independent draws.
func (s *document) checkStopping() {
	for _, c := range s.cells {
		if s.Stop != nil && (c.Data.Folds > 0 || len(c.Data.CSV)+len(c.Data.Set) > 0) {
			which := "these"
			if levels := c.Levels.Describe(s.factors); levels != "" {
				which = "those of " + levels
			}
			s.decoder.Fail(s.ReplicatesNode, "replicates", "a rule to stop by needs replicates that are drawn anew; %s are folds or splits: give their number", which)
			return
		}
	}
}
