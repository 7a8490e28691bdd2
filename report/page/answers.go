package page

import (
	"fmt"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// answers head the page: what was asked, what was found, what failed.
type answers struct {
	Asked  string
	Found  []string
	Failed string
}

func answersOf(v *view.View, tables []Table, compared []Comparison) answers {
	a := answers{Asked: asked(v, tables), Failed: strings.TrimSpace(failedWords(v) + " " + v.Lacking())}
	said, test := false, "" // what the last words were about
	for _, t := range tables {
		words := t.Table.Findings(said && test == t.Test)
		if words == "" {
			continue
		}
		said, test = true, t.Test
		if len(tables) > 1 {
			words = t.Title + ": " + words
		}
		a.Found = append(a.Found, words)
	}
	for _, c := range compared {
		first, _, _ := strings.Cut(c.Findings(), ";")
		a.Found = append(a.Found, first+".")
	}
	return a
}

// asked says which classifiers are compared by what, where and how often.
func asked(v *view.View, tables []Table) string {
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
		return fmt.Sprintf("Nothing: %s ended with a rule.", view.Plural(len(v.Records.Rows), "fit", "fits"))
	}
	var parts []string
	for _, id := range v.Records.Classifiers {
		if count[id] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v.Label(id), count[id]))
		}
	}
	return fmt.Sprintf("%d of %s: %s.", total, view.Plural(len(v.Records.Rows), "fit", "fits"), strings.Join(parts, ", "))
}
