package spanning

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
)

// The result is compared with all parent maps without cycles.
func TestArborescenceIsHeaviest(t *testing.T) {
	rng := randtest.New(1)
	for d := 1; d <= 5; d++ {
		for trial := range 60 {
			w := mat.NewDense(d, d, nil)
			for u := range d {
				for v := range d {
					w.Set(u, v, rng.NormFloat64())
					if trial%3 == 0 { // ties
						w.Set(u, v, float64(rng.Intn(3)-1))
					}
					if trial%3 == 1 { // cycles
						w.Set(u, v, w.At(u, v)+3*float64((v-u+d)%d))
					}
				}
			}
			for _, spanning := range []bool{true, false} {
				parent := Arborescence(w, spanning)
				if findCycle(parent) != nil || spanning && roots(parent) != 1 {
					t.Fatalf("d = %d: parents %v", d, parent)
				}
				if got, want := weightOf(w, parent), heaviest(w, spanning); math.Abs(got-want) > 1e-12 {
					t.Errorf("d = %d, spanning %v: %v weighs %v, the heaviest %v", d, spanning, parent, got, want)
				}
			}
		}
	}
}

func roots(parent []int) (count int) {
	for _, u := range parent {
		if u < 0 {
			count++
		}
	}
	return count
}

func weightOf(w *mat.Dense, parent []int) (sum float64) {
	for v, u := range parent {
		if u >= 0 {
			sum += w.At(u, v)
		}
	}
	return sum
}

// heaviest enumerates the parent maps.
func heaviest(w *mat.Dense, spanning bool) float64 {
	d, _ := w.Dims()
	parent, best := make([]int, d), math.Inf(-1)
	var choose func(v int)
	choose = func(v int) {
		if v == d {
			if findCycle(parent) == nil && (!spanning || roots(parent) == 1) {
				best = max(best, weightOf(w, parent))
			}
			return
		}
		for u := -1; u < d; u++ {
			if u != v {
				parent[v] = u
				choose(v + 1)
			}
		}
	}
	choose(0)
	return best
}

// If there are no ties, the order of the vertices does not matter.
func TestArborescenceOfLargeGraph(t *testing.T) {
	const d = 60
	rng := randtest.New(2)
	w, permuted, order := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil), rng.Perm(d)
	for u := range d {
		for v := range d {
			w.Set(u, v, rng.NormFloat64())
			permuted.Set(order[u], order[v], w.At(u, v))
		}
	}
	parent, other := Arborescence(w, true), Arborescence(permuted, true)
	for v, u := range parent {
		want := -1
		if u >= 0 {
			want = order[u]
		}
		if other[order[v]] != want {
			t.Errorf("vertex %d: parent %d, renamed %d", v, u, other[order[v]])
		}
	}
}
