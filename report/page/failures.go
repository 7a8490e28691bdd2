package page

import (
	"cmp"
	"fmt"

	"copse/report/view"
	"copse/stats/records"
)

// A failure is one failed fit with the command that repeats it.
type failure struct {
	Classifier, Where, Message, Command string
	Replicate                           int
}

// failuresShown bounds the list on the page; the records hold all.
const failuresShown = 200

// failures lists the failed fits.
func failures(v *view.View, p *printed) {
	total := 0
	for _, c := range v.Trials {
		for _, row := range c.Rows {
			if row.Status == records.OK {
				continue
			}
			if total++; total > failuresShown {
				continue
			}
			p.Failures = append(p.Failures, failure{
				Classifier: v.Label(row.Classifier),
				Where:      cmp.Or(v.InWords(v.FactorNames(), c.Levels), "the only cell"),
				Message:    row.Message,
				Replicate:  row.Replicate,
				Command:    fmt.Sprintf("copse repro %s %s/%d/%s", cmp.Or(v.Results, v.Name), row.Cell, row.Replicate, row.Classifier),
			})
		}
	}
	p.FailureWords = fmt.Sprintf("%d of %s failed.", total, view.Plural(len(v.Records.Rows), "fit", "fits"))
	if total > failuresShown {
		p.FailureWords += fmt.Sprintf(" The first %d are listed; records.csv has all.", failuresShown)
	}
}
