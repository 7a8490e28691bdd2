package run

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Many fits determine their own law. The law of a single fit has the usual slopes and passes through this
// fit. The sum of the predicted times always equals the sum of the measured ones.
func TestLawOf(t *testing.T) {
	truth := law{math.Log(3e-6), 1.9, 0.8}
	var many []timed
	for _, rows := range []float64{20, 100, 500, 3000} {
		for _, columns := range []float64{2, 7, 30, 100} {
			z := size{rows, columns}
			many = append(many, timed{z, truth.seconds(z)})
		}
	}
	got := fitLaw(many)
	if math.Abs(got.rows-truth.rows) > 0.05 || math.Abs(got.columns-truth.columns) > 0.05 {
		t.Errorf("got %+v, want about %+v", got, truth)
	}
	one := fitLaw(many[5:6])
	if one.rows != defaultLaw.rows || one.columns != defaultLaw.columns {
		t.Errorf("of one fit: %+v", one)
	}
	noisy := slices.Clone(many)
	noisy[3].seconds *= 20
	for _, points := range [][]timed{many, many[5:6], many[:4], noisy} {
		var said, took float64
		for _, p := range points {
			said, took = said+fitLaw(points).seconds(p.size), took+p.seconds
		}
		if math.Abs(said/took-1) > 1e-9 {
			t.Errorf("%d fits took %v s, their law predicts %v", len(points), took, said)
		}
	}
	if instant := fitLaw([]timed{{size{100, 3}, 0}, {size{200, 3}, 0}}); !(instant.seconds(size{1e4, 3}) < 1e-3) {
		t.Errorf("fits that take no time follow %+v", instant)
	}
	shrinking := fitLaw([]timed{{size{10, 3}, 1}, {size{1000, 3}, 1e-4}})
	if shrinking.rows < 0 {
		t.Errorf("more rows take less time: %+v", shrinking)
	}
}

func TestThinned(t *testing.T) {
	y := make([]int, 115)
	for i := 100; i < 115; i++ {
		y[i] = 1 + (i-100)/10 // 100, 10 and 5 rows
	}
	x := mat.NewDense(len(y), 1, nil)
	for i := range y {
		x.Set(i, 0, float64(i))
	}
	s := thinned(dataset.New(x, y, 3), 0.25)
	if got := s.Counts(); !slices.Equal(got, []int{25, leastThinned, 5}) {
		t.Errorf("rows of the classes: %v", got)
	}
	for i := range 25 {
		if got := s.X.At(i, 0); got != float64(4*i) {
			t.Errorf("row %d was row %v", i, got)
		}
	}
}
