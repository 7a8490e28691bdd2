package cart

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/decisiontree"
	"copse/internal/golden"
	"copse/internal/randtest"
)

// draw returns n rows of d columns, the values 0..levels-1, and random labels.
func draw(rng *rand.Rand, n, d, levels, classes int) (*mat.Dense, []int) {
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	x.Apply(func(int, int, float64) float64 { return float64(rng.Intn(levels)) }, x)
	for i := range y {
		y[i] = rng.Intn(classes)
	}
	return x, y
}

// gain returns the criterion of grow.go for the threshold t in column j, or NaN if one side is empty.
func gain(x *mat.Dense, y []int, weight []int64, classes, j int, t float64) float64 {
	var counts [2][]float64
	var sums [2]float64
	for side := range counts {
		counts[side] = make([]float64, classes)
	}
	for i, c := range y {
		side := 0
		if x.At(i, j) > t {
			side = 1
		}
		counts[side][c] += float64(weight[i])
		sums[side] += float64(weight[i])
	}
	var total float64
	for side, count := range counts {
		for _, v := range count {
			total += v * v / sums[side]
		}
	}
	return total
}

func TestSplitIsTheBest(t *testing.T) {
	rng := randtest.New(1)
	for _, n := range []int{2, 5, 20, 60, 300} {
		for range 20 {
			x, y := draw(rng, n, 3, 40, 3)
			g := NewGrower(NewColumns(x), y, ones(3), 3)
			tree, err := g.Bootstrap(t.Context(), rng)
			if err != nil {
				t.Fatal(err)
			}
			root := tree[0]
			if root.Column == decisiontree.Leaf {
				continue
			}
			got := gain(x, y, g.multiplicity, 3, int(root.Column), root.Value)
			for j := range 3 {
				for level := range 40 {
					if other := gain(x, y, g.multiplicity, 3, j, float64(level)+0.5); other > got*(1+1e-12) {
						t.Fatalf("n = %d: column %d at %g has %g, column %d at %d.5 has %g",
							n, root.Column, root.Value, got, j, level, other)
					}
				}
			}
		}
	}
}

// TestLeavesArePure: rows with distinct values end in leaves with only their class.
func TestLeavesArePure(t *testing.T) {
	rng := randtest.New(2)
	x, y := draw(rng, 200, 3, 1<<30, 4)
	g := NewGrower(NewColumns(x), y, ones(4), 1)
	tree, err := g.Bootstrap(t.Context(), rng)
	if err != nil {
		t.Fatal(err)
	}
	var drawn int64
	for i, w := range g.multiplicity {
		drawn += w
		if class := int(tree.Value(x.RawRowView(i))); w > 0 && class != y[i] {
			t.Errorf("row %d of class %d ends in a leaf of class %d", i, y[i], class)
		}
	}
	if drawn != 200 {
		t.Errorf("bootstrap sample of %d rows", drawn)
	}
}

// TestTiesAreFair: equal columns are chosen equally often. The same holds for equally good thresholds, and
// for the classes of indistinguishable rows.
func TestTiesAreFair(t *testing.T) {
	const n = 4000 // standard error of a share of 1/2: 0.008
	rng := randtest.New(3)
	fair := func(name string, count int) {
		if share := float64(count) / n; math.Abs(share-0.5) > 0.04 {
			t.Errorf("%s: share %g", name, share)
		}
	}
	// Thresholds after 0 and after 2 have the same gain, in both columns.
	g := NewGrower(NewColumns(mat.NewDense(4, 2, []float64{0, 0, 1, 1, 2, 2, 3, 3})), []int{0, 1, 1, 0}, ones(2), 2)
	same := NewGrower(NewColumns(mat.NewDense(4, 1, []float64{1, 1, 1, 1})), []int{0, 1, 1, 0}, ones(2), 1)
	second, high, one := 0, 0, 0
	for range n {
		for i := range g.multiplicity {
			g.multiplicity[i], same.multiplicity[i] = 1, 1
		}
		tree, _ := g.grow(t.Context(), rng)
		second += int(tree[0].Column)
		if tree[0].Value > 1 {
			high++
		}
		tree, _ = same.grow(t.Context(), rng)
		one += int(tree.Value([]float64{1}))
	}
	fair("second column", second)
	fair("second threshold", high)
	fair("second class", one)
}

func TestSortKeys(t *testing.T) {
	rng := randtest.New(4)
	for _, n := range []int{0, 1, 2, insertionLimit, insertionLimit + 1, 300, 70000} {
		keys := make([]key, n)
		for i := range keys {
			keys[i] = newKey(uint32(rng.Intn(n+1)), int32(i))
		}
		want := slices.Clone(keys)
		slices.Sort(want) // by rank, then row: the order of arrival
		if got := sortKeys(keys, make([]key, n), 17); !slices.Equal(got, want) {
			t.Errorf("%d keys are not sorted stably by rank", n)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	rng := randtest.New(1)
	x, y := draw(rng, 1000, 20, 1<<30, 2)
	for i, c := range y {
		for j := range 20 {
			x.Set(i, j, rng.NormFloat64()+0.5*float64(c))
		}
	}
	columns := NewColumns(x)
	b.Run("columns", func(b *testing.B) {
		for b.Loop() {
			NewColumns(x)
		}
	})
	b.Run("tree", func(b *testing.B) {
		g := NewGrower(columns, y, ones(2), 4)
		for b.Loop() {
			if _, err := g.Bootstrap(b.Context(), rng); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// ones returns n weights of 1.
func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// The first split with class weights equals that of scikit-learn 1.2.1 (classifiers/testdata/weights.py).
func TestWeightedSplitGolden(t *testing.T) {
	const n, d = 120, 4
	data := golden.Columns(t, "../../testdata/classics.csv")
	x := mat.NewDense(n, d, nil)
	for j := range d {
		x.SetCol(j, data[fmt.Sprintf("x%d", j+1)][:n])
	}
	for _, row := range golden.Read(t, "../../testdata/weights-trees.csv") {
		classes, labels := row.Int("classes"), make([]int, n)
		counts := make([]float64, classes)
		for i, label := range data["label"][:n] {
			labels[i] = int(label)
			if classes == 2 && label == 0 {
				labels[i] = 1
			} else if classes == 2 {
				labels[i] = 0
			}
			counts[labels[i]]++
		}
		weights := []float64{3, 0.5, 1}[:classes]
		if row.Value["weights"] == "b" {
			for c, count := range counts {
				weights[c] = n / (float64(classes) * count)
			}
		}
		g := NewGrower(NewColumns(x), labels, weights, d)
		for i := range g.multiplicity {
			g.multiplicity[i] = 1
		}
		tree, err := g.grow(t.Context(), randtest.New(1))
		if err != nil {
			t.Fatal(err)
		}
		root := tree[0]
		if int(root.Column) != row.Int("column") || math.Abs(root.Value-row.Num("threshold")) > 1e-6 {
			t.Errorf("%v: column %d at %v", row.Value, root.Column, root.Value)
		}
	}
}
