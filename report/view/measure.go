package view

import (
	"fmt"

	"copse/stats/records"
)

// A Measure is a number per fit that tables and figures show.
type Measure struct {
	Name    string         // "test error"
	Unit    string         // "%"; empty for fractions
	Metric  records.Metric // what classifiers are compared by
	Seconds func(Timing) float64
	Flip    bool    // shown as 1 - rate
	Scale   float64 // factor from fraction or seconds to unit
	IsRate  bool    // a rate: tests and reference lines make sense
}

// NewMeasure resolves the options of that name.
func NewMeasure(metric, scale string) (Measure, error) {
	m := Measure{Scale: 1, IsRate: true}
	switch metric {
	case "error":
		m.Name = "test error"
	case "ber":
		m.Name, m.Metric = "balanced test error", records.BalancedRate
	case "accuracy":
		m.Name, m.Flip = "test accuracy", true
	case "fit_seconds":
		return Measure{Name: "training time", Unit: "s", Scale: 1, Seconds: func(t Timing) float64 { return t.Fit }}, nil
	case "predict_seconds":
		return Measure{Name: "prediction time", Unit: "s", Scale: 1, Seconds: func(t Timing) float64 { return t.Predict }}, nil
	default:
		return m, fmt.Errorf("unknown metric %q", metric)
	}
	if scale == "percent" {
		m.Scale, m.Unit = 100, "%"
	}
	return m, nil
}

// Title is the measure with its unit, as axes and captions write it.
func (m *Measure) Title() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " (" + m.Unit + ")"
}

// Values returns a classifier's results in the measure's unit, ascending by
// replicate, and the number of failed fits.
func (v *View) Values(c *records.Cell, m *Measure, classifier string) (values []float64, failed int) {
	if m.Seconds != nil {
		return v.timings(c, m, classifier)
	}
	values, failed = c.Values(m.Metric, classifier)
	for i, rate := range values {
		if m.Flip {
			rate = 1 - rate
		}
		values[i] = rate * m.Scale
	}
	return values, failed
}

// timings returns the seconds of the successful fits whose times are known.
func (v *View) timings(c *records.Cell, m *Measure, classifier string) (values []float64, failed int) {
	for _, row := range c.Rows {
		if row.Classifier != classifier {
			continue
		}
		if row.Status != records.OK {
			failed++
			continue
		}
		if t, ok := v.seconds[timingKey{row.Cell, row.Replicate, classifier}]; ok {
			values = append(values, m.Seconds(t)*m.Scale)
		}
	}
	return values, failed
}

// Digits are the decimals of a single value: a hundredth of a percent.
func (m *Measure) Digits() int {
	if m.Unit == "" {
		return 4
	}
	return 2
}
