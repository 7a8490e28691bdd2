package stats

import (
	"math"
	"testing"
)

// For one success among n Bernoulli(1/n) differences, the skewness is (1-2p) / sqrt(p(1-p)).
func TestSkewness(t *testing.T) {
	d := make([]float64, 10)
	d[3] = 7
	if got, want := Skewness(d), (1-0.2)/math.Sqrt(0.1*0.9); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Skewness([]float64{2, 2, 2}); got != 0 {
		t.Errorf("equal differences: %v", got)
	}
	if !math.IsNaN(Skewness(nil)) {
		t.Error("no differences have a skewness")
	}
}
