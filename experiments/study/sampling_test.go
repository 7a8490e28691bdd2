package study

import (
	"math"
	"testing"
)

// 19 rows in five folds, twice. Four folds have four rows, and one has three, so the ratio is the mean of
// 4/15 (four times) and 3/16.
func TestFoldShare(t *testing.T) {
	tests := map[int]int{
		1:  4,
		2:  4,
		3:  3,
		4:  4,
		5:  4,
		6:  4,
		7:  3,
		8:  4,
		9:  4,
		10: 4,
		11: 4,
	} // the third task has one fold so far
	want := (4*4.0/15 + 3.0/16) / 5
	if got, ok := foldTestRatio(tests, 5); !ok || math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := foldTestRatio(map[int]int{1: 4, 2: 4}, 5); ok {
		t.Error("two of five folds give the sizes of all")
	}
}

// For grouped rows, the share of test rows is that of the drawn rows. A learning curve, which uses a part of
// the training rows, does not change it.
func TestMeasuredTestRatio(t *testing.T) {
	tests := map[int]int{1: 30, 2: 40, 3: 0} // the third was not drawn
	groups := &Data{Split: Split{Holdout: 0.25, Groups: "site"}}
	if got, ok := groups.MeasuredTestRatio(tests, 120); !ok || math.Abs(got-(30./90+40./80)/2) > 1e-15 {
		t.Errorf("%v of groups", got)
	}
	if _, ok := groups.MeasuredTestRatio(tests, 0); ok {
		t.Error("a share of an unknown number of rows")
	}
	groups.Train.N = 20
	if got, ok := groups.MeasuredTestRatio(tests, 120); !ok || math.Abs(got-(30./90+40./80)/2) > 1e-15 {
		t.Errorf("%v of groups, 20 training rows", got)
	}
	folds := &Data{Split: Split{Folds: 2}, Train: Size{N: 20}}
	if got, ok := folds.MeasuredTestRatio(map[int]int{1: 40, 2: 40}, 0); !ok || got != 1 {
		t.Errorf("%v of two folds, 20 training rows", got)
	}
}
