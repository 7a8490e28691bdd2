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

// A rehearsal is a report of made-up results. It shows before a run whether the report can be made.
const (
	rehearsed     = 2    // number of replicates, enough for a standard deviation; with folds, all folds
	rehearsedRows = 15   // number of made-up test rows per class, enough for a bin of a reliability diagram
	mostRehearsed = 2000 // largest number of cells; a larger design keeps fewer levels of each factor
)

// part returns the study to rehearse. In a large design it keeps the first levels of each factor,
// the levels that a table or figure names, and the levels of one cell of each classifier.
func (s *Study) part() *Study {
	if len(s.Cells) <= mostRehearsed || len(s.Tables) > 0 {
		return s
	}
	kept := s.levelsOfPart()
	design := *s.Study
	design.Factors, design.Cells = nil, nil
	for _, f := range s.Factors {
		dropped := func(level string) bool { return !slices.Contains(kept[f.Name], level) }
		levels := slices.DeleteFunc(slices.Clone(f.Levels), dropped)
		design.Factors = append(design.Factors, records.Factor{Name: f.Name, Levels: levels})
	}
	for _, c := range s.Cells {
		if kept.Holds(c.Levels) {
			design.Cells = append(design.Cells, c)
		}
	}
	return &Study{Study: &design, Layout: s.Layout, Author: s.Author}
}

// levelsOfPart returns the levels that part keeps, by factor.
func (s *Study) levelsOfPart() records.Condition {
	kept := records.Condition{}
	keep := func(levels records.Condition) {
		for factor, list := range levels {
			kept[factor] = slices.Concat(kept[factor], list)
		}
	}
	n := firstLevels(s.Factors)
	for _, f := range s.Factors {
		keep(records.Condition{f.Name: f.Levels[:min(n, len(f.Levels))]})
		keep(records.Condition{f.Name: {""}}) // of cells that lack the factor
	}
	for _, o := range s.Layout.Tables {
		keep(o.Where)
	}
	for _, o := range s.Layout.Figures {
		keep(o.Where)
	}
	ran := map[string]bool{} // classifiers with a cell so far
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if ran[e.ID] {
				continue
			}
			ran[e.ID] = true
			for factor, level := range c.Levels.Map() {
				keep(records.Condition{factor: {level}})
			}
		}
	}
	return kept
}

// firstLevels returns the largest n for which n levels of each factor have at most mostRehearsed
// combinations, but at least 2.
func firstLevels(factors []records.Factor) int {
	for n := mostRehearsed; n > 2; n-- {
		combinations := 1
		for _, f := range factors {
			combinations = min(combinations*min(n, len(f.Levels)), mostRehearsed+1)
		}
		if combinations <= mostRehearsed {
			return n
		}
	}
	return 2
}

// rehearse makes the report of made-up results.
func (s *Study) rehearse() (*report.Report, error) {
	s = s.part()
	rows, described := rehearsal(s.Study), rehearsedStudy(s.Study)
	return report.Make(described, rows, s.Layout, comparisonOf(s, rows, described.Sampling))
}

// rehearsals returns the number of made-up replicates of a cell.
func rehearsals(s *study.Study, c *study.Cell) int {
	return min(s.Replicates, max(rehearsed, c.Data.Folds))
}

// rehearsal returns made-up records of a study, which no reader sees. All fits succeed, and all
// classifiers of a cell have different results. Cells share data as they will in a run.
func rehearsal(s *study.Study) *records.Records {
	r := &records.Records{Study: s.Name, Factors: s.Factors, Metrics: s.Metrics, Classifiers: s.ClassifierIDs()}
	for _, c := range s.Cells {
		for replicate := 1; replicate <= rehearsals(s, c); replicate++ {
			for _, e := range c.Classifiers {
				r.Rows = append(r.Rows, madeUp(r, c, replicate, e))
			}
		}
	}
	r.Sort()
	return r
}

// rehearsedStudy describes a study to rehearse, with made-up predictions if the study keeps some.
func rehearsedStudy(s *study.Study) view.Study {
	d := describeDesign(s, s.Cells, nil)
	if s.Predictions {
		d.Predictions = func(cell string, each func(replicate int, classifier string,
			p *metrics.Predictions) error) error {
			c := s.Cells[slices.IndexFunc(s.Cells, func(c *study.Cell) bool { return c.ID == cell })]
			for replicate := 1; replicate <= rehearsals(s, c); replicate++ {
				for _, e := range c.Classifiers {
					if err := each(replicate, e.ID, madeUpPredictions(c, e)); err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	return d
}

// madeUpPredictions returns predictions of a classifier that are the same for every row.
func madeUpPredictions(c *study.Cell, e study.Entry) *metrics.Predictions {
	classes := max(c.Data.Classes(), 2)
	p := &metrics.Predictions{Labels: make([]int, rehearsedRows*classes)}
	for k := range p.Labels {
		p.Truth = append(p.Truth, k%classes)
	}
	p.Scores = mat.NewDense(len(p.Labels), classes, nil)
	if !e.LacksProbabilities() {
		p.Probabilities = mat.NewDense(len(p.Labels), classes,
			slices.Repeat([]float64{1 / float64(classes)}, len(p.Labels)*classes))
	}
	return p
}

// madeUp returns a made-up record of a classifier, without metrics that it cannot give.
func madeUp(r *records.Records, c *study.Cell, replicate int, e study.Entry) records.Record {
	place := slices.Index(r.Classifiers, e.ID)
	classes := max(c.Data.Classes(), 2)
	rows := len(r.Classifiers) + 3           // test rows of each class, more than can be wrong
	wrong := place + (replicate*(place+1))%3 // of each class; differs by classifier and replicate
	confusion := make(metrics.Confusion, classes*classes)
	for k := range classes {
		confusion[k*classes+k] = rows - wrong
		confusion[k*classes+(k+1)%classes] = wrong
	}
	row := records.Record{Cell: c.ID, Levels: c.Levels, Replicate: replicate, Classifier: r.Classifiers[place],
		Status: records.OK, NTest: confusion.Rows(), Errors: confusion.Errors(), Confusion: confusion,
		Data: fmt.Sprintf("%s, replicate %d", c.Key, replicate)}
	row.Error = metrics.ErrorRate.FromCounts(confusion)
	row.BER = metrics.BalancedError.FromCounts(confusion)
	row.Fit, row.Predict, row.Peak = 1+row.Error, row.Error, 1
	if e.Tuning != nil {
		row.Tuned = records.Tuned{Values: e.Tuning.Values[0], Metric: e.Tuning.Metric.Name, Candidates: 1}.String()
	}
	row.Metrics = map[string]float64{}
	for _, name := range r.Metrics {
		m, err := metrics.Lookup(name)
		lacking := err == nil && m.Needs == metrics.Probabilities && e.LacksProbabilities()
		if !lacking {
			row.Metrics[name] = row.Error
		}
	}
	return row
}
