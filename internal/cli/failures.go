package cli

import (
	"fmt"
	"io"
	"unicode/utf8"

	"copse/experiments/cluster"
	"copse/report/view"
	"copse/stats/records"
)

// These constants limit the printed list of failures.
const (
	failureGroupsShown = 20
	messageShown       = 200 // characters
)

// printFailures prints the failed fits of a results folder, grouped by classifier and cause. Each
// group comes with a command that repeats its first fit.
func printFailures(out io.Writer, dir string, failed []records.Record) {
	groups := records.GroupFailures(failed)
	for _, g := range groups[:min(len(groups), failureGroupsShown)] {
		first := g[0]
		fmt.Fprintf(out, "failed: %s, %s: %s\n", first.Classifier, view.Plural(len(g), "fit", "fits"),
			truncate(first.Message, messageShown))
		fmt.Fprintf(out, "  to repeat the first failed fit: copse repro %s %s/%d/%s\n",
			cluster.ShellWord(dir), first.Cell, first.Replicate, first.Classifier)
	}
	if more := len(groups) - failureGroupsShown; more > 0 {
		fmt.Fprintf(out, "failures with %d other error messages are not shown; the records contain all failures\n",
			more)
	}
}

// truncate shortens a text to at most the given number of characters. A shortened text ends with
// three dots.
func truncate(text string, most int) string {
	const dots = "..."
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-len(dots)]) + dots
}
