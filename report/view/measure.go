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
	Cost   func(*records.Record) float64 // time or memory of a fit, NaN: unknown; nil: a metric of predictions
	Scale  float64                       // factor from the metric's unit to Unit
	IsRate bool                          // kept in the records, so that tests make sense
	// Over is a classifier: values are losses in excess of its losses on the same data; "": none.
	Over string
}

// NewMeasure returns the measure of a metric. Scale percent shows shares in percent.
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

// Measure returns the measure of a metric for some cells. A class that the metric names must
// have the same index in all cells.
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

// Elsewhere names a cell and the key that leaves it out, for errors; "" for an only cell.
func (v *View) Elsewhere(c *records.Cell) string {
	in := InCell(c.Levels, v.Records.Factors)
	if in == "" {
		return ""
	}
	return in + "; where: limits a table or figure to some cells"
}

// InCell returns " (cell n=200)" from the levels of a cell; "" without levels.
func InCell(levels records.Levels, factors []records.Factor) string {
	if text := levels.Describe(factors); text != "" {
		return " (cell " + text + ")"
	}
	return ""
}

// seconds returns s if the times of the fit are known, else NaN.
func seconds(r *records.Record, s float64) float64 {
	if r.Fit+r.Predict > 0 {
		return s
	}
	return math.NaN()
}

// LargerIsBetter reports whether larger values are better.
func (m *Measure) LargerIsBetter() bool { return m.Metric.Higher && m.Over == "" }

// Extreme returns which mean of several is the best: "smallest" or "largest".
func (m *Measure) Extreme() string {
	if m.LargerIsBetter() {
		return "largest"
	}
	return "smallest"
}

// Excess changes m to the loss in excess of the oracle's, the Bayes rule's on the same data.
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

// Title returns the name with the unit, for axes and captions.
func (m *Measure) Title() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " (" + m.Unit + ")"
}

// DifferenceUnit returns the unit of a difference of two values.
func (m *Measure) DifferenceUnit() string {
	if m.Unit == "%" {
		return "percentage points"
	}
	return m.Unit
}

// DifferenceTitle returns the title of a difference, for axes.
func (m *Measure) DifferenceTitle() string {
	of := *m
	of.Unit = m.DifferenceUnit()
	return "difference in " + of.Title()
}

// Values returns a classifier's results in a group, in the measure's unit, and the number of
// its failed fits. pooled is Pool's result for g. Times and memory are not pooled: their
// values come from all cells.
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
			return nil // the classifiers have different data
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

// costs returns the known costs of the successful fits.
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

// Digits returns the decimals of a single value: a hundredth of a percent.
func (m *Measure) Digits() int {
	if m.Unit == "" {
		return 4
	}
	return 2
}
