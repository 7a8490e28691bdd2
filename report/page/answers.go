package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/report/table"
	"copse/report/view"
	"copse/stats"
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

// newAnswers collects the sentences at the top of the page. If there are several tables, the number of a table
// precedes the sentences about it.
func newAnswers(v *view.View, tables []Table, compared *Comparison) answers {
	a := answers{Asked: questionWords(v, tables)}
	var findings []tableFindings
	for _, t := range tables {
		findings = append(findings, tableFindings{t.Findings(), strconv.Itoa(t.Number)})
	}
	a.Found = withTableNumbers(findings, func(f tableFindings) []string { return f.Found })
	a.Open = withTableNumbers(findings, func(f tableFindings) []string { return f.NotShown })
	a.Method = intervalMethods(findings)
	if compared != nil {
		a.Found = append(a.Found, compared.CountSentence())
	}
	failed := []string{failedFitsWords(v), view.FailedDrawsSentence(v.Cells)}
	failed = append(failed, withTableNumbers(findings, func(f tableFindings) []string { return f.Excluded })...)
	failed = append(failed, v.GapSentences()...)
	a.Failed = strings.Join(view.Except(failed, ""), " ")
	return a
}

type tableFindings struct {
	table.Findings
	number string
}

// intervalMethods explains the intervals of the findings. If tables have different intervals, the numbers of the
// tables precede each explanation.
func intervalMethods(findings []tableFindings) (methods []string) {
	for _, f := range findings {
		methods = view.AddNew(methods, f.IntervalMethod)
	}
	if methods = view.Except(methods, ""); len(methods) < 2 {
		return methods
	}
	return withTableNumbers(findings, func(f tableFindings) []string { return []string{f.IntervalMethod} })
}

// withTableNumbers returns the sentences about all tables. If there are several tables, their numbers precede
// the sentences, as in "Table 2: SLB ...". Sentences that are the same for several tables appear once, as in
// "Tables 1 and 3, each: ...".
func withTableNumbers(findings []tableFindings, sentencesOf func(tableFindings) []string) (all []string) {
	text := func(f tableFindings) string { return strings.Join(sentencesOf(f), "\n") }
	for _, alike := range stats.Grouped(findings, text) {
		if text(alike[0]) == "" {
			continue
		}
		sentences := slices.Clone(sentencesOf(alike[0]))
		if len(findings) > 1 {
			sentences[0] = tableNumbers(alike) + ": " + sentences[0]
		}
		all = append(all, sentences...)
	}
	return all
}

// tableNumbers names the tables of some findings as the subject of a sentence: "Tables 1 and 3,
// each".
func tableNumbers(findings []tableFindings) string {
	if len(findings) == 1 {
		return "Table " + findings[0].number
	}
	var numbers []string
	for _, f := range findings {
		numbers = append(numbers, f.number)
	}
	return "Tables " + view.And(numbers) + ", each"
}

// questionWords describes the content of the study, as in "The test error of SLB, RF in 6 cells that vary n,
// with R = 100 replicates in each."
func questionWords(v *view.View, tables []Table) string {
	measure := v.ScoredRows(v.Cells) + " error"
	family := v.Compared(nil, v.Records.Classifiers)
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
	tried, failed := fitsOf(v)
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

// fitsOf returns the number of fits and the records of failed fits. Replicates whose data could not be drawn
// have no fits.
func fitsOf(v *view.View) (tried int, failed []*records.Record) {
	rows := v.Records.Rows
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
