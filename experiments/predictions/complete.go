package predictions

import (
	"maps"
	"math"
	"path/filepath"

	"copse/experiments/folder"
	"copse/experiments/ledger"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/metrics"
	"copse/stats/records"
)

// Complete yields the trials whose results lack metrics that the study asks for and
// that the predictions determine, with these metrics.
func Complete(dir string, s *study.Study, l *ledger.Ledger, each func(*trial.Trial) error) error {
	for _, c := range s.Cells {
		if len(s.Metrics) == 0 || !present(dir, c.ID) {
			continue
		}
		specs := map[string]string{}
		for _, e := range c.Classifiers {
			specs[e.ID] = e.Spec
		}
		path := filepath.Join(dir, folder.Predictions, c.ID+suffix)
		r, err := open(path)
		if err != nil {
			return err
		}
		for b, ok := r.next(); ok && err == nil; b, ok = r.next() {
			spec := specs[b.classifier]
			row, known := l.Row(c.ID, b.replicate, b.classifier, spec)
			if !known || row.Status != records.OK || Recipe(spec) != b.recipe {
				continue
			}
			var added bool
			if added, err = add(&row, &b, r.classes, c.Data.ClassNames(), s.Metrics); err == nil && added {
				err = each(&trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: b.replicate, Data: row.Data, NTest: row.NTest, Results: []records.Record{row}})
			}
		}
		r.Close()
		if err == nil {
			err = r.err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add sets what a result lacks of the metrics that are asked for, in classes of the
// given names.
func add(row *records.Record, b *block, classes int, names, asked []string) (added bool, err error) {
	var a *trial.Said
	values := maps.Clone(row.Metrics)
	for _, name := range asked {
		if _, there := values[name]; there {
			continue
		}
		if a == nil {
			if a, err = b.answer(classes); err != nil {
				return false, err
			}
		}
		m, err := metrics.Lookup(name)
		if err != nil {
			return false, err
		}
		if m, err = m.InClasses(names); err != nil {
			continue // a class of other cells
		}
		p := metrics.Predictions{Truth: a.Truth, Labels: a.Labels, Probabilities: a.Probabilities, Scores: a.Scores}
		if v := m.FromRows(&p); !math.IsNaN(v) {
			if values == nil {
				values = map[string]float64{}
			}
			values[name], added = v, true
		}
	}
	row.Metrics = values
	return added, nil
}
