package records

import (
	"fmt"
	"math"
)

// A Metric is a number of a record that classifiers are compared by; smaller
// is better.
type Metric int

const (
	ErrorRate    Metric = iota // misclassified share of the test rows
	BalancedRate               // balanced error rate
)

func (m Metric) String() string {
	switch m {
	case ErrorRate:
		return "error"
	case BalancedRate:
		return "ber"
	}
	return fmt.Sprintf("Metric(%d)", int(m))
}

// Of returns the metric of a record: NaN when the fit failed.
func (m Metric) Of(r *Record) float64 {
	if r.Status != OK {
		return math.NaN()
	}
	if m == BalancedRate {
		return r.BER
	}
	return r.Error
}
