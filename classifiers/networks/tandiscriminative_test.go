package networks

import (
	"math"
	"testing"

	"copse/classifiers/internal/columns"

	"gonum.org/v1/gonum/floats"
)

// TestDiscriminativeTreesAreTheBest: among all pairs of trees of four variables, the fitted pair has the
// largest approximate J-divergence. The divergence is summed over all 81 cells by its definition.
func TestDiscriminativeTreesAreTheBest(t *testing.T) {
	train := codes(200, 4, 3)
	rows, levels := make([][]int, train.N()), []int{3, 3, 3, 3}
	for i := range rows {
		for _, v := range train.X.RawRowView(i) {
			rows[i] = append(rows[i], int(v))
		}
	}
	c := newWeightedSample(rows, train.Y, levels, 0, 1e-10)
	found := c.contrast(false)
	share := func(class, i, j int, row []int) float64 {
		hits, n := 0.0, 0.0
		for r, other := range rows {
			if train.Y[r] == class {
				n++
				if other[i] == row[i] && other[j] == row[j] {
					hits++
				}
			}
		}
		return max(hits/n, 1e-10)
	}
	logTree := func(class int, edges [][2]int, row []int) (sum float64) {
		for i := range 4 {
			sum += math.Log(share(class, i, i, row))
		}
		for _, e := range edges {
			sum += math.Log(
				share(class, e[0], e[1], row),
			) - math.Log(
				share(class, e[0], e[0], row),
			) - math.Log(
				share(class, e[1], e[1], row),
			)
		}
		return sum
	}
	// The rows of the classes give p and q. The divergence is a difference of two sums, one for each tree, so
	// that each tree can be optimised separately.
	best := [2]float64{math.Inf(-1), math.Inf(-1)}
	var got float64
	for class := range best {
		for code := range 16 {
			edges, sum := prueferTree([]int{code / 4, code % 4}), 0.0
			for r, row := range rows {
				sign := float64(2*train.Y[r] - 1)
				sum += float64(2*class-1) * sign * logTree(class, edges, row) / 100 // rows of a class
			}
			best[class] = max(best[class], sum)
		}
	}
	for r, row := range rows {
		got += float64(2*train.Y[r]-1) * (found.value(row) - found.constant) / 100
	}
	if want := best[0] + best[1]; math.Abs(got-want) > 1e-9*want {
		t.Errorf("divergence %v, the best %v", got, want)
	}
	if len(found.edges) != 6 {
		t.Errorf("edges %v", found.edges)
	}
}

// TestReweigh: the factor is as good as the best on a grid. After reweighting, the same trees give no further
// gain: sum w y h = 0.
func TestReweigh(t *testing.T) {
	train := codes(200, 4, 4)
	features := columns.NewDiscrete(train, 5)
	c := newWeightedSample(features.Codes(train.X), train.Y, features.Levels, 1, 1e-10)
	h := c.contrast(false)
	sum := func(a float64) (s float64) {
		for r, row := range c.codes {
			s += math.Exp(-a * float64(2*c.labels[r]-1) * h.value(row))
		}
		return s
	}
	a, more := c.reweigh(h)
	if !more || a <= 0 {
		t.Fatalf("factor %v, more %v", a, more)
	}
	for k := range 100 {
		if g := float64(k) / 50; sum(g) < sum(a)*(1-1e-12) {
			t.Errorf("factor %g gives %v, %g gives %v", g, sum(g), a, sum(a))
		}
	}
	var left float64
	for r, row := range c.codes {
		left += c.weight[r] * float64(2*c.labels[r]-1) * h.value(row)
	}
	if math.Abs(left) > 1e-9 || math.Abs(floats.Sum(c.weight)-200) > 1e-9 {
		t.Errorf("sum w y h = %g, sum w = %g", left, floats.Sum(c.weight))
	}
}

// TestBoostedTreesDescend: each round lowers the exponential loss of the training rows, and the scaled trees
// sum to the score of the rule.
func TestBoostedTreesDescend(t *testing.T) {
	train := codes(300, 5, 5)
	recipe := NewTANDiscriminative()
	features := columns.NewDiscrete(train, 5)
	rows := features.Codes(train.X)
	trees, err := recipe.boost(t.Context(), newWeightedSample(rows, train.Y, features.Levels, 1, 1e-10), 6)
	if err != nil || len(trees) < 2 {
		t.Fatalf("%d trees, %v", len(trees), err)
	}
	before := 1.0
	for k := range trees {
		loss := 0.0
		for r, row := range rows {
			value := 0.0
			for _, tree := range trees[:k+1] {
				value += tree.value(row)
			}
			loss += math.Exp(-float64(2*train.Y[r]-1)*value) / 300
		}
		if loss >= before {
			t.Errorf("round %d: loss %v after %v", k+1, loss, before)
		}
		before = loss
	}
}
