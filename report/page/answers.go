package page

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// answers contains the findings at the top of the page.
type answers struct {
	Asked  string   // which classifiers are compared, by what, and where
	Found  []string // what the tests show, a sentence each
	Method []string // how the intervals in Found are computed
	Open   []string // differences that are not shown, a sentence each
	Failed string   // numbers of failed fits and of missing results
}

func answersOf(v *view.View, tables []printedTable, compared []Comparison) answers {
	a := answers{Asked: asked(v, tables)}
	failed := []string{failedWords(v)}
	var intervals, numberedIntervals []string // explanations of intervals, without and with table numbers
	for _, t := range tables {
		number := ""
		if len(tables) > 1 {
			number, _, _ = strings.Cut(t.Heading, ".") // "Table 2"
		}
		f := t.Findings()
		a.Found = append(a.Found, numbered(number, f.Found)...)
		a.Open = append(a.Open, numbered(number, f.Open)...)
		failed = append(failed, numbered(number, f.SetAside)...)
		if f.Intervals != "" {
			intervals = view.AddNew(intervals, f.Intervals)
			numberedIntervals = append(numberedIntervals, numbered(number, []string{f.Intervals})...)
		}
	}
	a.Method = intervals
	if len(intervals) > 1 { // tables differ in their intervals
		a.Method = numberedIntervals
	}
	for _, c := range compared {
		a.Found = append(a.Found, c.Count())
	}
	if lacking := v.Lacking(nil); lacking != "" {
		failed = append(failed, lacking)
	}
	a.Failed = strings.Join(failed, " ")
	return a
}

// numbered puts the number of a table before the first sentence, as in "Table 2: SLB ...". If number
// is "", it changes nothing.
func numbered(number string, sentences []string) []string {
	if number == "" || len(sentences) == 0 {
		return sentences
	}
	list := slices.Clone(sentences)
	list[0] = number + ": " + list[0]
	return list
}

// asked describes what the study measures: "The test error of SLB, RF in 6 cells that vary n, 100
// replicates in each." The measure and the classifiers are from the first table.
func asked(v *view.View, tables []printedTable) string {
	measure := v.ScoredName("test error", v.Cells)
	family := v.Compared(nil, v.Records.Classifiers)
	if len(tables) > 0 {
		measure, family = tables[0].Measure.Name, tables[0].Family
	}
	var factors []string
	for _, name := range v.Varying(v.Cells) {
		factors = append(factors, v.FactorLabel(name))
	}
	words := fmt.Sprintf("The %s of %s in %s", measure, v.Labels(family), view.Plural(len(v.Cells), "cell", "cells"))
	if len(factors) > 0 {
		words += " that vary " + strings.Join(factors, ", ")
	}
	return fmt.Sprintf("%s, %s replicates in each.", words, perCell(v))
}

// failedWords counts failed fits by classifier, as in "3 of 288 fits: QDA 2, NB 1.", or states that
// all fits succeeded.
func failedWords(v *view.View) string {
	fits := view.Plural(len(v.Records.Rows), "fit", "fits")
	failed := failedFits(v.Records.Rows)
	if len(failed) == 0 {
		return fmt.Sprintf("None: all %s succeeded.", fits)
	}
	var parts []string
	for _, id := range v.Records.Classifiers {
		n := 0
		for _, r := range failed {
			if r.Classifier == id {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v.Label(id), n))
		}
	}
	return fmt.Sprintf("%d of %s: %s.", len(failed), fits, strings.Join(parts, ", "))
}

func failedFits(rows []records.Record) (failed []*records.Record) {
	for i := range rows {
		if rows[i].Status != records.OK {
			failed = append(failed, &rows[i])
		}
	}
	return failed
}
