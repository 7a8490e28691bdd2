// Package view is a study and its records as readers see them: labels, groups of
// cells, units of inference and the measures that are shown.
package view

import (
	"copse/stats/records"
)

// A View is what tables and figures are made from: the study, its records laid
// out by cell, and the timings.
type View struct {
	Study
	Records *records.Records
	Trials  []records.Cell // as they were run
	Cells   []records.Cell // in the units of the inference: trials or tasks
	seconds map[timingKey]Timing
	Inference
}

type timingKey struct {
	cell       string
	replicate  int
	classifier string
}

// New lays records out as the inference wants them.
func New(study Study, rows *records.Records, inference Inference) *View {
	v := &View{Study: study, Records: rows, Trials: rows.Cells(), Inference: inference,
		seconds: make(map[timingKey]Timing, len(study.Timings))}
	v.Cells = v.Trials
	if v.Unit == "task" {
		v.Cells = rows.OverFolds(study.Folds).Cells()
	}
	for _, t := range study.Timings {
		v.addTiming(t)
	}
	return v
}

// addTiming keeps the seconds of a fit, or of a task's mean fit.
func (v *View) addTiming(t Timing) {
	key := timingKey{t.Cell, t.Replicate, t.Classifier}
	k := v.Folds[t.Cell]
	if v.Unit != "task" || k < 2 {
		v.seconds[key] = t
		return
	}
	key.replicate = records.FoldTask(t.Replicate, k)
	sum := v.seconds[key]
	sum.Fit, sum.Predict = sum.Fit+t.Fit/float64(k), sum.Predict+t.Predict/float64(k)
	v.seconds[key] = sum
}

// Units names what the inference counts.
func (v *View) Units() string {
	if v.Unit == "task" {
		return "tasks"
	}
	return "replicates"
}

// Index is the position of a classifier in the study, oracles not counted; -1
// for an oracle.
func (v *View) Index(id string) int {
	index := 0
	for _, other := range v.Records.Classifiers {
		oracle := false
		if c := v.Component(other); c != nil {
			oracle = c.Oracle
		}
		switch {
		case other == id && oracle:
			return -1
		case other == id:
			return index
		case !oracle:
			index++
		}
	}
	return -1
}
