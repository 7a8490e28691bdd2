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

// comparisonOf pairs the numbers of the study's published tables with our results in rows, after the
// treatment of failed fits. Without pairs, o is nil. notes contains a note on each table without
// pairs.
func comparisonOf(s *Study, rows *records.Records, described view.Study) (o *compare.Options, notes []string) {
	if len(s.Tables) == 0 {
		return nil, nil
	}
	v := s.Layout.View(described, rows)
	treated := v.TreatFailuresInEach(v.Cells)
	// resampling returns a cell's ratio of test rows to training rows and its number of folds.
	resampling := func(cell string) (float64, int) { return v.Sampling[cell].TestRatio, v.Sampling[cell].Folds }
	o = &compare.Options{Test: published.Test(s.Study)}
	var sources, tableOf []string // tableOf[k] is the name of the table of o.Pairs[k]
	for i, t := range s.Tables {
		pairs, missing := t.Counterparts(v.Cells, treated, resampling)
		if len(pairs) == 0 {
			notes = append(notes, fmt.Sprintf("no row of %s matches the levels and classifier of any result; "+
				"run copse check for a list of unknown levels and classifiers", t.File))
		}
		source := cmp.Or(t.Source, t.File)
		sources = append(sources, source)
		for _, p := range pairs {
			tableOf = append(tableOf, fmt.Sprintf("%d. %s, %s", i+1, source, p.Metric.Label))
		}
		o.Pairs = append(o.Pairs, pairs...)
		o.Missing = append(o.Missing, missing...)
		o.ExtraFactors = append(o.ExtraFactors, t.ExtraFactors...)
		o.Accuracy = o.Accuracy || t.IsAccuracy()
	}
	if len(o.Pairs) == 0 {
		return nil, notes
	}
	if needSeparateRanks(o.Pairs, tableOf) { // pairs with different factor levels are ranked separately
		addTableFactor(o.Pairs, tableOf)
	}
	o.Source = strings.Join(sources, " and ")
	return o, notes
}

// addTableFactor adds compare.TableFactor to the factors of each pair. The level of pairs[k] is
// tableOf[k], the name of its table. Ranks are then computed within tables.
func addTableFactor(pairs []verdicts.Counterpart, tableOf []string) {
	for k := range pairs {
		levels := pairs[k].Levels.Map()
		levels[compare.TableFactor] = tableOf[k]
		pairs[k].Levels = records.LevelsOf(levels)
	}
}

// needSeparateRanks reports whether each published table needs its own ranks, because two tables
// contain numbers for the same cell, either for the same classifier or in different metrics.
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
