package glasso

import (
	"context"
	"fmt"
	"math"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/internal/golden"
	"copse/internal/randtest"
)

var tight = Options{PenalizeDiagonal: true, Tolerance: 1e-12}

// columns returns the columns of m.
func columns(m *mat.Dense) [][]float64 {
	_, d := m.Dims()
	x := make([][]float64, d)
	for j := range x {
		x[j] = mat.Col(nil, j, m)
	}
	return x
}

// fit returns an estimate. An error ends the test.
func fit(t *testing.T, s mat.Symmetric, lambda float64, o Options, start *Estimate) *Estimate {
	t.Helper()
	e, err := Fit(t.Context(), s, lambda, o, start)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// readMatrix reads a headless CSV that testdata/golden.R wrote.
func readMatrix(t *testing.T, name string) *mat.Dense {
	t.Helper()
	rows := golden.Lines(t, "testdata/"+name)
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		for j, cell := range row {
			m.Set(i, j, golden.Number(t, cell))
		}
	}
	return m
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

func TestFitMatchesR(t *testing.T) {
	x := readMatrix(t, "data.csv")
	s := Covariance(columns(x), 0)
	for _, rho := range []float64{0.05, 0.2, 0.6} {
		for pen, name := range map[bool]string{true: "pen", false: "nopen"} {
			o := tight
			o.PenalizeDiagonal = pen
			e := fit(t, s, rho, o, nil)
			file := fmt.Sprintf("glasso-%.2f-%s.csv", rho, name)
			want := readMatrix(t, file)
			for i := range 6 {
				for j := range 6 {
					within(t, fmt.Sprintf("%s W[%d,%d]", file, i, j), e.W.At(i, j), want.At(i, j), 1e-8)
					within(t, fmt.Sprintf("%s Theta[%d,%d]", file, i, j), e.Theta.At(i, j), want.At(6+i, j), 1e-7)
				}
			}
		}
	}
}

// randomCovariance returns the covariance of n rows of a d-dimensional chain.
func randomCovariance(rng *rand.Rand, n, d int) *mat.SymDense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			v := rng.NormFloat64()
			if j > 0 {
				v += 0.7 * x.At(i, j-1)
			}
			x.Set(i, j, v)
		}
	}
	return Covariance(columns(x), 0)
}

func TestFitSatisfiesKKT(t *testing.T) {
	rng := randtest.New(1)
	for _, shape := range [][2]int{{50, 5}, {30, 12}, {8, 15}} { // the last is singular
		s := randomCovariance(rng, shape[0], shape[1])
		for _, lambda := range []float64{0.02, 0.1, 0.5} {
			e := fit(t, s, lambda, tight, nil)
			checkKKT(t, s, e)
		}
	}
}

func checkKKT(t *testing.T, s *mat.SymDense, e *Estimate) {
	t.Helper()
	d := s.SymmetricDim()
	var product mat.Dense
	product.Mul(e.W, e.Theta)
	for i := range d {
		within(t, "W diagonal", e.W.At(i, i), s.At(i, i)+e.Lambda, 1e-12)
		for j := range d {
			identity := 0.0
			if i == j {
				identity = 1
			}
			within(t, fmt.Sprintf("(W Theta)[%d,%d]", i, j), product.At(i, j), identity, 1e-7)
			if i == j {
				continue
			}
			gap, theta := e.W.At(i, j)-s.At(i, j), e.Theta.At(i, j)
			if theta != 0 {
				within(t, fmt.Sprintf("gap at edge %d-%d", i, j), gap, math.Copysign(e.Lambda, theta), 1e-8)
			} else if math.Abs(gap) > e.Lambda+1e-10 {
				t.Errorf("gap %v at non-edge %d-%d exceeds lambda %v", gap, i, j, e.Lambda)
			}
		}
	}
}

func TestWarmStartChangesNothing(t *testing.T) {
	s := randomCovariance(randtest.New(2), 40, 10)
	sparse := fit(t, s, 0.3, tight, nil)
	cold := fit(t, s, 0.1, tight, nil)
	warm := fit(t, s, 0.1, tight, sparse)
	if !mat.EqualApprox(cold.Theta, warm.Theta, 1e-8) {
		t.Error("the solution depends on the start")
	}
}

func TestZeroPenaltyInverts(t *testing.T) {
	s := randomCovariance(randtest.New(3), 60, 6)
	e := fit(t, s, 0, tight, nil)
	var inverse mat.Dense
	if err := inverse.Inverse(s); err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(e.Theta, &inverse, 1e-7) {
		t.Error("lambda = 0 does not give the inverse covariance")
	}
}

func TestConstantVariable(t *testing.T) {
	s := mat.NewSymDense(2, []float64{1, 0, 0, 0})
	o := tight
	o.PenalizeDiagonal = false
	if _, err := Fit(t.Context(), s, 0.1, o, nil); err == nil {
		t.Error("no error for a variable without variance")
	}
	if _, err := Fit(t.Context(), s, 0.1, tight, nil); err != nil {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := randomCovariance(randtest.New(4), 60, 6)
	if _, err := Fit(ctx, s, 0.01, tight, nil); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestNonparanormalMatchesHuge(t *testing.T) {
	x, want := readMatrix(t, "data.csv"), readMatrix(t, "npn.csv")
	sd := stat.StdDev(Nonparanormal(mat.Col(nil, 0, x)), nil) // huge divides by the first column's
	for j := range 6 {
		for i, v := range Nonparanormal(mat.Col(nil, j, x)) {
			within(t, fmt.Sprintf("score[%d,%d]", i, j), v/sd, want.At(i, j), 1e-9)
		}
	}
}
