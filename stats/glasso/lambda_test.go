package glasso

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
)

func TestGridSpansEmptyToDense(t *testing.T) {
	s := randomCovariance(randtest.New(5), 50, 8)
	grid := Grid(s, 5, 0.01)
	for k, edges := range []bool{false, true} {
		e := fit(t, s, grid[k], tight, nil)
		if (e.Edges() > 0) != edges {
			t.Errorf("penalty %d leaves %d edges", k, e.Edges())
		}
	}
	within(t, "last penalty", grid[4], grid[0]*0.01, 1e-15)
	within(t, "log spacing", grid[1]*grid[1], grid[0]*grid[2], 1e-14)
	if got := Grid(mat.NewSymDense(1, []float64{2}), 5, 0.1); len(got) != 1 || got[0] != 0 {
		t.Errorf("grid of one variable: %v", got)
	}
}

// At lambda = 0 the likelihood is the saturated one, -(log det S + d)/2.
func TestLogLikelihoodSaturated(t *testing.T) {
	s := randomCovariance(randtest.New(6), 50, 4)
	e := fit(t, s, 0, tight, nil)
	got, err := e.LogLikelihood(s)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "log-likelihood", got, -(math.Log(mat.Det(s))+4)/2, 1e-9)
}

// A chain of strong links has d-1 edges; both criteria must keep its links, and
// EBIC may not be denser than BIC.
func TestChoicesRecoverChain(t *testing.T) {
	rng := randtest.New(7)
	n, d := 400, 6
	x := mat.NewDense(n, d, nil)
	fold := make([]int, n)
	for i := range n {
		fold[i] = i % 5
		for j := range d {
			v := rng.NormFloat64()
			if j > 0 {
				v = 0.6*x.At(i, j-1) + 0.8*v
			}
			x.Set(i, j, v)
		}
	}
	s := Covariance(columns(x), 0)
	grid := Grid(s, 10, 0.01)
	bic, err := ChooseEBIC(t.Context(), s, n, grid, 0, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	ebic, err := ChooseEBIC(t.Context(), s, n, grid, 0.5, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	cv, err := ChooseCV(t.Context(), columns(x), 0, fold, 5, grid, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]*Estimate{"bic": bic, "ebic": ebic, "cv": cv} {
		for j := 1; j < d; j++ {
			if e.Theta.At(j-1, j) >= 0 {
				t.Errorf("%s loses the link %d-%d", name, j-1, j)
			}
		}
	}
	if ebic.Edges() > bic.Edges() || bic.Edges() == d*(d-1)/2 {
		t.Errorf("edges: ebic %d, bic %d", ebic.Edges(), bic.Edges())
	}
	if got := cv.Neighbours()[0]; len(got) == 0 || got[0] != 1 {
		t.Errorf("neighbours of the first variable: %v", got)
	}
}

func TestChooseCVNeedsRows(t *testing.T) {
	if _, err := ChooseCV(t.Context(), [][]float64{{1, 3, 5}, {2, 4, 7}}, 0, []int{0, 0, 0}, 2, []float64{0.1},
		tight); err == nil {
		t.Error("no error for an empty fold")
	}
}
