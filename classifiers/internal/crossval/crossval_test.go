package crossval

import (
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
)

func TestCountErrors(t *testing.T) {
	fold := []int{0, 1, 2, 0, 1, 2, 0}
	var tested []int
	got, err := CountErrors(t.Context(), fold, 3, func(train, test []int) ([]int, error) {
		for _, i := range test {
			if slices.Contains(train, i) {
				t.Errorf("row %d is in both parts", i)
			}
		}
		if len(train)+len(test) != len(fold) {
			t.Errorf("parts of %d and %d rows", len(train), len(test))
		}
		tested = append(tested, test...)
		return []int{len(test), 1}, nil
	})
	if err != nil || !slices.Equal(got, []int{7, 3}) {
		t.Errorf("errors %v (%v), want [7 3]", got, err)
	}
	if slices.Sort(tested); !slices.Equal(tested, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("rows tested: %v", tested)
	}
}

func TestCountErrorsStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := CountErrors(ctx, []int{0, 1, 2}, 3, func([]int, []int) ([]int, error) {
		calls++
		cancel()
		return []int{0}, nil
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	broken := errors.New("broken")
	if _, err := CountErrors(t.Context(), []int{0, 1}, 2,
		func([]int, []int) ([]int, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestBest(t *testing.T) {
	if got := Best([]int{3, 2, 5, 2}); got != 1 {
		t.Errorf("candidate %d", got)
	}
}

// labelled returns a set of one constant attribute with three classes.
func labelled(y []int) *dataset.Set { return dataset.New(mat.NewDense(len(y), 1, nil), y, 3) }

// Folds keep groups together. There are at most as many folds as groups, and each fold leaves rows of every class.
func TestFoldsKeepGroupsTogether(t *testing.T) {
	train := labelled([]int{0, 0, 1, 1, 0, 0, 1, 1})
	train.Groups = []int{3, 3, 3, 3, 9, 9, 9, 9}
	fold, folds, err := Folds(train, 4, ClassesByFirstRow, randtest.New(1))
	want := []int{0, 0, 0, 0, 1, 1, 1, 1}
	if err != nil || folds != 2 || !slices.Equal(dataset.NumberDistinct(fold), want) {
		t.Errorf("%d folds %v, error %v", folds, fold, err)
	}
	train.Groups = make([]int, train.N())
	_, _, err = Folds(train, 4, ClassesByFirstRow, randtest.New(1))
	errtest.Contains(t, err, "all training rows are in the same group")
	train.Groups = []int{0, 1, 2, 2, 3, 4, 2, 2} // class 1 is in group 2 only
	_, _, err = Folds(train, 4, ClassesByFirstRow, randtest.New(1))
	errtest.Contains(t, err, `too few groups contain class "1"`)
}

// Rows are assigned to folds class by class. By default, the classes are ordered by their first rows, so that
// exchanging two classes changes nothing.
func TestFoldsTakeClassesByTheirFirstRows(t *testing.T) {
	y := []int{1, 0, 0, 2, 1, 0, 2, 2, 1, 0, 1}
	swapped := make([]int, len(y))
	for i, c := range y {
		swapped[i] = []int{1, 0, 2}[c]
	}
	deal := func(y []int, o Order) []int {
		fold, folds, err := Folds(labelled(y), 4, o, randtest.New(1))
		if err != nil || folds != 4 {
			t.Fatalf("%d folds, error %v", folds, err)
		}
		return fold
	}
	if a, b := deal(y, ClassesByFirstRow), deal(swapped, ClassesByFirstRow); !slices.Equal(a, b) {
		t.Errorf("folds %v, with other names %v", a, b)
	}
	want := datasettest.Folds(t, y, 4, randtest.New(1))
	if got := deal(y, ClassesByCode); !slices.Equal(got, want) {
		t.Errorf("by code: folds %v, want %v", got, want)
	}
	if got := ClassOrder(y, 3, ClassesByFirstRow); !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("classes in the order %v", got)
	}
}
