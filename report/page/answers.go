package page

import (
	"fmt"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// answers contains the findings at the top of the page.
type answers struct {
	Asked  string   // which classifiers are compared, by which measure, in which cells
	Found  []string // what the tests show, one sentence per finding
	Method []string // how the intervals in Found are computed
	Open   []string // pairs without a significant difference, one sentence each
	Failed string   // numbers of failed fits and missing results
}

// newAnswers collects the sentences at the top of the page. If there are several tables, the number
// of a table precedes the sentences about it.
func newAnswers(v *view.View, tables []Table, compared *Comparison) answers {
	a := answers{Asked: questionWords(v, tables)}
	failed := []string{failedFitsWords(v), view.FailedDrawsSentence(v.Cells)}
	var intervals, numberedIntervals []string // explanations of intervals, without and with table numbers
	for _, t := range tables {
		number := ""
		if len(tables) > 1 {
			number, _, _ = strings.Cut(t.Heading, ".") // "Table 2"
		}
		f := t.Findings()
		a.Found = append(a.Found, withTableNumber(number, f.Found)...)
		a.Open = append(a.Open, withTableNumber(number, f.NotShown)...)
		failed = append(failed, withTableNumber(number, f.Excluded)...)
		if f.IntervalMethod != "" {
			intervals = view.AddNew(intervals, f.IntervalMethod)
			numberedIntervals = append(numberedIntervals, withTableNumber(number, []string{f.IntervalMethod})...)
		}
	}
	a.Method = intervals
	if len(intervals) > 1 { // tables differ in their intervals
		a.Method = numberedIntervals
	}
	if compared != nil {
		a.Found = append(a.Found, compared.CountSentence())
	}
	failed = append(failed, v.GapSentences()...)
	a.Failed = strings.Join(view.Except(failed, ""), " ")
	return a
}

// withTableNumber puts the number of a table before the first sentence, as in "Table 2: SLB ...",
// unless number is "". It changes sentences in place.
func withTableNumber(number string, sentences []string) []string {
	if number == "" || len(sentences) == 0 {
		return sentences
	}
	sentences[0] = number + ": " + sentences[0]
	return sentences
}

// questionWords describes the content of the study, as in "The test error of SLB, RF in 6 cells
// that vary n, with R = 100 replicates in each."
func questionWords(v *view.View, tables []Table) string {
	measure := v.ScoredRows(v.Cells) + " error"
	family := v.Compared(nil, v.Records.Classifiers) // nil means any measure
	if len(tables) > 0 {
		measure, family = tables[0].Measure.Name, tables[0].Family
	}
	factors := v.FactorLabels(v.Varying(v.Cells))
	words := fmt.Sprintf("The %s of %s in %s", measure, v.Labels(family), view.Plural(len(v.Cells), "cell", "cells"))
	if len(factors) > 0 {
		words += " that vary " + strings.Join(factors, ", ")
	}
	results, unit := repetitions(v)
	return fmt.Sprintf("%s, with %s in each.", words, results.Replicated(unit))
}

// failedFitsWords counts failed fits by classifier, as in "3 of 288 fits: QDA 2, NB 1."
func failedFitsWords(v *view.View) string {
	tried, failed := fitsOf(v.Records.Rows)
	fits := view.Plural(tried, "fit", "fits")
	switch {
	case tried == 0:
		return "No classifier was fitted."
	case len(failed) == 0:
		return fmt.Sprintf("None: all %s succeeded.", fits)
	}
	counts := map[string]int{} // by classifier
	for _, r := range failed {
		counts[r.Classifier]++
	}
	var parts []string
	for _, id := range v.Records.Classifiers {
		if n := counts[id]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v.Label(id), n))
		}
	}
	return fmt.Sprintf("%d of %s: %s.", len(failed), fits, strings.Join(parts, ", "))
}

// fitsOf returns the number of fits and the records of failed fits. Replicates whose data could not
// be drawn have no fits.
func fitsOf(rows []records.Record) (tried int, failed []*records.Record) {
	for i := range rows {
		if rows[i].Cause == records.NotDrawn {
			continue
		}
		tried++
		if rows[i].Status != records.OK {
			failed = append(failed, &rows[i])
		}
	}
	return tried, failed
}
