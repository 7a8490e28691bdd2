package elasticnet

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
)

// In the plane, a direction that separates rows can be turned until its line passes through two rows, so the
// test tries the lines through all pairs of rows.
func TestHasMaximum(t *testing.T) {
	rng := randtest.New(1)
	counts := map[bool]int{}
	for range 400 {
		const n = 9
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			y[i] = i % 2
			x.SetRow(i, []float64{float64(rng.Intn(4) + y[i]), float64(rng.Intn(3))})
		}
		problem, err := New(x, y, ones(2), 0, true)
		if err != nil {
			t.Fatal(err)
		}
		path, err := problem.path(t.Context(), append(problem.Penalties(10, 1e-8), 0), 1e-7,
			func(float64, float64) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		want := !someLineSeparates(x, y)
		counts[want]++
		if got := problem.HasMaximum(&path[max(0, len(path)-2)]); got != want {
			t.Errorf("has a maximum: %v, want %v\n%v\n%v", got, want, mat.Formatted(x.T()), y)
		}
	}
	if min(counts[true], counts[false]) < 50 {
		t.Errorf("the test is one-sided: %v", counts)
	}
}

// someLineSeparates reports whether a line through two rows has no row on the wrong side, and some row that is
// not on the line.
func someLineSeparates(x *mat.Dense, y []int) bool {
	for i := range y {
		for j := range y {
			a, b := x.At(j, 1)-x.At(i, 1), x.At(i, 0)-x.At(j, 0) // normal of the line
			wrong, apart := false, false
			for r := range y {
				side := a*(x.At(r, 0)-x.At(i, 0)) + b*(x.At(r, 1)-x.At(i, 1))
				if y[r] == 0 {
					side = -side
				}
				wrong = wrong || side < 0
				apart = apart || side != 0
			}
			if !wrong && apart {
				return true
			}
		}
	}
	return false
}
