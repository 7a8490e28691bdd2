package report

import (
	"fmt"

	"copse/stats/records"
)

// A measure is a number per fit that tables and figures show.
type measure struct {
	name    string         // "test error"
	unit    string         // "%"; empty for fractions
	rate    records.Metric // what classifiers are compared by
	timing  func(Timing) float64
	flip    bool    // shown as 1 - rate
	scale   float64 // factor from fraction or seconds to unit
	perRate bool    // a rate: tests and reference lines make sense
}

// newMeasure resolves the options of that name.
func newMeasure(metric, scale string) (measure, error) {
	m := measure{scale: 1, perRate: true}
	switch metric {
	case "error":
		m.name = "test error"
	case "ber":
		m.name, m.rate = "balanced test error", records.BalancedRate
	case "accuracy":
		m.name, m.flip = "test accuracy", true
	case "fit_seconds":
		return measure{name: "training time", unit: "s", scale: 1, timing: func(t Timing) float64 { return t.Fit }}, nil
	case "predict_seconds":
		return measure{name: "prediction time", unit: "s", scale: 1, timing: func(t Timing) float64 { return t.Predict }}, nil
	default:
		return m, fmt.Errorf("unknown metric %q", metric)
	}
	if scale == "percent" {
		m.scale, m.unit = 100, "%"
	}
	return m, nil
}

// title is the measure with its unit, as axes and captions write it.
func (m *measure) title() string {
	if m.unit == "" {
		return m.name
	}
	return m.name + " (" + m.unit + ")"
}

// values returns a classifier's results in the measure's unit, ascending by
// replicate, and the number of failed fits.
func (s *source) values(c *records.Cell, m *measure, classifier string) (values []float64, failed int) {
	if m.timing != nil {
		return s.timings(c, m, classifier)
	}
	values, failed = c.Values(m.rate, classifier)
	for i, v := range values {
		if m.flip {
			v = 1 - v
		}
		values[i] = v * m.scale
	}
	return values, failed
}

// timings returns the seconds of the successful fits whose times are known.
func (s *source) timings(c *records.Cell, m *measure, classifier string) (values []float64, failed int) {
	for _, row := range c.Rows {
		if row.Classifier != classifier {
			continue
		}
		if row.Status != records.OK {
			failed++
			continue
		}
		if t, ok := s.seconds[timingKey{row.Cell, row.Replicate, classifier}]; ok {
			values = append(values, m.timing(t)*m.scale)
		}
	}
	return values, failed
}

// digits are the decimals of a single value: a hundredth of a percent.
func (m *measure) digits() int {
	if m.unit == "" {
		return 4
	}
	return 2
}
