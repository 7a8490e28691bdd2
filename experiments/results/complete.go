package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/experiments/trial"
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
		path := filepath.Join(dir, folder.Predictions, c.ID+predictionSuffix)
		err := readBlocks(path, func(b block) error {
			spec := specs[b.classifier]
			row, known := l.Row(c.ID, b.replicate, b.classifier, spec)
			if !known || row.Status != records.OK || recipeDigest(spec) != b.recipe {
				return nil
			}
			if added, err := addLacking(&row, &b, c.Data.ClassNames(), s.Metrics); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			} else if !added {
				return nil
			}
			return each(&trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: b.replicate, Data: row.Data, NTest: row.NTest, Results: []records.Record{row}})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addLacking sets what a result lacks of the metrics that are asked for, in classes of the
// given names.
func addLacking(row *records.Record, b *block, classes, asked []string) (added bool, err error) {
	lacking := slices.DeleteFunc(slices.Clone(asked), func(name string) bool { _, there := row.Metrics[name]; return there })
	if len(lacking) == 0 {
		return false, nil
	}
	p, err := b.predictions()
	if err != nil {
		return false, err
	}
	values := p.Metrics(lacking, classes)
	added = len(values) > 0
	if added {
		maps.Copy(values, row.Metrics)
		row.Metrics = values
	}
	return added, nil
}
