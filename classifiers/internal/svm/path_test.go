package svm

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats"
)

// threeClasses draws n rows of 2 columns about three means.
func threeClasses(n int, seed uint64) (*mat.Dense, []int) {
	rng := randtest.New(seed)
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		labels[i] = i % 3
		x.SetRow(i, []float64{rng.NormFloat64() + 1.5*float64(labels[i]), rng.NormFloat64() - float64(labels[i]%2)})
	}
	return x, labels
}

// TestPathIsTrainForEachCost: the errors are the same as for machines that are trained separately on the
// training rows.
func TestPathIsTrainForEachCost(t *testing.T) {
	x, labels := threeClasses(90, 1)
	costs := []float64{0.01, 0.3, 1, 20, 300}
	for _, kernel := range []Kernel{RBF{0.7}, Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}} {
		path, err := NewPath(t.Context(), kernel, x, labels, 3, PathOptions{costs, 1e-6, 1_000_000, 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		var train, test []int
		for i := range labels {
			if i%4 == 3 {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		got, trained, err := path.Errors(t.Context(), train, test)
		if err != nil || trained != len(costs) {
			t.Fatalf("%d costs trained (%v)", trained, err)
		}
		var want []int
		for _, c := range costs {
			options := Options{C: c, Weights: []float64{1, 1, 1}, Tol: 1e-6, CacheBytes: 1 << 20}
			m, err := Train(t.Context(), kernel, columns.Rows(x, train), pick(labels, train), 3, options)
			if err != nil {
				t.Fatal(err)
			}
			decisions := m.Decisions(columns.Rows(x, test))
			wrong := 0
			for r, i := range test {
				votes := make([]float64, 3)
				method.Vote(stats.Pairs(3), decisions.RawRowView(r), votes)
				if floats.MaxIdx(votes) != labels[i] {
					wrong++
				}
			}
			want = append(want, wrong)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%T: errors %v, trained one by one %v", kernel, got, want)
		}
		if slices.Max(want) == slices.Min(want) {
			t.Errorf("%T: the costs make no difference, so the test has no power", kernel)
		}
	}
}

func TestPathSkipsUnsolvedCosts(t *testing.T) {
	x, labels := threeClasses(60, 2)
	path, err := NewPath(t.Context(), RBF{0.7}, x, labels, 3,
		PathOptions{[]float64{1e-6, 1e6}, 1e-6, 200, 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	train, test := positions(slices.Repeat([]bool{true, true, true, false}, 15)), []int{3, 7, 11}
	wrong, trained, err := path.Errors(t.Context(), train, test)
	if err != nil || trained != 1 || wrong[1] != len(test) {
		t.Errorf("errors %v, %d costs trained (%v)", wrong, trained, err)
	}
}

func pick(labels, rows []int) []int {
	part := make([]int, len(rows))
	for r, i := range rows {
		part[r] = labels[i]
	}
	return part
}

// TestMachinesRefuseAbsentClass: without rows of a class, its machines would vote although they are not
// trained.
func TestMachinesRefuseAbsentClass(t *testing.T) {
	x, labels := threeClasses(30, 1)
	const classes = 4 // no row has the last class
	options := Options{C: 1, Weights: []float64{1, 1, 1, 1}, Tol: 1e-6, CacheBytes: 1 << 20}
	_, err := Train(t.Context(), Linear{}, x, labels, classes, options)
	errtest.Contains(t, err, "belong to one class")
	path, err := NewPath(t.Context(), RBF{1}, x, labels, classes, PathOptions{[]float64{1}, 1e-6, 1_000_000, 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = path.Errors(t.Context(), []int{0, 1, 2, 3, 4, 5}, []int{6})
	errtest.Contains(t, err, "belong to one class")
}
