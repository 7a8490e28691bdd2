package cli

import (
	"fmt"
	"io"
	"unicode/utf8"

	"copse/experiments/cluster"
	"copse/report/view"
	"copse/stats/records"
)

// Bounds of the printed failures; the records have all of them.
const (
	failureGroupsShown = 20
	messageShown       = 200 // characters
)

// printFailures prints the failed fits of a results folder, grouped by classifier and cause, with
// the command that repeats the first fit of each group.
func printFailures(out io.Writer, dir string, failed []records.Record) {
	groups := records.GroupFailures(failed)
	for _, g := range groups[:min(len(groups), failureGroupsShown)] {
		first := g.Rows[0]
		fmt.Fprintf(out, "failed: %s, %s: %s\n", g.Classifier, view.Plural(len(g.Rows), "fit", "fits"),
			cut(g.Message, messageShown))
		fmt.Fprintf(out, "  to repeat the first: copse repro %s %s/%d/%s\n", cluster.Word(dir), first.Cell,
			first.Replicate, first.Classifier)
	}
	if more := len(groups) - failureGroupsShown; more > 0 {
		fmt.Fprintf(out, "and failures with %d other messages; the records have all\n", more)
	}
}

// cut shortens a text to at most most characters, the last of which are then dots.
func cut(text string, most int) string {
	const dots = "..."
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-len(dots)]) + dots
}
