package stats

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

// At the limits of a ratio r, |a - r b| is critical times its standard error, and the estimate is between
// them.
func TestRatioLimits(t *testing.T) {
	for _, c := range []struct{ a, seA, b, seB, critical float64 }{
		{1.5, 0.2, 3.1, 0.4, 2.5}, {-1, 0.5, 3.1, 0.4, 2}, {0, 0.1, -2, 0.1, 3}, {2, 0, 1, 0, 2},
	} {
		r, ok := Ratio(Summary{Mean: c.a, MCSE: c.seA}, Summary{Mean: c.b, MCSE: c.seB}, c.critical)
		if !ok || r.Low > r.Estimate || r.High < r.Estimate || r.Estimate != c.a/c.b {
			t.Errorf("%+v: %+v, %v", c, r, ok)
		}
		for _, limit := range []float64{r.Low, r.High} {
			distance, se := math.Abs(c.a-limit*c.b), math.Hypot(c.seA, limit*c.seB)
			if math.Abs(distance-c.critical*se) > 1e-12 {
				t.Errorf("%+v: at %v the distance is %v standard errors of %v", c, limit, distance/se, se)
			}
		}
	}
	if _, ok := Ratio(Summary{Mean: 1, MCSE: 0.1}, Summary{Mean: 1, MCSE: 0.5}, 2); ok {
		t.Error("a denominator that may be 0 has an interval")
	}
}

// The limits cover the true ratio as often as they claim.
func TestRatioCoverage(t *testing.T) {
	const studies, critical = 4000, 1.959964 // known standard errors: 0.95
	rng := randtest.New(1)
	covered := 0
	for range studies {
		a := Summary{Mean: 1.2 + 0.3*rng.NormFloat64(), MCSE: 0.3}
		b := Summary{Mean: 2.4 + 0.4*rng.NormFloat64(), MCSE: 0.4}
		r, ok := Ratio(a, b, critical)
		if !ok || r.Low <= 0.5 && 0.5 <= r.High { // without an interval every ratio is possible
			covered++
		}
	}
	if share := float64(covered) / studies; math.Abs(share-0.95) > 4*0.0035 {
		t.Errorf("%v of the intervals cover the ratio", share)
	}
}
