package study

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/data"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// The share of test rows follows from the numbers of rows in the manifest. Without them, it is the share in
// the study.
func TestHoldoutRows(t *testing.T) {
	for _, n := range []int{310, 309, 62, 61} {
		set := dataset.New(mat.NewDense(n, 1, nil), make([]int, n), 2)
		d := Data{File: &data.File{Rows: set}}
		d.CSV, d.Holdout = []string{"x.csv"}, 0.25
		train, test, err := dataset.Holdout(set.Y, 0.25, randtest.New(1))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := d.Rows(); a != len(train) || b != len(test) {
			t.Errorf("%d rows: %d and %d, the split has %d and %d", n, a, b, len(train), len(test))
		}
		if share, oneSet := d.Resampled(); !oneSet || share != 0.25/0.75 {
			t.Errorf("%d rows: share %v", n, share)
		}
	}
}

// A share of the attributes is rounded down, but not because of a rounding error in the product.
func TestRemovedPerRow(t *testing.T) {
	for _, c := range []struct {
		share            float64
		attributes, want int
	}{
		{0.29, 100, 29}, {0.58, 50, 29}, {0.7, 10, 7}, {0.25, 11, 2}, {0.1, 9, 0}, {0.999999, 100, 99},
	} {
		if got := (Missing{PerRow: c.share}).RemovedPerRow(c.attributes); got != c.want {
			t.Errorf("%v of %d attributes: %d values, want %d", c.share, c.attributes, got, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	cases := []struct {
		size    Size
		classes int
		want    []int
	}{
		{Size{N: 10}, 2, []int{5, 5}},
		{Size{N: 11}, 2, []int{6, 5}},
		{Size{N: 200, Majority: 0.75}, 2, []int{150, 50}},
		{Size{N: 20, Majority: 0.5}, 3, []int{10, 5, 5}},
		{Size{N: 21, Majority: 0.5}, 3, []int{11, 5, 5}},
		{Size{N: 11}, 3, []int{4, 4, 3}},
		{Size{Counts: []int{1, 2, 3}}, 3, []int{1, 2, 3}},
	}
	for _, c := range cases {
		if got, err := c.size.perClass(c.classes); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v in %d classes: %v, %v", c.size, c.classes, got, err)
		}
	}
}
