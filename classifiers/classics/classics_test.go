package classics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

func TestKNNGolden(t *testing.T) {
	train, all, g := methodtest.Classics(t, 2)
	labels := methodtest.Fit(t, &KNN{K: 5}, train).Predict(all.X)
	methodtest.CheckColumn(t, g, "near", func(i int) float64 { return float64(labels[i]) }, 0)
}

// TestKNNTies: if classes have equally many neighbours, the class of the nearest one wins, whatever its code.
func TestKNNTies(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 3, 4, 10})
	query := mat.NewDense(2, 1, []float64{1, 2})
	for _, test := range []struct{ labels, want []int }{
		{[]int{0, 1, 1, 0}, []int{0, 1}},
		{[]int{1, 0, 0, 1}, []int{1, 0}},
	} {
		rule := methodtest.Fit(t, &KNN{K: 2}, dataset.New(x, test.labels, 2))
		for i, got := range rule.Predict(query) {
			if got != test.want[i] {
				t.Errorf("labels %v, query %g: class %d", test.labels, query.At(i, 0), got)
			}
		}
	}
}

func TestLDAGolden(t *testing.T) {
	train, all, g := methodtest.Classics(t, 3)
	p := methodtest.Fit(t, NewLDA(), train).Probabilities(all.X)
	for c, name := range []string{"lda.0", "lda.1", "lda.2"} {
		methodtest.CheckColumn(t, g, name, func(i int) float64 { return p.At(i, c) }, 1e-12)
	}
}

// TestLDAKeepsADirection: even with a tolerance next to 1, the direction with the largest variance remains.
func TestLDAKeepsADirection(t *testing.T) {
	lda := NewLDA()
	lda.Tolerance = math.Nextafter(1, 0)
	for seed := range uint64(20) {
		methodtest.Fit(t, lda, methodtest.Gaussians(50, 1, 2, seed))
	}
}

// TestLDACollinear: a copy of a column does not change the result.
func TestLDACollinear(t *testing.T) {
	train, all, _ := methodtest.Classics(t, 3)
	want := methodtest.Fit(t, NewLDA(), train).Scores(all.X)
	wider := func(s *dataset.Set) *dataset.Set {
		x := mat.NewDense(s.N(), 5, nil)
		x.Slice(0, s.N(), 0, 4).(*mat.Dense).Copy(s.X)
		for i := range s.N() {
			x.Set(i, 4, 3-2*s.X.At(i, 0))
		}
		return dataset.New(x, s.Y, 3)
	}
	rule := methodtest.Fit(t, NewLDA(), wider(train))
	if !mat.EqualApprox(rule.Scores(wider(all).X), want, 1e-9) {
		t.Error("scores differ")
	}
	if len(rule.Warnings) != 1 {
		t.Errorf("warnings %q", rule.Warnings)
	}
}

// TestForestGolden: the mean test errors of our forests and of R's randomForest agree within their Monte
// Carlo errors.
func TestForestGolden(t *testing.T) {
	const fits, goldenFits = 200, 400
	g := golden.Columns(t, "../testdata/classics-forest.csv")
	for k, classes := range g["classes"] {
		train, all, _ := methodtest.Classics(t, int(classes))
		test := all.Subset(stats.Indices(200)[120:])
		rng := randtest.New(1)
		var sum float64
		for range fits {
			rule, err := (&Forest{Trees: 50}).Fit(t.Context(), train, rng)
			if err != nil {
				t.Fatal(err)
			}
			sum += methodtest.ErrorRate(rule, test) / fits
		}
		se := g["sd"][k] * math.Sqrt(1.0/fits+1.0/goldenFits)
		if math.Abs(sum-g["mean"][k]) > 3.5*se {
			t.Errorf(
				"%g classes: mean error %.4f, randomForest's %.4f, standard error of the difference %.4f",
				classes,
				sum,
				g["mean"][k],
				se,
			)
		}
	}
}
