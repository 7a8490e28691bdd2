package nearest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
)

// bruteForce sorts all rows by the distance of the package.
func bruteForce(x *mat.Dense, q []float64, k int) []Neighbour {
	n, _ := x.Dims()
	all := make([]Neighbour, n)
	for i := range all {
		all[i].Row = i
		for j, v := range q {
			all[i].Square += (v - x.At(i, j)) * (v - x.At(i, j))
		}
	}
	slices.SortStableFunc(all, func(a, b Neighbour) int { return cmp.Compare(a.Square, b.Square) })
	return all[:k]
}

func TestNearestIsBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: compares neighbours of many samples")
	}
	rng := randtest.New(1)
	for _, data := range []struct {
		name string
		draw func() float64
	}{
		{"normal", rng.NormFloat64},
		{"ties", func() float64 { return float64(rng.Intn(3)) }},
		{"far from zero", func() float64 { return 1e8 + float64(rng.Intn(1000))/1024 }},
		{"two scales", func() float64 { return rng.NormFloat64() * math.Pow(1e6, float64(rng.Intn(2))) }},
		{"tiny", func() float64 { return 1e-170 * rng.NormFloat64() }},
		{"overflowing", func() float64 { return 1e200 * rng.NormFloat64() }},
		{"constant", func() float64 { return 1.0 / 3 }},
	} {
		for _, d := range []int{1, 2, 7, 20} {
			t.Run(fmt.Sprintf("%s,d=%d", data.name, d), func(t *testing.T) {
				x := mat.NewDense(panelRows+40, d, nil)
				x.Apply(func(int, int, float64) float64 { return data.draw() }, x)
				screen, tree := newScreen(x), &Index{n: panelRows + 40, d: d, tree: newTree(x)}
				for _, k := range []int{1, 5, panelRows + 40} {
					points := mat.NewDense(pointBlock+7, d, nil)
					points.Apply(func(int, int, float64) float64 { return data.draw() }, points)
					for name, index := range map[string]*Index{"screened": screen, "from the tree": tree} {
						next := 0
						index.Nearest(k, points, func(i int, got []Neighbour) {
							if want := bruteForce(x, points.RawRowView(i), k); i != next || !slices.Equal(got, want) {
								t.Fatalf("k = %d, point %d: %s %v, want %v", k, i, name, got, want)
							}
							next++
						})
						if next != pointBlock+7 {
							t.Fatalf("%d points", next)
						}
					}
				}
			})
		}
	}
}

// Splits terminate, also between adjacent floating-point numbers and for equal rows.
func TestTreeOfNeighbouringNumbers(t *testing.T) {
	x := mat.NewDense(100, 1, nil)
	for i := range 100 {
		x.Set(i, 0, 1)
		if i%2 == 1 {
			x.Set(i, 0, math.Nextafter(1, 2))
		}
	}
	q := []float64{2}
	if got, want := newTree(x).search(nil, 60, q, 0), bruteForce(x, q, 60); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, size := range []struct{ n, d int }{{1000, 20}, {20000, 20}, {1000, 200}, {20000, 2}, {20000, 6}} {
		b.Run(fmt.Sprintf("n=%d,d=%d", size.n, size.d), func(b *testing.B) {
			rng := randtest.New(1)
			x := mat.NewDense(size.n, size.d, nil)
			x.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, x)
			index, points := New(x), x.Slice(0, 100, 0, size.d).(*mat.Dense)
			for b.Loop() { // a hundred points
				index.Nearest(5, points, func(int, []Neighbour) {})
			}
		})
	}
}
