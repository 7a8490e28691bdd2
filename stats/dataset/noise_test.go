package dataset

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/internal/randtest"
	"copse/stats"
)

// numbered returns n rows of d columns of one class, with the values 0, 1, ..., n d - 1.
func numbered(n, d int) *Set {
	values := make([]float64, n*d)
	for i := range values {
		values[i] = float64(i)
	}
	return New(mat.NewDense(n, d, values), make([]int, n), 1)
}

// Irrelevant attributes are independent and standard normal, and follow the existing attributes. The first of them
// do not depend on their number.
func TestWithIrrelevant(t *testing.T) {
	const n, d, k = 5000, 2, 3
	s := numbered(n, d)
	draw := func(k int) *Set {
		out, err := s.WithIrrelevant(k, randtest.New(1))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	more, fewer := draw(k), draw(k-1)
	if !mat.Equal(more.X.Slice(0, n, 0, d), s.X) || !mat.Equal(more.X.Slice(0, n, 0, d+k-1), fewer.X) ||
		more.D() != d+k || s.D() != d {
		t.Error("the first attributes are others")
	}
	if first, last := more.Attributes[d].Name, more.Attributes[d+k-1].Name; first != "irrelevant1" ||
		last != "irrelevant3" {
		t.Errorf("named %s to %s", first, last)
	}
	columns := more.Columns(stats.Indices(n))[d:]
	for a, x := range columns {
		for b, y := range columns[:a+1] {
			want := 0.0
			if a == b {
				want = 1
			}
			// the standard error of a covariance of normals is sqrt((1 + want) / n)
			if got := stat.Covariance(x, y, nil); math.Abs(got-want) > 5*math.Sqrt((1+want)/n) {
				t.Errorf("covariance of %d and %d: %v", a, b, got)
			}
		}
		if mean := stat.Mean(x, nil); math.Abs(mean) > 5/math.Sqrt(n) {
			t.Errorf("mean of %d: %v", a, mean)
		}
	}
	if _, err := more.WithIrrelevant(1, randtest.New(1)); err == nil {
		t.Error("two attributes of one name")
	}
	if draw(0) != s {
		t.Error("none are drawn, and the set is another")
	}
}

// Every row lacks k values, and every column lacks equally many. The remaining values do not change, and
// neither does the given set.
func TestRemoveValues(t *testing.T) {
	const n, d, k = 4000, 8, 3
	s := numbered(n, d)
	removed := s.RemoveValues(k, randtest.New(1))
	perColumn := make([]int, d)
	for i := range n {
		gone := 0
		for j, v := range removed.X.RawRowView(i) {
			switch {
			case math.IsNaN(v):
				gone++
				perColumn[j]++
			case v != s.X.At(i, j):
				t.Fatalf("row %d, column %d became %v", i, j, v)
			}
			if s.X.At(i, j) != float64(i*d+j) {
				t.Fatalf("row %d, column %d of the given set changed", i, j)
			}
		}
		if gone != k {
			t.Fatalf("row %d lacks %d values, want %d", i, gone, k)
		}
	}
	const p = float64(k) / d
	for j, count := range perColumn {
		if z := (float64(count) - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) > 5 {
			t.Errorf("column %d lacks %d of %d values, z = %.1f", j, count, n, z)
		}
	}
}

// share returns the share of missing values in each column.
func share(s *Set) []float64 {
	gone := make([]float64, s.D())
	for i := range s.N() {
		for j, v := range s.X.RawRowView(i) {
			if math.IsNaN(v) {
				gone[j] += 1 / float64(s.N())
			}
		}
	}
	return gone
}

// The counts are binomial: within five standard errors, 5 sqrt(p(1-p)/n) < 0.02.
func TestRatesOfNoise(t *testing.T) {
	const n, p = 20000, 0.2
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		x.SetRow(i, []float64{float64(i % 100), float64(i), -float64(i)})
	}
	y := make([]int, n)
	for i := range y {
		y[i] = i % 3
	}
	s := New(x, y, 3)
	close := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.02 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	mcar := share(s.RemoveAtRandom(p, randtest.New(1)))
	mar := s.RemoveDependent(p, 0, s, randtest.New(2))
	for j := range 3 {
		close("mcar", mcar[j], p)
		close("mar", share(mar)[j], []float64{0, p, p}[j])
	}
	var low, high []int // rows of the lowest and the highest tenth
	for i := range n {
		switch v := x.At(i, 0); {
		case v < 10:
			low = append(low, i)
		case v >= 90:
			high = append(high, i)
		}
	}
	close("mar, low ranks", share(mar.Subset(low))[1], 2*p*0.05)
	close("mar, high ranks", share(mar.Subset(high))[1], 2*p*0.95)
	flipped := s.FlipLabels(p, randtest.New(3))
	var became [3][3]float64
	for i, label := range flipped.Y {
		became[y[i]][label] += 3.0 / n
	}
	for a := range 3 {
		for b := range 3 {
			want := p / 2
			if a == b {
				want = 1 - p
			}
			close("flips", became[a][b], want)
		}
	}
	if !mat.Equal(s.X, x) || s.Y[1] != 1 {
		t.Error("the given set changed")
	}
}
