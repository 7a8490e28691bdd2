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

// rehearsed is the number of replicates of a rehearsal: enough for a standard
// deviation, and a whole task where there are folds.
const rehearsed = 2

// rehearsedRows of each class, of which predictions are made up: enough for a bin.
const rehearsedRows = 15

// mostRehearsed is the number of cells beyond which a rehearsal has fewer levels of each factor.
const mostRehearsed = 2000

// part returns the study of the rehearsal: of a large design the first levels of each factor, the
// levels that a table or a figure names, and those of one cell of each classifier.
func (s *Study) part() *Study {
	if len(s.Cells) <= mostRehearsed || len(s.Tables) > 0 {
		return s
	}
	kept := map[string][]string{}
	for _, f := range s.Factors {
		// "": nested elsewhere
		kept[f.Name] = append([]string{""}, f.Levels[:min(levelsOfPart(s.Factors), len(f.Levels))]...)
	}
	for _, o := range s.Layout.Tables {
		keepLevels(kept, o.Where)
	}
	for _, o := range s.Layout.Figures {
		keepLevels(kept, o.Where)
	}
	ran := map[string]bool{}
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if ran[e.ID] {
				continue
			}
			ran[e.ID] = true
			for factor, level := range c.Levels.Map() {
				keepLevels(kept, records.Condition{factor: {level}})
			}
		}
	}
	design := *s.Study
	design.Factors, design.Cells = nil, nil
	for _, f := range s.Factors {
		isKept := func(level string) bool { return slices.Contains(kept[f.Name], level) }
		levels := slices.DeleteFunc(slices.Clone(f.Levels), func(level string) bool { return !isKept(level) })
		design.Factors = append(design.Factors, records.Factor{Name: f.Name, Levels: levels})
	}
	for _, c := range s.Cells {
		if records.Condition(kept).Holds(c.Levels) {
			design.Cells = append(design.Cells, c)
		}
	}
	return &Study{Study: &design, Layout: s.Layout, Author: s.Author}
}

// levelsOfPart returns the number of levels of each factor that makes at most mostRehearsed
// combinations, but two at least.
func levelsOfPart(factors []records.Factor) int {
	for n := mostRehearsed; ; n-- {
		combinations := 1
		for _, f := range factors {
			combinations = min(combinations*min(n, len(f.Levels)), mostRehearsed+1)
		}
		if combinations <= mostRehearsed || n == 2 {
			return n
		}
	}
}

// keepLevels adds the levels of a condition to those that are kept.
func keepLevels(kept map[string][]string, where records.Condition) {
	for factor, levels := range where {
		kept[factor] = slices.Concat(kept[factor], levels)
	}
}

// rehearse makes the report of made-up results.
func (s *Study) rehearse() (*report.Report, error) {
	s = s.part()
	rows, told := rehearsal(s.Study), rehearsedStudy(s.Study)
	papers, err := comparisonOf(s, rows, told.Sampling)
	if err != nil {
		return nil, err
	}
	return report.Make(told, rows, s.Layout, papers)
}

// rehearsals are the replicates of a cell.
func rehearsals(s *study.Study, c *study.Cell) int {
	return min(s.Replicates, max(rehearsed, c.Data.Folds))
}

// rehearsal makes up records of a study, in which every fit succeeded and no two
// classifiers of a cell are equal; cells share data where they will: what a report
// needs of the design can be asked of them before anything runs. Nobody sees their
// numbers.
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

// rehearsedStudy is the study of a rehearsal, with made-up predictions if it keeps some.
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

// madeUpPredictions are the same of every row, whatever its class.
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
		if m, err := metrics.Lookup(name); err != nil || m.Needs != metrics.Probabilities || !e.LacksProbabilities() {
			row.Metrics[name] = row.Error
		}
	}
	return row
}
