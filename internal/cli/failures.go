package cli

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

	"copse/experiments/cluster"
	"copse/stats/records"
)

// failureGroup is the failures of one classifier with one message, but for the
// numbers in it.
type failureGroup struct {
	classifier, message string // of the first
	first               string // its key, as copse repro takes it
	n                   int
}

var digits = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)

// groupFailures groups failed fits by classifier and message, the largest group
// first.
func groupFailures(rows []records.Record) []*failureGroup {
	var list []*failureGroup
	at := map[[2]string]*failureGroup{}
	for _, r := range rows {
		if r.Status != records.Failed {
			continue
		}
		key := [2]string{r.Classifier, digits.ReplaceAllString(r.Message, "#")}
		if at[key] == nil {
			at[key] = &failureGroup{classifier: r.Classifier, message: r.Message, first: fmt.Sprintf("%s/%d/%s", r.Cell, r.Replicate, r.Classifier)}
			list = append(list, at[key])
		}
		at[key].n++
	}
	slices.SortStableFunc(list, func(a, b *failureGroup) int { return cmp.Compare(b.n, a.n) })
	return list
}

// Bounds of what is printed of failures; the records hold all.
const (
	failureGroupsShown = 20
	messageShown       = 200 // characters
)

func printFailures(out io.Writer, dir string, rows []records.Record) {
	groups := groupFailures(rows)
	for i, g := range groups {
		if i == failureGroupsShown {
			fmt.Fprintf(out, "and failures with %d other messages; the records have all\n", len(groups)-i)
			return
		}
		fmt.Fprintf(out, "failed: %s, %d fits: %s\n  the first: copse repro %s %s\n", g.classifier, g.n, shortened(g.message), cluster.Word(dir), g.first)
	}
}

// shortened cuts a message that would pour what it quotes over the screen.
func shortened(message string) string {
	if utf8.RuneCountInString(message) <= messageShown {
		return message
	}
	return string([]rune(message)[:messageShown]) + "..."
}
