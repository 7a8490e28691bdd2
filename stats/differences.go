package stats

import (
	"fmt"
	"math"
)

// checkDifferences returns an error that says why no test of d can be made.
func checkDifferences(test string, d []float64, alternative Alternative) error {
	if err := alternative.check(); err != nil {
		return fmt.Errorf("%s: %w", test, err)
	}
	if len(d) == 0 {
		return fmt.Errorf("%s: there are no differences", test)
	}
	for i, v := range d {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: difference %d is not finite: %v", test, i+1, v)
		}
	}
	return nil
}
