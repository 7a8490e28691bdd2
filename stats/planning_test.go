package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The number is the least whose interval is as narrow as asked.
func TestReplicatesForHalfWidth(t *testing.T) {
	half := func(sd, level float64, r int) float64 {
		return distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.Quantile((1+level)/2) * sd / math.Sqrt(float64(r))
	}
	for _, sd := range []float64{0.001, 0.03, 1} {
		for _, want := range []float64{0.0005, 0.01, 5} {
			for _, level := range []float64{0.8, 0.95, 0.999} {
				r, err := ReplicatesForHalfWidth(sd, want, level)
				if err != nil {
					t.Fatal(err)
				}
				if half(sd, level, r) > want*(1+1e-9) || r > 2 && half(sd, level, r-1) <= want {
					t.Errorf("sd %v, half-width %v, level %v: %d replicates", sd, want, level, r)
				}
			}
		}
	}
	// R 4.2.2: qt(.975, 17) / sqrt(18) is 0.4972883, qt(.975, 16) / sqrt(17) is 0.5141526.
	if r, err := ReplicatesForHalfWidth(1, 0.5, 0.95); err != nil || r != 18 {
		t.Errorf("%d replicates, %v, want 18", r, err)
	}
	for _, bad := range [][3]float64{{-1, 1, 0.9}, {1, 0, 0.9}, {1, 1, 1}, {1, 1e-9, 0.9}, {math.Inf(1), 1, 0.9}} {
		if _, err := ReplicatesForHalfWidth(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// Of one success among n Bernoulli(1/n) differences the skewness is (1-2p) / sqrt(p(1-p)).
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
