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

// failedWords counts failed fits and draws, as in "3 fits and 6 draws of data".
func failedWords(failed []records.Record) string {
	var parts []string
	fits, draws := records.Failures(failed)
	if len(fits) > 0 {
		parts = append(parts, view.Plural(len(fits), "fit", "fits"))
	}
	if len(draws) > 0 {
		parts = append(parts, drawsWords(draws))
	}
	return view.And(parts)
}

func drawsWords(draws []*records.Record) string {
	return view.Plural(len(draws), "draw of data", "draws of data")
}

// printFailures prints the failures of a results folder in groups (see records.GroupFailures), each
// with a command that repeats its first failure.
func printFailures(out io.Writer, dir string, failed []records.Record) {
	groups := records.GroupFailures(failed)
	for _, g := range groups[:min(len(groups), failureGroupsShown)] {
		first := g[0]
		subject, unit := first.Classifier+", "+view.Plural(len(g), "fit", "fits"), "fit"
		if first.Cause == records.NotDrawn {
			subject, unit = drawsWords(g), "draw"
		}
		fmt.Fprintf(out, "failed: %s: %s\n", subject, truncate(first.Message, messageShown))
		fmt.Fprintf(out, "  to repeat the first failed %s: copse repro %s %s/%d/%s\n", unit,
			cluster.ShellWord(dir), first.Cell, first.Replicate, first.Classifier)
	}
	if more := len(groups) - failureGroupsShown; more > 0 {
		fmt.Fprintf(out, "failures with %d other error messages are not shown; the records contain all failures\n",
			more)
	}
}

// truncate shortens a text to at most the given number of characters, the last three of which are
// dots.
func truncate(text string, most int) string {
	const dots = "..."
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-len(dots)]) + dots
}
