package reported

import (
	"fmt"
	"slices"

	"copse/classifiers"
	"copse/experiments/study"
	"copse/stats/metrics"
	"copse/stats/records"
)

// rehearsed is the number of replicates of a rehearsal: enough for a standard
// deviation, and a whole task where there are folds.
const rehearsed = 2

// rehearsal makes up records of a study, in which every fit succeeded and no two
// classifiers of a cell are equal; cells share data where they will: what a report
// needs of the design can be asked of them before anything runs. Nobody sees their
// numbers.
func rehearsal(s *study.Study) *records.Records {
	r := &records.Records{Study: s.Name, Factors: s.Factors, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}
	for _, c := range s.Cells {
		replicates := min(s.Replicates, max(rehearsed, c.Data.Folds))
		for replicate := 1; replicate <= replicates; replicate++ {
			for _, e := range c.Classifiers {
				r.Rows = append(r.Rows, madeUp(r, c, replicate, e))
			}
		}
	}
	r.Sort()
	return r
}

// madeUp is a record of an entry, without metrics that it is known not to give.
func madeUp(r *records.Records, c *study.Cell, replicate int, e study.Entry) records.Record {
	place := slices.Index(r.Classifiers, e.ID)
	classes := max(c.Data.Classes(), 2)
	rows := len(r.Classifiers) + 3 // of each class
	wrong := place + (replicate*(place+1))%3
	confusion := make(metrics.Confusion, classes*classes)
	for k := range classes {
		confusion[k*classes+k] = rows - wrong
		confusion[k*classes+(k+1)%classes] = wrong
	}
	row := records.Record{Cell: c.ID, Levels: c.Levels, Replicate: replicate, Classifier: r.Classifiers[place], Status: records.OK,
		NTest: confusion.Rows(), Errors: confusion.Errors(), Confusion: confusion, Data: fmt.Sprintf("%s, replicate %d", c.Key, replicate)}
	row.Error = metrics.ErrorRate.FromCounts(confusion)
	row.BER = metrics.BalancedError.FromCounts(confusion)
	row.Fit, row.Predict, row.Peak = 1+row.Error, row.Error, 1
	row.Metrics = map[string]float64{}
	spec, builtin := classifiers.Lookup(e.Name)
	mute := builtin && !spec.Probabilities && e.Preparation.Probabilities == ""
	for _, name := range r.Metrics {
		if m, err := metrics.Lookup(name); err != nil || m.Needs != metrics.Probabilities || !mute {
			row.Metrics[name] = row.Error
		}
	}
	return row
}
