package networks

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// TAN separates classes whose dependences form different trees, also more than two classes. The three ways to
// choose a tree give densities of the same form, but different edges.
func TestTANIsTheTreeDensity(t *testing.T) {
	train := methodtest.CorrelatedSet(120, 3, 3, 8)
	for _, choice := range []string{treePerClass, treeShared, treePooled} {
		for _, set := range []struct {
			version     int
			rule        kde.Rule
			information string
			floor       float64
			of          string
		}{
			{0, kde.SymmetricPlugIn, "mi", 0, floorOfClass},
			{4, kde.PlugIn, "mi", 0, floorOfClass},
			{0, kde.SymmetricPlugIn, "bcmi", 1e-200, floorOfClass},
			{4, kde.PlugIn, "mi", 0.05, floorOfData},
		} {
			s := NewTAN()
			s.Pin(set.version)
			s.Tree, s.Information, s.Priors = choice, set.information, method.EqualPriors
			s.Floor, s.FloorOf = set.floor, set.of
			floored := func(density float64) float64 { return math.Log(max(density, set.floor)) }
			scores := methodtest.Fit(t, s, train).Scores(train.X)
			trees, err := s.trees(t.Context(), train, nil)
			if err != nil {
				t.Fatal(err)
			}
			for c, edges := range trees {
				columns := train.Columns(train.ClassRows(c))
				one := func(i, r int) float64 {
					h, _ := set.rule.Bandwidth(columns[i])
					return floored(methodtest.PlainDensity(columns[i], h, train.X.At(r, i)))
				}
				margin := func(i, r int, variance float64) float64 {
					if set.floor > 0 { // as the paper's Eq. 3 prints it
						return one(i, r)
					}
					return math.Log(methodtest.PlainDensity(columns[i], math.Sqrt(variance), train.X.At(r, i)))
				}
				for r := 0; r < train.N(); r += 17 {
					want := -math.Log(3)
					for i := range 3 {
						want += one(i, r)
					}
					for _, e := range edges {
						h, err := set.rule.Bandwidth2(columns[e.I], columns[e.J])
						if err != nil {
							t.Fatal(err)
						}
						p := methodtest.PlainDensity2(
							columns[e.I],
							columns[e.J],
							h,
							train.X.At(r, e.I),
							train.X.At(r, e.J),
						)
						want += floored(p) - margin(e.I, r, h.XX) - margin(e.J, r, h.YY)
					}
					if math.Abs(scores.At(r, c)-want) > 1e-8 {
						t.Errorf("%s, class %d, row %d: %g, want %g", choice, c, r, scores.At(r, c), want)
					}
				}
			}
		}
	}
}

