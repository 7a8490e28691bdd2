package stats

import (
	"math"
	"testing"

	"copse/internal/golden"
)

func near(a, b Summary) bool {
	return a.N == b.N && golden.Near(a.Mean, b.Mean) && golden.Near(a.SD, b.SD) && golden.Near(a.MCSE, b.MCSE)
}

// Adding values one by one gives the same summary as all at once, also for values far from zero.
func TestRunningIsSummarize(t *testing.T) {
	var run Running
	var values []float64
	for k := range 40 {
		if got, want := run.Summary(), Summarize(values); !near(got, want) {
			t.Errorf("%d values: %+v, want %+v", k, got, want)
		}
		values = append(values, 1e4+math.Sin(float64(k)))
		run.Add(values[k])
	}
}

// If all clusters have the same size, the share is the mean of their shares.
func TestShareOfEqualClusters(t *testing.T) {
	const rows = 7
	var s Share
	var shares []float64
	for k := range 30 {
		hits := k * k % (rows + 1)
		s.Add(hits, rows)
		s.Add(0, 0) // a cluster without rows says nothing
		shares = append(shares, float64(hits)/rows)
		if got, want := s.Summary(), Summarize(shares); !near(got, want) {
			t.Errorf("%d clusters: %+v, want %+v", k+1, got, want)
		}
	}
}

// If the sizes differ, it is the share of all rows, with the standard error by the formula.
func TestShareOfUnequalClusters(t *testing.T) {
	hits, rows := []int{0, 3, 2, 5, 1, 1}, []int{4, 3, 9, 6, 1, 20}
	var s Share
	h, n := 0.0, 0.0
	for i := range hits {
		s.Add(hits[i], rows[i])
		h, n = h+float64(hits[i]), n+float64(rows[i])
	}
	rest := 0.0
	for i := range hits {
		rest += math.Pow(float64(hits[i])-h/n*float64(rows[i]), 2)
	}
	want := math.Sqrt(6.0/5*rest) / n
	if got := s.Summary(); got.N != 6 || s.Rows() != 43 || !golden.Near(got.Mean, 12.0/43) ||
		!golden.Near(got.MCSE, want) {
		t.Errorf("%+v, want share %v, error %v", got, 12.0/43, want)
	}
}
