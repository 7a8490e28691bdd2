package page

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// answers head the page: what was asked, what was found, what could not be shown, what failed.
type answers struct {
	Asked  string
	Found  []string
	Method []string // what the intervals are
	Open   []string // what could not be shown
	Failed string
}

func answersOf(v *view.View, tables []printedTable, compared []Comparison) answers {
	a := answers{Asked: asked(v, tables)}
	failed := []string{failedWords(v)}
	for _, t := range tables {
		f := t.Findings()
		a.Found = append(a.Found, t.said(f.Found, len(tables))...)
		if f.Intervals != "" {
			a.Method = view.AddNew(a.Method, f.Intervals)
		}
		a.Open = append(a.Open, t.said(f.Open, len(tables))...)
		failed = append(failed, t.said(f.SetAside, len(tables))...)
	}
	a.Failed = strings.TrimSpace(strings.Join(failed, " ") + " " + v.Lacking())
	for _, c := range compared {
		first, _, _ := strings.Cut(c.Findings(), ";")
		a.Found = append(a.Found, first+".")
	}
	return a
}

// said returns sentences on the table, the first one with its number where there are several.
func (t *printedTable) said(sentences []string, tables int) []string {
	if len(sentences) == 0 || tables == 1 {
		return sentences
	}
	number, _, _ := strings.Cut(t.Heading, ".")
	list := slices.Clone(sentences)
	list[0] = number + ": " + list[0]
	return list
}

// asked says which classifiers are compared by what, where and how often.
func asked(v *view.View, tables []printedTable) string {
	measure := "test error"
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

// failedWords counts the failed fits by classifier.
func failedWords(v *view.View) string {
	count := map[string]int{}
	total := 0
	for i := range v.Records.Rows {
		if r := &v.Records.Rows[i]; r.Status != records.OK {
			count[r.Classifier]++
			total++
		}
	}
	if total == 0 {
		return fmt.Sprintf("Nothing: all %s succeeded.", view.Plural(len(v.Records.Rows), "fit", "fits"))
	}
	var parts []string
	for _, id := range v.Records.Classifiers {
		if count[id] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v.Label(id), count[id]))
		}
	}
	fits := view.Plural(len(v.Records.Rows), "fit", "fits")
	return fmt.Sprintf("%d of %s: %s.", total, fits, strings.Join(parts, ", "))
}
