package report

import (
	"fmt"

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
func (s *source) failures(p *view) {
	total := 0
	for _, c := range s.trials {
		for _, row := range c.Rows {
			if row.Status == records.OK {
				continue
			}
			if total++; total > failuresShown {
				continue
			}
			p.Failures = append(p.Failures, failure{
				Classifier: s.label(row.Classifier),
				Where:      orElse(s.describe(s.factorNames(), c.Levels), "the only cell"),
				Message:    row.Message,
				Replicate:  row.Replicate,
				Command:    fmt.Sprintf("copse repro %s %s/%d/%s", orElse(s.Results, s.Name), row.Cell, row.Replicate, row.Classifier),
			})
		}
	}
	p.FailureWords = fmt.Sprintf("%d of %s failed.", total, plural(len(s.records.Rows), "fit", "fits"))
	if total > failuresShown {
		p.FailureWords += fmt.Sprintf(" The first %d are listed; records.csv has all.", failuresShown)
	}
}
