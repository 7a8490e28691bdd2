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

// The quantiles are from R 4.2.2: qt(c(0.95, 0.975, 0.8), 14) prints 1.76131014 2.14478669 0.86805478 (digits = 8).
func TestDetectable(t *testing.T) {
	var student Test
	for alternative, want := range map[Alternative]float64{
		Less: 1.76131014 + 0.86805478, Greater: 1.76131014 + 0.86805478, TwoSided: 2.14478669 + 0.86805478,
	} {
		if got := student.Detectable(Summary{N: 15, MCSE: 2}, alternative, 0.05, 0.8); math.Abs(got-2*want) > 1e-6 {
			t.Errorf("%v: %v, want %v", alternative, got, 2*want)
		}
	}
	if got := student.Detectable(Summary{N: 1, MCSE: 2}, Less, 0.05, 0.8); !math.IsNaN(got) {
		t.Errorf("one difference gives %v, want NaN", got)
	}
}

// With a power of one half, a t test detects a difference as large as half its interval.
func TestDetectableFitsInterval(t *testing.T) {
	for _, n := range []int{2, 5, 100} {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i*i%7) + 1
		}
		const share = 1.0 / 9
		for _, test := range Tests {
			if !test.Student {
				continue
			}
			shift := test.Shift(Differences{D: d, Share: share}, 0.95)
			got := test.Detectable(Summarize(d).Sharing(share), TwoSided, 0.05, 0.5)
			if half := (shift.High - shift.Low) / 2; math.Abs(got-half) > 1e-9*half {
				t.Errorf("%s, %d differences: %v, want %v", test.Name, n, got, half)
			}
		}
	}
}
