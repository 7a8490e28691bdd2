package reported

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/study"
	"copse/report"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// Before a run, a report from made-up results shows whether the report can be made. These constants
// limit the number of results.
const (
	minReplicates = 2    // replicates per cell; two are enough for a standard deviation
	rowsPerClass  = 15   // test rows per class, enough for one bin of a reliability diagram
	maxCells      = 2000 // largest number of cells, see reduced
)

// reduced returns a smaller study if there are more than maxCells cells. Studies with published
// tables keep all cells, because any cell may have published numbers.
func (s *Study) reduced() *Study {
	if len(s.Cells) <= maxCells || len(s.Tables) > 0 {
		return s
	}
	kept := s.keptLevels()
	design := *s.Study
	design.Factors, design.Cells = nil, nil
	for _, f := range s.Factors {
		isDropped := func(level string) bool { return !slices.Contains(kept[f.Name], level) }
		levels := slices.DeleteFunc(slices.Clone(f.Levels), isDropped)
		design.Factors = append(design.Factors, records.Factor{Name: f.Name, Levels: levels})
	}
	for _, c := range s.Cells {
		if kept.Holds(c.Levels) {
			design.Cells = append(design.Cells, c)
		}
	}
	return &Study{Study: &design, Layout: s.Layout, Author: s.Author}
}

// keptLevels returns the levels of the cells that get made-up results: a few levels of each factor,
// and the levels that tables, figures and classifiers need.
func (s *Study) keptLevels() records.Condition {
	kept := records.Condition{} // levels, keyed by factor
	n := firstLevels(s.Factors)
	for _, f := range s.Factors {
		kept[f.Name] = slices.Concat(f.Levels[:min(n, len(f.Levels))], []string{""}) // "" for cells without the factor
	}
	keep := func(where records.Condition) {
		for factor, levels := range where {
			kept[factor] = append(kept[factor], levels...)
		}
	}
	for _, o := range s.Layout.Tables {
		keep(o.Where)
	}
	for _, o := range s.Layout.Figures {
		keep(o.Where)
	}
	hasCell := map[string]bool{} // classifiers whose first cell has been kept
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if hasCell[e.ID] {
				continue
			}
			hasCell[e.ID] = true
			for factor, level := range c.Levels.Map() {
				kept[factor] = append(kept[factor], level)
			}
		}
	}
	return kept
}

// firstLevels returns the largest number n for which the first n levels of each factor give at most
// maxCells combinations. If even two levels of each factor give more, it returns 2.
func firstLevels(factors []records.Factor) int {
	for n := maxCells; n > 2; n-- {
		combinations := 1
		for _, f := range factors {
			combinations = min(combinations*min(n, len(f.Levels)), maxCells+1) // avoids overflow
		}
		if combinations <= maxCells {
			return n
		}
	}
	return 2
}

// rehearse makes the report of the study from made-up results. It returns an error if a table or
// figure cannot be made.
func (s *Study) rehearse() (*report.Report, error) {
	s = s.reduced()
	rows, described := madeUpRecords(s.Study), madeUpStudy(s.Study)
	papers, _ := comparisonOf(s, rows, described)
	made, err := report.Make(described, rows, s.Layout, papers)
	if err != nil {
		return nil, err
	}
	return made, s.MissingError(made.Missing)
}

// madeUpReplicates returns the number of made-up replicates of a cell. A cross-validation has one
// for each fold, unless the study has fewer replicates.
func madeUpReplicates(s *study.Study, c *study.Cell) int {
	return min(s.Replicates, max(minReplicates, c.Data.Folds))
}

// madeUpRecords returns made-up records of successful fits. Cells share data as in a real run.
func madeUpRecords(s *study.Study) *records.Records {
	r := &records.Records{Study: s.Name, Factors: s.Factors, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}
	for _, c := range s.Cells {
		for replicate := 1; replicate <= madeUpReplicates(s, c); replicate++ {
			for _, e := range c.Classifiers {
				r.Rows = append(r.Rows, madeUpRecord(r, c, replicate, e))
			}
		}
	}
	r.Sort()
	return r
}

