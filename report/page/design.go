package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

// facts are the figures at the top of the page.
func facts(v *view.View, p *printed) {
	fits, failed := len(v.Records.Rows), 0
	trials := 0
	for _, c := range v.Trials {
		trials += len(c.Replicates)
	}
	for i := range v.Records.Rows {
		if v.Records.Rows[i].Status != records.OK {
			failed++
		}
	}
	p.Facts = []view.Setting{
		{Name: "cells", Value: strconv.Itoa(len(v.Cells))},
		{Name: "replicates per cell", Value: perCell(v)},
		{Name: "classifiers", Value: strconv.Itoa(len(v.Records.Classifiers))},
		{Name: "trials", Value: strconv.Itoa(trials)},
		{Name: "fits", Value: strconv.Itoa(fits)},
		{Name: "failed fits", Value: strconv.Itoa(failed)},
	}
}

// perCell is the number of replicates of a cell, as a range where cells differ.
func perCell(v *view.View) string {
	low, high := len(v.Trials[0].Replicates), 0
	for _, c := range v.Trials {
		low, high = min(low, len(c.Replicates)), max(high, len(c.Replicates))
	}
	if low == high {
		return strconv.Itoa(high)
	}
	return fmt.Sprintf("%d–%d", low, high)
}

type factorView struct{ Label, Levels, Doc string }

// design fills the section on what was run.
func design(v *view.View, p *printed, tables []printedTable) {
	for _, f := range v.Records.Factors {
		var labels []string
		for _, level := range f.Levels {
			labels = append(labels, v.LevelLabel(f.Name, level))
		}
		row := factorView{Label: v.FactorLabel(f.Name), Levels: strings.Join(labels, ", ")}
		if known := v.Factor(f.Name); known != nil {
			row.Doc = known.Doc
			p.FactorDocs = p.FactorDocs || row.Doc != ""
		}
		p.Factors = append(p.Factors, row)
	}
	var names, bold []string
	for _, t := range tables {
		names = view.AddNew(names, t.Measure.Title())
		if len(bold) == 0 && len(t.Family) > 1 {
			bold = t.Family
		}
	}
	over, shared := expectations(v)
	measures := cmp.Or(strings.Join(names, ", "), "the test error")
	p.Targets = fmt.Sprintf("What is estimated for each classifier in each cell: %s, %s.", measures, over)
	for _, c := range v.Classifiers {
		if c.Oracle {
			p.Targets += fmt.Sprintf(" %s is the Bayes rule of the drawn problem: its error is the floor.",
				v.Label(c.ID))
		}
	}
	units := v.Units(view.Singles(v.Cells))
	p.Measures = fmt.Sprintf("Mean and standard deviation over the %[1]s; Monte-Carlo standard error of a mean: "+
		"standard deviation / √R%[3]s. All classifiers of a trial see the same data, so they are compared on pairs. "+
		"%[2]s",
		units, v.Treatment("Means and tests"), shared)
	if strings.Contains(units, "tasks") {
		p.Measures += " A task is one problem under cross-validation; its result is the mean over its folds."
	}
	if bold != nil && v.TestLabels(view.Singles(v.Cells)) != "" {
		p.Measures += " " + table.BoldCaption(v, view.Singles(v.Cells), bold, bold, false)
	}
}

// expectations says over what results vary from replicate to replicate, and the
// standard error of those that share rows.
func expectations(v *view.View) (over, shared string) {
	var words []string
	for _, c := range v.Cells {
		word := "over new problems and new training sets"
		switch s := v.Sampling[c.ID]; {
		case s.FixedTest:
			word = "over fits on one test set of a data set"
		case s.OneSet:
			word = "over splits of a data set"
			shared = ", of folds and splits of one data set standard deviation × √(1/R + test rows / training rows)"
		}
		words = view.AddNew(words, word)
	}
	return strings.Join(words, ", "), shared
}
