package results

import (
	"maps"
	"slices"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/metrics"
	"copse/stats/records"
)

// CompleteMetrics yields the trials whose results lack metrics that the study asks for and
// that the predictions determine, with these metrics.
func CompleteMetrics(dir string, s *study.Study, l *Ledger, each func(*trial.Trial) error) error {
	if len(s.Metrics) == 0 {
		return nil
	}
	for _, c := range s.Cells {
		specs := map[string]string{}
		for _, e := range c.Classifiers {
			specs[e.ID] = e.Spec
		}
		find := func(replicate int, classifier, recipe string) (records.Record, bool) {
			row, known := l.Row(c.ID, replicate, classifier, specs[classifier])
			return row, known && row.Status == records.OK && recipeDigest(row.Spec) == recipe
		}
		err := readKept(dir, c.ID, find, func(row records.Record, p *metrics.Predictions) error {
			if !addLacking(&row, p, c.Data.ClassNames(), s.Metrics) {
				return nil
			}
			return each(&trial.Trial{
				Cell: c.ID, Levels: c.Levels, Replicate: row.Replicate, Data: row.Data, NTest: row.NTest,
				Results: []records.Record{row},
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addLacking sets what a result lacks of the metrics that are asked for, in classes of the
// given names.
func addLacking(row *records.Record, p *metrics.Predictions, classes, asked []string) (added bool) {
	lacking := slices.DeleteFunc(slices.Clone(asked), func(name string) bool { _, there := row.Metrics[name]; return there })
	if len(lacking) == 0 {
		return false
	}
	values := p.Metrics(lacking, classes)
	added = len(values) > 0
	if added {
		maps.Copy(values, row.Metrics)
		row.Metrics = values
	}
	return added
}
