package mutual

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
	"copse/internal/randtest"
)

// TestGolden: R 4.2.2 and KernSmooth 2.23.20, testdata/golden.R; mpmi's own
// numbers for columns 1 and 2 are 0.2039457327 (mi) and 0.1619358486 (bcmi).
func TestGolden(t *testing.T) {
	columns := make([][]float64, 4)
	for i := 1.0; i <= 60; i++ {
		x := math.Sin(i) + i/50
		for j, v := range []float64{x, math.Cos(1.3*i) + 0.5*x, x * x, math.Sin(7 * i * i)} {
			columns[j] = append(columns[j], v)
		}
	}
	bandwidths := make([]float64, 4)
	for _, row := range golden.Read(t, "testdata/golden.csv") {
		quantity, a, want := row.Value["quantity"], row.Int("a")-1, row.Num("value")
		if quantity == "bandwidth" {
			bandwidths[a] = want
			continue
		}
		m := matrixOf(t, columns, bandwidths, quantity == "bcmi")
		if got := m.At(a, row.Int("b")-1); math.Abs(got-want) > 1e-11 {
			t.Errorf("%v: got %.16g", row.Value, got)
		}
	}
}

func matrixOf(t *testing.T, columns [][]float64, bandwidths []float64, jackknife bool) *mat.SymDense {
	t.Helper()
	m, err := Matrix(t.Context(), columns, bandwidths, jackknife)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// plain is the estimate from the rows for which use is true.
func plain(x, y []float64, hx, hy float64, use func(i int) bool) float64 {
	kernel := func(u float64) float64 { return max(0, 1-u*u) }
	sum, n := 0.0, 0.0
	for i := range x {
		if !use(i) {
			continue
		}
		sx, sy, sxy := 0.0, 0.0, 0.0
		for k := range x {
			if use(k) {
				ex, ey := kernel((x[i]-x[k])/hx), kernel((y[i]-y[k])/hy)
				sx, sy, sxy = sx+ex, sy+ey, sxy+ex*ey
			}
		}
		sum += math.Log(sxy / (sx * sy))
		n++
	}
	return sum/n + math.Log(n)
}

// The product of all leave-one-out factors equals the loop over all left-out
// rows, also when kernels are so narrow that rows stand alone.
func TestMatrixIsPlainFormula(t *testing.T) {
	for _, n := range []int{3, 4, 17, 50} {
		columns := randtest.NormalColumns(4, n, uint64(n))
		for i := range n {
			columns[1][i] += columns[0][i]
			columns[3][i] = math.Round(columns[3][i])
		}
		h := []float64{1, 0.7, 0.05, 0.5}
		raw := matrixOf(t, columns, h, false)
		corrected := matrixOf(t, columns, h, true)
		for a := range columns {
			for b := range columns {
				x, y := columns[a], columns[b]
				want := plain(x, y, h[a], h[b], func(int) bool { return true })
				if math.Abs(raw.At(a, b)-want) > 1e-12 {
					t.Errorf("n = %d, pair %d, %d: mi %g, want %g", n, a, b, raw.At(a, b), want)
				}
				size := float64(n)
				want *= size
				for left := range n {
					want -= (size - 1) / size * plain(x, y, h[a], h[b], func(i int) bool { return i != left })
				}
				if math.Abs(corrected.At(a, b)-want) > 1e-10 {
					t.Errorf("n = %d, pair %d, %d: bcmi %g, want %g", n, a, b, corrected.At(a, b), want)
				}
			}
		}
	}
}

// A constant column carries no information, whatever its bandwidth; fewer than
// three rows give none.
func TestDegenerate(t *testing.T) {
	columns := randtest.NormalColumns(3, 30, 1)
	for i := range columns[1] {
		columns[1][i] = 4
	}
	for _, jackknife := range []bool{false, true} {
		m := matrixOf(t, columns, []float64{1, 0, 1}, jackknife)
		for a := range columns {
			if math.Abs(m.At(a, 1)) > 1e-12 {
				t.Errorf("column %d with the constant one: %g", a, m.At(a, 1))
			}
		}
		few := matrixOf(t, randtest.NormalColumns(2, 2, 2), []float64{1, 1}, jackknife)
		if few.At(0, 1) != 0 {
			t.Errorf("two rows: %g", few.At(0, 1))
		}
	}
}

// The information of independent columns is near 0 once corrected, that of a
// Gaussian pair with correlation r near -log(1-r^2)/2.
func TestGaussianPair(t *testing.T) {
	columns := randtest.NormalColumns(3, 400, 3)
	const r = 0.8
	for i := range columns[1] {
		columns[1][i] = r*columns[0][i] + math.Sqrt(1-r*r)*columns[1][i]
	}
	h := []float64{0.6, 0.6, 0.6}
	m := matrixOf(t, columns, h, true)
	if want := -math.Log(1-r*r) / 2; math.Abs(m.At(0, 1)-want) > 0.15 {
		t.Errorf("dependent pair: %g, closed form %g", m.At(0, 1), want)
	}
	if math.Abs(m.At(0, 2)) > 0.05 {
		t.Errorf("independent pair: %g", m.At(0, 2))
	}
}

func TestMatrixStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Matrix(ctx, randtest.NormalColumns(2, 5, 4), []float64{1, 1}, false); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func BenchmarkRaw(b *testing.B)       { benchmark(b, false) }
func BenchmarkCorrected(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, jackknife bool) {
	columns := randtest.NormalColumns(20, 500, 1)
	h := make([]float64, 20)
	for j := range h {
		h[j] = 0.7
	}
	for b.Loop() {
		if _, err := Matrix(b.Context(), columns, h, jackknife); err != nil {
			b.Fatal(err)
		}
	}
}
