// Package reported prepares studies and their results for reports.
package reported

import (
	"fmt"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report"
	"copse/report/compare"
	"copse/report/view"
	"copse/stats/records"
)

// Results holds the contents of a results folder that a report needs.
type Results struct {
	Source  *Study             // the study and the sections of its file
	Layout  report.Layout      // tables and figures of the report
	Records *results.Selection // records of the current version of the study
	Study   view.Study         // description of Source for readers
	Papers  *compare.Options   // published numbers paired with our results; nil if there are none
}

// Read reads everything that a report needs from a results folder.
func Read(f *results.Folder) (*Results, error) {
	s, err := Sections(f.Study)
	if err != nil {
		return nil, err
	}
	r := &Results{Source: s, Layout: s.Layout, Records: f.Records()}
	r.Study = describeStudy(s, f, r.Records)
	if s.Predictions {
		kept := &keptPredictions{folder: f, rows: r.Records, cells: map[string][]storedFit{}}
		r.Study.Predictions = kept.each
	}
	// If predictions cannot be read, only the figures that need them fail.
	if lacking, err := f.LackPredictions(r.Records); err == nil && lacking > 0 {
		r.Records.Notes = append(r.Records.Notes, fmt.Sprintf("curves omit %s whose predictions are not stored; copse "+
			"run computes them", view.Plural(lacking, "result", "results")))
	}
	r.Study.Missing = missing(f.Study, r.Records.Rows)
	var notes []string
	r.Papers, notes = comparisonOf(s, r.Records.Records, r.Study)
	r.Records.Notes = append(r.Records.Notes, notes...)
	return r, nil
}

// missing returns the cells with missing results and the number of missing results in each.
func missing(s *study.Study, rows []records.Record) (list []view.Missing) {
	stored := map[string]int{} // number of results, keyed by cell
	for i := range rows {
		if rows[i].Replicate <= s.Replicates {
			stored[rows[i].Cell]++
		}
	}
	for _, c := range s.Cells {
		if n := s.Replicates*len(c.Classifiers) - stored[c.ID]; n > 0 {
			list = append(list, view.Missing{Levels: c.Levels, Results: n})
		}
	}
	return list
}
