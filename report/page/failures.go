package page

import (
	"cmp"
	"fmt"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// A failure describes failed fits of one classifier, or failed draws of data, with the same cause.
type failure struct {
	Classifier string // label, or "draw of data"
	Fits       int    // or draws
	Message    string // of the first one
	Where      string // cells and replicates
	Command    string // repeats the first one
}

// Limits of the list of failures. The file records.csv contains all of them.
const (
	failuresShown = 50
	cellsListed   = 3   // for each failure
	messageShown  = 600 // characters
)

// failures returns the most frequent failures, and a sentence that counts all of them.
func failures(v *view.View) (list []failure, total string) {
	groups := records.GroupFailures(v.Records.Rows)
	tried, failed := fitsOf(v)
	total = fmt.Sprintf("%d of %s failed.", len(failed), view.Plural(tried, "fit", "fits"))
	total = strings.TrimSpace(total + " " + view.FailedDrawsSentence(v.Cells))
	if len(groups) > failuresShown {
		total += fmt.Sprintf(" The list contains the %d most frequent of %d causes; records.csv contains all failures.",
			failuresShown, len(groups))
	}
	for _, g := range groups[:min(len(groups), failuresShown)] {
		list = append(list, newFailure(v, g))
	}
	return list, total
}

// newFailure describes failures of one group (see records.GroupFailures).
func newFailure(v *view.View, rows []*records.Record) failure {
	first := rows[0]
	label := v.Label(first.Classifier)
	if first.Cause == records.NotDrawn {
		label = "draw of data"
	}
	message := first.Message
	if runes := []rune(message); len(runes) > messageShown {
		message = string(runes[:messageShown]) + "…"
	}
	return failure{
		Classifier: label,
		Fits:       len(rows),
		Message:    message,
		Where:      failedWhere(v, rows),
		Command: fmt.Sprintf("copse repro %s %s/%d/%s",
			cmp.Or(v.ResultsDir, v.Name), first.Cell, first.Replicate, first.Classifier),
	}
}

// failedWhere returns the first few cells of a failure with their replicates, as in "n = 200 (replicates 1-3); n
// = 400 (replicate 7)".
func failedWhere(v *view.View, failed []*records.Record) string {
	cells := stats.Grouped(failed, func(r *records.Record) string { return r.Cell })
	var parts []string
	for _, rows := range cells[:min(len(cells), cellsListed)] {
		var replicates []int
		for _, r := range rows {
			replicates = append(replicates, r.Replicate)
		}
		noun := "replicates"
		if len(replicates) == 1 {
			noun = "replicate"
		}
		where := cmp.Or(v.InWords(v.FactorNames(), rows[0].Levels), "the only cell")
		numbers := strings.ReplaceAll(records.Ranges(replicates), ",", ", ")
		parts = append(parts, fmt.Sprintf("%s (%s %s)", where, noun, numbers))
	}
	if others := len(cells) - cellsListed; others > 0 {
		parts = append(parts, "and "+view.Plural(others, "other cell", "other cells"))
	}
	return strings.Join(parts, "; ")
}
