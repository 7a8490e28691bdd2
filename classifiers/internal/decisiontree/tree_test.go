package decisiontree

import (
	"math"
	"slices"
	"testing"
)

func TestValue(t *testing.T) {
	tree := New(3)
	child := tree.Split(0, 1, 2.5)
	tree.SetLeaf(child, 10)
	grandchild := tree.Split(child+1, 0, -1)
	tree.SetLeaf(grandchild, 20)
	tree.SetLeaf(grandchild+1, 30)
	for _, test := range []struct{ first, second, want float64 }{
		{0, 2.5, 10}, {0, 2, 10}, {-1, 2.6, 20}, {-0.9, 3, 30},
	} {
		if got := tree.Value([]float64{test.first, test.second}); got != test.want {
			t.Errorf("value of (%g, %g): %g, want %g", test.first, test.second, got, test.want)
		}
	}
	if tree.Splits() != 2 {
		t.Errorf("%d splits, want 2", tree.Splits())
	}
}

func TestThreshold(t *testing.T) {
	pairs := [][2]float64{
		{1, 2}, {1, math.Nextafter(1, 2)}, {-math.MaxFloat64, math.MaxFloat64},
		{0, math.SmallestNonzeroFloat64}, {-math.SmallestNonzeroFloat64, 0},
	}
	for _, pair := range pairs {
		if got := Threshold(pair[0], pair[1]); !(pair[0] <= got && got < pair[1]) {
			t.Errorf("%g does not separate %g and %g", got, pair[0], pair[1])
		}
	}
	if got := Threshold(1, 2); got != 1.5 {
		t.Errorf("threshold of 1 and 2: %g", got)
	}
	if got := Threshold(3, 3); got != 3 {
		t.Errorf("threshold of 3 and 3: %g", got)
	}
}

func TestPartition(t *testing.T) {
	code := []uint8{4, 1, 3, 1, 2, 0}
	rows := []int32{5, 0, 3, 2, 1}
	if left := Partition(rows, make([]int32, len(rows)), code, 1); left != 3 {
		t.Errorf("%d rows on the left, want 3", left)
	}
	if want := []int32{5, 3, 1, 0, 2}; !slices.Equal(rows, want) {
		t.Errorf("rows %v, want %v", rows, want)
	}
}