// If the tree is obvious, a sample of the rows gives the same tree as all rows.
func TestTANSamplesRows(t *testing.T) {
	train := methodtest.CorrelatedSet(900, 5, 2, 1)
	whole, sampled := NewTAN(), NewTAN()
	sampled.MaxRows = 150
	want, err := whole.trees(t.Context(), train, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sampled.trees(t.Context(), train, randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	if c := 0; !slices.Equal(got[c], want[c]) { // the class of the larger coefficient
		t.Errorf("edges %v of a sample, %v of all rows", got[c], want[c])
	}
}

// TestTANGolden compares with KernSmooth 2.23.20 in R 4.2.2 (testdata/pairwise.R).
func TestTANGolden(t *testing.T) {
	g := golden.Columns(t, "../testdata/pairwise.csv")
	tan := NewTAN()
	tan.Bandwidth, tan.Floor = string(kde.NormalReference), 1e-300
	scores := methodtest.Fit(t, tan, methodtest.GoldenRows(1, 60)).Scores(methodtest.GoldenRows(101, 110).X)
	for c, name := range []string{"tan0", "tan1"} {
		methodtest.CheckColumn(t, g, name, func(i int) float64 { return scores.At(i, c) }, 1e-9)
	}
}

// shuffled returns the columns of a set in another order, some with the opposite sign.
func shuffled(s *dataset.Set, order []int, signs []float64) *dataset.Set {
	out := s.Subset(stats.Indices(s.N()))
	for to, from := range order {
		out.Attributes[to] = s.Attributes[from]
		for i := range s.N() {
			out.X.Set(i, to, signs[to]*s.X.At(i, from))
		}
	}
	return out
}

// The scores depend neither on the order nor on the signs of numeric columns. Those of version 4, whose sums
// omit the largest value, depend on the signs.
func TestTANIgnoresOrderAndSigns(t *testing.T) {
	train, test := methodtest.CorrelatedSet(90, 4, 2, 6), methodtest.CorrelatedSet(40, 4, 2, 7)
	order, signs := []int{2, 0, 3, 1}, []float64{-1, 1, 1, -1}
	largest := func(version int) float64 {
		s := NewTAN()
		s.Pin(version)
		var d mat.Dense
		d.Sub(
			methodtest.Fit(t, s, train).Scores(test.X),
			methodtest.Fit(t, s, shuffled(train, order, signs)).Scores(shuffled(test, order, signs).X),
		)
		return mat.Norm(&d, math.Inf(1))
	}
	if d := largest(0); d > 1e-6 {
		t.Errorf("scores differ by %g", d)
	}
	if d := largest(4); d < 1e-3 {
		t.Errorf("scores of version 4 differ by %g only", d)
	}
}

// With few rows, trees tie. Neither the order of discrete columns nor the names of their levels matters.
// Independent columns get no edge.
func TestTiedTreesIgnoreOrderAndNames(t *testing.T) {
	const n, d = 16, 6
	for seed := range uint64(20) {
		rng := randtest.New(seed)
		rows, y := make([][]float64, n), make([]int, n)
		for i := range rows {
			y[i] = i % 2
			for range d - 1 {
				rows[i] = append(rows[i], float64(rng.Intn(2)))
			}
			rows[i] = append(rows[i], float64(i/2%2)) // balanced
		}
		levels := slices.Repeat([]int{2}, d)
		train := methodtest.DiscreteSet(rows, y, levels, 2)
		other, order, names := methodtest.DiscreteSet(rows, y, levels, 2), rng.Perm(d), make([]int, d)
		for to, from := range order {
			names[to] = rng.Intn(2)
			for i := range n {
				other.X.Set(i, to, math.Abs(float64(names[to])-train.X.At(i, from)))
			}
		}
		s := NewTAN()
		want, err := s.trees(t.Context(), train, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.trees(t.Context(), other, nil)
		if err != nil {
			t.Fatal(err)
		}
		for c := range want {
			var back []spanning.Edge
			for _, e := range got[c] {
				i, j := order[e.I], order[e.J]
				back = append(back, spanning.Edge{I: min(i, j), J: max(i, j)})
			}
			slices.SortFunc(back, func(a, b spanning.Edge) int { return cmp.Or(a.I-b.I, a.J-b.J) })
			if !slices.Equal(back, want[c]) {
				t.Errorf("seed %d, class %d: edges %v, in another order %v", seed, c, want[c], back)
			}
		}
	}
	independent := methodtest.DiscreteSet([][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}},
		[]int{0, 0, 0, 0, 1, 1, 1, 1}, []int{2, 2}, 2)
	for version, edges := range map[int]int{0: 0, 4: 1} {
		s := NewTAN()
		s.Pin(version)
		trees, err := s.trees(t.Context(), independent, nil)
		if err != nil || len(trees[0]) != edges {
			t.Errorf("version %d: edges %v of independent columns, error %v", version, trees, err)
		}
	}
}

// A column that is constant except for rounding, such as a cubic of a cubic, has no information. It does not
// cause an error.
func TestTANTakesRoundedConstants(t *testing.T) {
	set := methodtest.CorrelatedSet(60, 4, 2, 3)
	set = methodtest.WithColumn(set, 2, func(i int) float64 {
		if i%20 == 0 {
			return math.Nextafter(1, 0)
		}
		return 1
	})
	if _, err := NewTAN().Fit(t.Context(), set, randtest.New(1)); err != nil {
		t.Error(err)
	}
}
