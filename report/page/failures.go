package page

import (
	"cmp"
	"fmt"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// A failure is the failed fits of one classifier with one message, and the command
// that repeats the first.
type failure struct {
	Classifier, Where, Message, Command string
	Fits                                int
}

// Bounds of what is shown of failures; the records hold all.
const (
	failuresShown = 50
	cellsShown    = 3   // of one failure
	messageShown  = 600 // characters
)

// failures lists the failed fits by message.
func failures(v *view.View, p *printed) {
	groups := records.GroupFailures(v.Records.Rows)
	total := 0
	for i, g := range groups {
		total += len(g.Rows)
		if i >= failuresShown {
			continue
		}
		first := g.Rows[0]
		p.Failures = append(p.Failures, failure{
			Classifier: v.Label(g.Classifier),
			Where:      failedWhere(v, g),
			Message:    shortened(g.Message),
			Fits:       len(g.Rows),
			Command: fmt.Sprintf("copse repro %s %s/%d/%s",
				cmp.Or(v.Results, v.Name), first.Cell, first.Replicate, first.Classifier),
		})
	}
	p.FailureWords = fmt.Sprintf("%d of %s failed.", total, view.Plural(len(v.Records.Rows), "fit", "fits"))
	if len(groups) > failuresShown {
		p.FailureWords += fmt.Sprintf(" The %d most frequent of %d reasons are listed; records.csv has all.",
			failuresShown, len(groups))
	}
}

// failedWhere names the cells of a failure with the replicates.
func failedWhere(v *view.View, g *records.FailureGroup) string {
	var cells []string
	replicates := map[string][]int{}
	levels := map[string]records.Levels{}
	for _, r := range g.Rows {
		if replicates[r.Cell] == nil {
			cells = append(cells, r.Cell)
		}
		replicates[r.Cell] = append(replicates[r.Cell], r.Replicate)
		levels[r.Cell] = r.Levels
	}
	var parts []string
	for i, cell := range cells {
		if i == cellsShown {
			parts = append(parts, "and "+view.Plural(len(cells)-i, "other cell", "other cells"))
			break
		}
		words := "replicate"
		if len(replicates[cell]) > 1 {
			words = "replicates"
		}
		where := cmp.Or(v.InWords(v.FactorNames(), levels[cell]), "the only cell")
		numbers := strings.ReplaceAll(records.Ranges(replicates[cell]), ",", ", ")
		parts = append(parts, fmt.Sprintf("%s (%s %s)", where, words, numbers))
	}
	return strings.Join(parts, "; ")
}

// shortened cuts a message that quotes more than anyone reads here.
func shortened(message string) string {
	if runes := []rune(message); len(runes) > messageShown {
		return string(runes[:messageShown]) + "…"
	}
	return message
}
