package svm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"copse/internal/randtest"
)

// The selection consists of the first of the sorted rows, whatever their order and ties.
func TestFurthest(t *testing.T) {
	rng := randtest.New(3)
	for range 3000 {
		n, levels := rng.Intn(60), 1+rng.Intn(40)
		v := make([]distance, n)
		for i := range v {
			v[i] = distance{float64(rng.Intn(levels)), i}
		}
		switch rng.Intn(4) {
		case 0:
			slices.Reverse(v)
		case 1:
			rng.Shuffle(n, func(i, j int) { v[i], v[j] = v[j], v[i] })
		}
		sorted := slices.Clone(v)
		slices.SortFunc(sorted, distance.compare)
		k := rng.Intn(n + 5)
		if got, want := furthest(v, k), sorted[:min(k, n)]; !slices.Equal(got, want) {
			t.Fatalf("first %d of %d: %v, want %v", k, n, got, want)
		}
	}
}

// few is a matrix with values only for the largest working set.
type few struct {
	matrix
	rows int
}

func (m few) largestSet() int { return m.rows }

// The working set consists of the sorted rows in turn.
func TestCandidates(t *testing.T) {
	rng := randtest.New(5)
	for range 3000 {
		n, most, levels := 2+rng.Intn(90), 2+rng.Intn(40), 1+rng.Intn(60)
		s := newSolver(few{rows: most}, make([]float64, n), 1, 1e-3, nil)
		var kinds [2][]distance
		for i := range n {
			s.f[i], s.lo[i], s.hi[i], s.b[i] = float64(rng.Intn(levels)), 0, 2, float64(rng.Intn(3))
		}
		s.measureGap()
		for i, v := range s.f {
			if s.b[i] < 2 && v > s.fLow {
				kinds[0] = append(kinds[0], distance{v, i})
			}
			if s.b[i] > 0 && v < s.fUp {
				kinds[1] = append(kinds[1], distance{-v, i})
			}
		}
		var want []int
		for _, kind := range kinds {
			slices.SortFunc(kind, distance.compare)
		}
		for r := range n {
			for _, kind := range kinds {
				if r < len(kind) && len(want) < most && !slices.Contains(want, kind[r].row) {
					want = append(want, kind[r].row)
				}
			}
		}
		slices.Sort(want)
		if got := s.candidates(); !slices.Equal(got, want) {
			t.Fatalf("at most %d of %d rows: %v, want %v", most, n, got, want)
		}
	}
}

// The two solutions are lapack64's.
func TestSolveTwo(t *testing.T) {
	rng := randtest.New(4)
	for n := 1; n < 140; n += 1 + n/9 {
		k := blas64.Symmetric{N: n, Stride: n, Data: make([]float64, n*n), Uplo: blas.Upper}
		square := blas64.General{Rows: n, Cols: n, Stride: n, Data: randtest.Normals(rng, n*n)}
		blas64.Syrk(blas.NoTrans, 1, square, 0, k)
		for i := range n {
			k.Data[i*n+i] += float64(n)
		}
		u, ok := lapack64.Potrf(k)
		if !ok {
			t.Fatalf("n = %d: not positive definite", n)
		}
		x, y := make([]float64, n), make([]float64, n)
		both := blas64.General{Rows: n, Cols: 2, Stride: 2, Data: make([]float64, 2*n)}
		for i := range n {
			x[i], y[i] = rng.NormFloat64(), 1
			both.Data[2*i], both.Data[2*i+1] = x[i], y[i]
		}
		lapack64.Potrs(u, both)
		solveTwo(u.Data, x, y)
		for i := range n {
			if !(math.Abs(x[i]-both.Data[2*i]) < 1e-13 && math.Abs(y[i]-both.Data[2*i+1]) < 1e-13) {
				t.Fatalf("n = %d, row %d: %v and %v, want %v", n, i, x[i], y[i], both.Data[2*i:2*i+2])
			}
		}
	}
}
