package view

import (
	"errors"
	"math"

	"copse/stats/metrics"
	"copse/stats/records"
)

// A Measure is a number per fit that tables and figures show.
type Measure struct {
	Name   string                        // "test error"
	Unit   string                        // "%"; empty for fractions
	Metric *metrics.Metric               // what classifiers are compared by
	Cost   func(*records.Record) float64 // of the run, where the metric is not of the answers; NaN: not known
	Scale  float64                       // factor from the metric's unit to Unit
	IsRate bool                          // kept in the records: tests and reference lines make sense
	// shown is the loss in excess of this classifier's on the same data; "": the value itself
	Over string
}

// NewMeasure resolves the options of that name. Shares may be shown in percent.
func NewMeasure(metric, scale string) (Measure, error) {
	found, err := metrics.Lookup(metric)
	if err != nil {
		return Measure{}, err
	}
	m := Measure{Name: found.Label, Unit: found.Unit, Metric: found, Scale: 1, IsRate: !found.Measured()}
	switch {
	case metric == "fit_seconds":
		m.Cost = func(r *records.Record) float64 { return seconds(r, r.Fit) }
	case metric == "predict_seconds":
		m.Cost = func(r *records.Record) float64 { return seconds(r, r.Predict) }
	case metric == "peak_memory":
		m.Cost = func(r *records.Record) float64 {
			if r.Peak == 0 {
				return math.NaN()
			}
			return float64(r.Peak) / 1e6
		}
	case found.Unit == metrics.Share && scale == "percent":
		m.Scale, m.Unit = 100, "%"
	case found.Unit == metrics.Share:
		m.Unit = ""
	}
	return m, nil
}

// Measure resolves the options of that name for some cells: a class that the metric
// names must be one of theirs, everywhere in the same place of the data's order.
func (v *View) Measure(metric, scale string, cells []records.Cell) (Measure, error) {
	m, err := NewMeasure(metric, scale)
	if err != nil || !m.Metric.PerClass {
		return m, err
	}
	var found *metrics.Metric
	for _, c := range cells {
		one, err := m.Metric.InClasses(v.Classes[c.ID])
		if err != nil {
			return m, Mistaken([]string{"metric"}, "", "%w%s", err, v.Elsewhere(&c))
		}
		if found != nil && found.Class() != one.Class() {
			return m, Mistaken([]string{"metric"}, "", "%s: the class is not in the same place of the order in all "+
				"cells%s", metric, v.Elsewhere(&c))
		}
		found = one
	}
	if found != nil {
		m.Metric = found
	}
	return m, nil
}

// Elsewhere names a cell among others and the key that leaves it out.
func (v *View) Elsewhere(c *records.Cell) string {
	in := InCell(c.Levels, v.Records.Factors)
	if in == "" {
		return ""
	}
	return in + "; where: limits a table or figure to some cells"
}

// InCell names a cell by its levels, where there are more than one.
func InCell(levels records.Levels, factors []records.Factor) string {
	if text := levels.Describe(factors); text != "" {
		return " (cell " + text + ")"
	}
	return ""
}

// seconds are those of a fit whose times are known.
func seconds(r *records.Record, s float64) float64 {
	if r.Fit+r.Predict > 0 {
		return s
	}
	return math.NaN()
}

// LargerIsBetter is the direction of what is shown.
func (m *Measure) LargerIsBetter() bool { return m.Metric.Higher && m.Over == "" }

// Excess makes m the loss in excess of the oracle's: what a classifier loses beyond
// the Bayes rule on the same data.
func (v *View) Excess(m *Measure) error {
	for _, id := range v.Records.Classifiers {
		if c := v.Component(id); c != nil && c.Oracle && m.IsRate {
			m.Over, m.Name = id, "excess "+m.Name
			if m.Metric.Higher {
				m.Name = "shortfall of " + m.Metric.Label
			}
			return nil
		}
	}
	return errors.New("excess needs the classifier oracle and a metric that results keep")
}

// Title is the measure with its unit, as axes and captions write it.
func (m *Measure) Title() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " (" + m.Unit + ")"
}

// DifferenceUnit is that of a difference of two values.
func (m *Measure) DifferenceUnit() string {
	if m.Unit == "%" {
		return "percentage points"
	}
	return m.Unit
}

// DifferenceTitle is the title of a difference, as axes write it.
func (m *Measure) DifferenceTitle() string {
	of := *m
	of.Unit = m.DifferenceUnit()
	return "difference in " + of.Title()
}

// Values returns a classifier's results in a group, pooled as Pool does, in the
// measure's unit, and the number of its failed fits. Every fit took its own time and
// memory: such values are those of all cells.
func (v *View) Values(g *Group, pooled *records.Cell, m *Measure, classifier string) (values []float64, failed int) {
	_, failed = g.Attempts(classifier)
	if m.Cost == nil {
		return v.values(pooled, m, classifier), failed
	}
	cells := v.On(g)
	for i := range cells {
		values = append(values, v.values(&cells[i], m, classifier)...)
	}
	return values, failed
}

// values returns a classifier's results in a cell in the measure's unit, ascending by
// replicate.
func (v *View) values(c *records.Cell, m *Measure, classifier string) []float64 {
	if m.Cost != nil {
		return v.costs(c, m, classifier)
	}
	if m.Over != "" {
		pairs, err := c.Pairs(m.Metric, classifier, m.Over)
		if err != nil {
			return nil // they saw different data
		}
		for i := range pairs.X {
			pairs.X[i] = (pairs.X[i] - pairs.Y[i]) * m.Scale
		}
		return pairs.X
	}
	values, _ := c.Values(m.Metric, classifier)
	for i, loss := range values {
		values[i] = m.Metric.Loss(loss) * m.Scale
	}
	return values
}

// costs returns what the successful fits took, where that is known.
func (v *View) costs(c *records.Cell, m *Measure, classifier string) (values []float64) {
	for i := range c.Rows {
		row := &c.Rows[i]
		if row.Classifier != classifier || isFailure(*row) {
			continue
		}
		if cost := m.Cost(row); !math.IsNaN(cost) {
			values = append(values, cost*m.Scale)
		}
	}
	return values
}

// Digits are the decimals of a single value: a hundredth of a percent.
func (m *Measure) Digits() int {
	if m.Unit == "" {
		return 4
	}
	return 2
}
