package machines

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

func TestNearestClassScale(t *testing.T) {
	column := func(values ...float64) *mat.Dense { return mat.NewDense(len(values), 1, values) }
	same := append(make([]float64, 20), slices.Repeat([]float64{3}, 30)...)
	first, last := stats.Indices(20), stats.Indices(50)[20:]
	for _, test := range []struct {
		name    string
		x       *mat.Dense
		classes [2][]int
		most    int
		want    float64
		ok      bool
	}{
		{"an odd number", column(0, 10, 1, 4, 8), [2][]int{{0, 1}, {2, 3, 4}}, 100, 2, true},
		{"an even number", column(0, 10, 1, 4, 8, 20), [2][]int{{0, 1}, {2, 3, 4, 5}}, 100, 3, true},
		{"from class 1 to class 0", column(0, 10, 20, 1), [2][]int{{0, 1, 2}, {3}}, 100, 1, true},
		{"distances of zero", column(1, 10, 1, 4, 8), [2][]int{{0, 1}, {2, 3, 4}}, 100, 3, true},
		{"coinciding rows", column(1, 1, 1, 1, 2), [2][]int{{0, 1}, {2, 3, 4}}, 100, math.Inf(1), false},
		{"samples of both classes", column(same...), [2][]int{first, last}, 5, 3 * math.Sqrt(5.0/20*5/30), true},
		{"a sample of one", column(same...), [2][]int{first, last}, 25, 3 * math.Sqrt(25.0/30), true},
		{
			"two columns", mat.NewDense(4, 2, []float64{0, 0, 0, 0, 3, 4, 3, 4}), [2][]int{{0, 1}, {2, 3}},
			1, 5 * math.Pow(1.0/4, 1.0/4), true,
		},
	} {
		got, ok, err := nearestClassScale(t.Context(), test.x, test.classes, test.most, randtest.New(1))
		if err != nil || ok != test.ok || got != test.want && math.Abs(got-test.want) > 1e-14 {
			t.Errorf("%s: %v, %v, error %v; want %v", test.name, got, ok, err, test.want)
		}
	}
}

// The sample is drawn without replacement: the median over two of three rows is the mean of two different
// distances.
func TestNearestClassScaleSample(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 4, 16})
	shrink := math.Sqrt(2.0 / 3)
	seen := map[float64]int{}
	rng := randtest.New(1)
	for range 300 {
		s, _, _ := nearestClassScale(t.Context(), x, [2][]int{{0}, {1, 2, 3}}, 2, rng)
		seen[math.Round(s/shrink*1e9)/1e9]++
	}
	// Binomial(300, 1/3): mean 100, standard deviation 8.2.
	for _, want := range []float64{2.5, 8.5, 10} {
		if seen[want] < 60 || seen[want] > 140 {
			t.Errorf("distance %v in %d of 300 samples", want, seen[want])
		}
	}
	if len(seen) != 3 {
		t.Errorf("distances %v", seen)
	}
}

// The machine equals libsvm's with gamma = 1/s^2, which is tested by golden values.
func TestSVMMatlabScale(t *testing.T) {
	train, all, _ := methodtest.Classics(t, 2)
	scaled, plain := NewSVM(), NewSVM()
	scaled.KernelScale, scaled.Standardise, plain.Standardise = matlabScale, false, false
	s, _, err := nearestClassScale(
		t.Context(),
		train.X,
		[2][]int{train.ClassRows(0), train.ClassRows(1)},
		100,
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	plain.Gamma = 4 / (s * s)
	methodtest.SameScores(t, methodtest.Fit(t, scaled, train), methodtest.Fit(t, plain, train), all.X, 1e-9)

	three, _, _ := methodtest.Classics(t, 3)
	if _, err := scaled.Fit(t.Context(), three, randtest.New(1)); err == nil {
		t.Error("takes three classes")
	}
	coinciding := dataset.New(mat.NewDense(4, 1, []float64{1, 1, 1, 1}), []int{0, 0, 1, 1}, 2)
	if w := methodtest.Fit(t, scaled, coinciding).Warnings; len(w) != 1 {
		t.Errorf("warnings %q", w)
	}
}
