package reported

import (
	"cmp"
	"fmt"
	"strings"

	"copse/experiments/published"
	"copse/report/compare"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

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
