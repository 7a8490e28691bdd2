package cli

import (
	"fmt"
	"io"
	"unicode/utf8"

	"copse/experiments/cluster"
	"copse/report/view"
	"copse/stats/records"
)

// Bounds of what is printed of failures; the records hold all.
const (
	failureGroupsShown = 20
	messageShown       = 200 // characters
)

func printFailures(out io.Writer, dir string, rows []records.Record) {
	groups := records.GroupFailures(rows)
	for i, g := range groups {
		if i == failureGroupsShown {
			fmt.Fprintf(out, "and failures with %d other messages; the records have all\n", len(groups)-i)
			return
		}
		first := g.Rows[0]
		fmt.Fprintf(out, "failed: %s, %s: %s\n", g.Classifier, view.Plural(len(g.Rows), "fit", "fits"),
			shortened(g.Message))
		fmt.Fprintf(out, "  the first: copse repro %s %s/%d/%s\n", cluster.Word(dir), first.Cell, first.Replicate,
			first.Classifier)
	}
}

// shortened cuts a message that would pour what it quotes over the screen.
func shortened(message string) string {
	if utf8.RuneCountInString(message) <= messageShown {
		return message
	}
	return string([]rune(message)[:messageShown]) + "..."
}