// madeUpStudy describes a study for a report on made-up results. It provides predictions if the
// study stores them.
func madeUpStudy(s *study.Study) view.Study {
	d := describeDesign(s, nil)
	d.Rehearsal = true
	if !s.Predictions {
		return d
	}
	d.Predictions = func(cell string, receive eachPrediction) error {
		return eachMadeUp(s, s.Cell(cell), receive)
	}
	return d
}

// An eachPrediction is called with the predictions of each fit. If it returns an error, it is not
// called again.
type eachPrediction = func(replicate int, classifier string, p *metrics.Predictions) error

// eachMadeUp calls receive with made-up predictions for each replicate and classifier of a cell. It
// stops at the first error.
func eachMadeUp(s *study.Study, c *study.Cell, receive eachPrediction) error {
	for replicate := 1; replicate <= madeUpReplicates(s, c); replicate++ {
		for _, e := range c.Classifiers {
			if err := receive(replicate, e.ID, madeUpPredictions(c, e)); err != nil {
				return err
			}
		}
	}
	return nil
}

// madeUpPredictions returns made-up predictions of a classifier. Rows of each class get all labels
// about equally often, so that all metrics are defined.
func madeUpPredictions(c *study.Cell, e study.Entry) *metrics.Predictions {
	classes := max(c.Data.Classes(), 2)
	p := &metrics.Predictions{}
	for k := range rowsPerClass * classes {
		p.Truth = append(p.Truth, k%classes)
		p.Labels = append(p.Labels, (k+k/classes)%classes)
	}
	p.Scores = mat.NewDense(len(p.Labels), classes, nil)
	if !e.LacksProbabilities() {
		p.Probabilities = mat.NewDense(len(p.Labels), classes,
			slices.Repeat([]float64{1 / float64(classes)}, len(p.Labels)*classes))
	}
	return p
}

// madeUpRecord returns a made-up record of the classifier e in a cell. All metrics equal the error
// rate, but a classifier without probabilities lacks the metrics that need them.
func madeUpRecord(r *records.Records, c *study.Cell, replicate int, e study.Entry) records.Record {
	confusion := madeUpConfusion(r, c, replicate, e.ID)
	row := records.Record{
		Cell:       c.ID,
		Levels:     c.Levels,
		Replicate:  replicate,
		Classifier: e.ID,
		Status:     records.OK,
		NTest:      confusion.Rows(),
		Errors:     confusion.Errors(),
		Error:      metrics.ErrorRate.FromCounts(confusion),
		BER:        metrics.BalancedError.FromCounts(confusion),
		Confusion:  confusion,
		Data:       fmt.Sprintf("%s, replicate %d", c.Key, replicate),
		Metrics:    map[string]float64{},
	}
	row.Fit, row.Predict, row.Peak = 1+row.Error, row.Error, 1 // arbitrary positive values
	if e.Tuning != nil {
		row.Tuned = records.Tuned{Values: e.Tuning.Values[0], Metric: e.Tuning.Metric.Name, Candidates: 1}.String()
	}
	for _, name := range r.Metrics {
		m, err := metrics.Lookup(name)
		isMissing := err == nil && m.Needs == metrics.Probabilities && e.LacksProbabilities()
		if !isMissing {
			row.Metrics[name] = row.Error
		}
	}
	return row
}

// madeUpConfusion returns a made-up confusion matrix. Some rows of each class k are predicted as
// class k+1, depending on the classifier and the replicate.
func madeUpConfusion(r *records.Records, c *study.Cell, replicate int, classifier string) metrics.Confusion {
	i := slices.Index(r.Classifiers, classifier)
	wrong := i + (replicate*(i+1))%3
	rows := len(r.Classifiers) + 3 // more than wrong
	classes := max(c.Data.Classes(), 2)
	confusion := make(metrics.Confusion, classes*classes)
	for k := range classes {
		confusion[k*classes+k] = rows - wrong
		confusion[k*classes+(k+1)%classes] = wrong
	}
	return confusion
}
