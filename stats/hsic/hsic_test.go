package hsic

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
	"copse/internal/randtest"
)

// goldenColumns are the columns of testdata/golden.R.
func goldenColumns() [][]float64 {
	columns := make([][]float64, 5)
	for i := 1.0; i <= 60; i++ {
		x := math.Sin(i) + i/50
		fifth := 0.0
		if math.Mod(i, 5) == 0 {
			fifth = 1
		}
		for j, v := range []float64{x, math.Cos(1.3*i) + 0.5*x, x * x, math.Mod(i, 3), fifth} {
			columns[j] = append(columns[j], v)
		}
	}
	return columns
}

func matrixOf(t *testing.T, columns [][]float64) *mat.SymDense {
	t.Helper()
	m, err := Matrix(t.Context(), columns)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGolden: R 4.2.2, testdata/golden.R; dHSIC's own numbers for columns 1 and
// 2 are bandwidths 0.5714946352, 0.570738309 and HSIC 0.01292153409.
func TestGolden(t *testing.T) {
	columns := goldenColumns()
	m := matrixOf(t, columns)
	for _, row := range golden.Read(t, "testdata/golden.csv") {
		var got float64
		if a := row.Int("a") - 1; row.Value["quantity"] == "bandwidth" {
			got = bandwidth(columns[a])
		} else {
			got = m.At(a, row.Int("b")-1)
		}
		if math.Abs(got-row.Num("value")) > 1e-13 {
			t.Errorf("%v: got %.16g", row.Value, got)
		}
	}
}

// plain is the trace formula n^-2 tr(K H L H) with explicit centring.
func plain(x, y []float64) float64 {
	centred := func(x []float64) [][]float64 {
		n, b := len(x), bandwidth(x)
		k := make([][]float64, n)
		means, grand := make([]float64, n), 0.0
		for i := range k {
			k[i] = make([]float64, n)
			for j := range k[i] {
				k[i][j] = math.Exp(-(x[i] - x[j]) * (x[i] - x[j]) / (2 * b * b))
				means[i] += k[i][j] / float64(n)
			}
			grand += means[i] / float64(n)
		}
		for i := range k {
			for j := range k[i] {
				k[i][j] += grand - means[i] - means[j]
			}
		}
		return k
	}
	k, l := centred(x), centred(y)
	sum := 0.0
	for i := range k {
		for j := range k[i] {
			sum += k[i][j] * l[i][j]
		}
	}
	return sum / float64(len(x)*len(x))
}

// The blocked Gram matrix equals the plain formula, below and beyond the size
// of a block.
func TestMatrixIsPlainFormula(t *testing.T) {
	for _, n := range []int{1, 2, 3, 40, 130} {
		columns := randtest.NormalColumns(5, n, 1)
		for i := range n {
			columns[1][i] += columns[0][i] * columns[0][i]
			columns[3][i] = math.Round(columns[3][i])
		}
		m := matrixOf(t, columns)
		for a := range columns {
			for b := range columns {
				if want := plain(columns[a], columns[b]); math.Abs(m.At(a, b)-want) > 1e-13 {
					t.Errorf("n = %d, pair %d, %d: %g, want %g", n, a, b, m.At(a, b), want)
				}
			}
		}
	}
}

func TestBandwidthIsUpperMedian(t *testing.T) {
	rng := randtest.New(2)
	for n := 2; n < 40; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
			if n%3 == 0 {
				x[i] = math.Round(2 * x[i])
			}
		}
		var distances []float64
		for i := range x {
			for j := range i {
				distances = append(distances, math.Abs(x[i]-x[j]))
			}
		}
		slices.Sort(distances)
		want := distances[len(distances)/2] / math.Sqrt2
		if want == 0 {
			want = degenerateBandwidth
		}
		if got := bandwidth(x); got != want {
			t.Errorf("n = %d: got %g, want %g", n, got, want)
		}
	}
}

// HSIC with the median heuristic does not change under affine maps of a column, is zero with a constant
// column and increases with dependence.
func TestLaws(t *testing.T) {
	columns := randtest.NormalColumns(4, 200, 3)
	for i := range columns[0] {
		columns[1][i] = columns[0][i] + 0.5*columns[1][i]
		columns[3][i] = 7
	}
	m := matrixOf(t, columns)
	if m.At(0, 1) < 10*m.At(0, 2) {
		t.Errorf("dependent pair %g, independent pair %g", m.At(0, 1), m.At(0, 2))
	}
	for j := range columns {
		if m.At(j, 3) != 0 {
			t.Errorf("constant column: HSIC %g with column %d", m.At(j, 3), j)
		}
	}
	mapped := make([]float64, 200)
	for i, v := range columns[0] {
		mapped[i] = 1e6 - 30*v
	}
	if got := pairOf(t, columns[1], mapped); math.Abs(got-m.At(0, 1)) > 1e-10 {
		t.Errorf("after an affine map %g, before %g", got, m.At(0, 1))
	}
	for _, factor := range []float64{1e-200, 1e300} {
		for i, v := range columns[0] {
			mapped[i] = factor * v
		}
		if got := pairOf(t, columns[1], mapped); math.Abs(got-m.At(0, 1)) > 1e-14 {
			t.Errorf("in units of %g: %g, want %g", factor, got, m.At(0, 1))
		}
	}
}

func TestMatrixStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Matrix(ctx, randtest.NormalColumns(3, 300, 4)); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func BenchmarkMatrix(b *testing.B) {
	columns := randtest.NormalColumns(20, 500, 1)
	for b.Loop() {
		if _, err := Matrix(b.Context(), columns); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBandwidth(b *testing.B) {
	x := randtest.NormalColumns(1, 500, 1)[0]
	for b.Loop() {
		bandwidth(x)
	}
}

// Dependence does not depend on units, also if most values are equal.
func TestUnits(t *testing.T) {
	x, y := make([]float64, 60), make([]float64, 60)
	for i := range x {
		y[i] = math.Sin(float64(3 * i))
		if i%5 == 0 {
			x[i] = y[i] + 2
		}
	}
	want := matrixOf(t, [][]float64{x, y})
	for _, unit := range []float64{1e-6, 1e5} {
		z := make([]float64, len(x))
		for i, v := range x {
			z[i] = v * unit
		}
		if got, _ := Matrix(t.Context(), [][]float64{z, y}); !(math.Abs(got.At(0, 1)/want.At(0, 1)-1) < 1e-9) {
			t.Errorf("unit %g: %v, before %v", unit, got.At(0, 1), want.At(0, 1))
		}
	}
}

// pairOf returns the HSIC of two columns.
func pairOf(t *testing.T, x, y []float64) float64 {
	t.Helper()
	m := matrixOf(t, [][]float64{x, y})
	return m.At(0, 1)
}
