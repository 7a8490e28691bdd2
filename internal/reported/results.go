// Package reported connects the packages for studies and reports. It describes studies, reads
// results, makes protocols and checks whether reports can be made.
package reported

import (
	"cmp"
	"fmt"
	"strings"

	"copse/experiments/published"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report"
	"copse/report/compare"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// Results holds the contents of a results folder that a report needs.
type Results struct {
	Source  *Study             // the study and the sections of its file
	Layout  report.Layout      // tables and figures of the report
	Records *results.Selection // records of the current version of the study
	Study   view.Study         // description of Source for readers
	Papers  *compare.Options   // published numbers paired with our results; nil if there are none
}

// Read reads everything that a report needs from a results folder: the study, the records,
// predictions and published numbers.
func Read(f *results.Folder) (*Results, error) {
	s, err := Sections(f.Study) // the study with the tables and figures of its report and the published tables
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
		r.Records.Notes = append(r.Records.Notes, fmt.Sprintf("curves omit %s without stored predictions; copse run "+
			"computes them", view.Plural(lacking, "result", "results")))
	}
	r.Study.Missing = missing(f.Study, r.Records.Rows)
	var notes []string
	r.Papers, notes = comparisonOf(s, r.Records.Records, r.Study) // pairs each published number with our result
	r.Records.Notes = append(r.Records.Notes, notes...)
	return r, nil
}

// missing returns the cells with missing results and the number of missing results in each. Results
// are missing after an interrupted run, or before all shards are merged.
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

// comparisonOf pairs the numbers of published tables with our results, after the treatment of
// failed fits. all is nil if there are no pairs. notes contains a note on each table without pairs.
func comparisonOf(s *Study, rows *records.Records, described view.Study) (all *compare.Options, notes []string) {
	if len(s.Tables) == 0 {
		return nil, nil
	}
	v := s.Layout.View(described, rows)
	treated := v.TreatFailuresInEach(v.Cells)
	// resampling returns a cell's ratio of test rows to training rows and its number of folds.
	resampling := func(cell string) (float64, int) { return v.Sampling[cell].TestRatio, v.Sampling[cell].Folds }
	all = &compare.Options{Test: published.Test(s.Study)}
	var sources, tableOf []string // tableOf[k] is the name of the table of all.Pairs[k]
	for i, t := range s.Tables {
		source := cmp.Or(t.Source, t.File)
		sources = append(sources, source)
		pairs, missing := t.Counterparts(v.Cells, treated, resampling)
		if len(pairs) == 0 {
			notes = append(notes, fmt.Sprintf("no row of %s matches the levels and classifier of any result; "+
				"run copse check for a list of unknown levels and classifiers", t.File))
		}
		for _, p := range pairs {
			all.Pairs = append(all.Pairs, p)
			tableOf = append(tableOf, fmt.Sprintf("%d. %s, %s", i+1, source, p.Metric.Label))
		}
		all.Missing = append(all.Missing, missing...)
		all.Variants = append(all.Variants, t.Without...) // factors that are not in the paper
		all.Accuracy = all.Accuracy || t.IsAccuracy()
	}
	if len(all.Pairs) == 0 {
		return nil, notes
	}
	if needSeparateRanks(all.Pairs, tableOf) {
		for k := range all.Pairs {
			levels := all.Pairs[k].Levels.Map()
			levels[compare.TableFactor] = tableOf[k]
			all.Pairs[k].Levels = records.LevelsOf(levels)
		}
	}
	all.Source = strings.Join(sources, " and ")
	return all, notes
}

// needSeparateRanks reports whether each published table needs its own ranks. Separate ranks are
// needed if two tables contain numbers for the same cell, either for the same classifier or in
// different metrics.
//
// tableOf[k] is the name of the table of pairs[k].
func needSeparateRanks(pairs []verdicts.Counterpart, tableOf []string) bool {
	for i, p := range pairs {
		for k, q := range pairs {
			inTwoTables := p.Cell == q.Cell && tableOf[i] != tableOf[k]
			if inTwoTables && (p.Classifier == q.Classifier || p.Metric != q.Metric) {
				return true
			}
		}
	}
	return false
}
