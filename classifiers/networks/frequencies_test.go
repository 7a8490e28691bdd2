package networks

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

// TestNBDiscreteGolden compares with e1071 1.7-13 in R 4.2.2 (testdata/discrete.R).
func TestNBDiscreteGolden(t *testing.T) {
	g := golden.Columns(t, "../testdata/discrete.csv")
	rows, y := make([][]float64, len(g["label"])), make([]int, len(g["label"]))
	for i := range rows {
		rows[i] = []float64{g["d1"][i], g["d2"][i], g["d3"][i], g["d4"][i]}
		y[i] = int(g["label"][i])
	}
	all := methodtest.DiscreteSet(rows, y, []int{2, 3, 4, 3}, 3)
	for name, smoothing := range map[string]float64{"plain": 0, "half": 0.5, "laplace": 1} {
		nb := NewNB()
		nb.Smoothing, nb.Floor = smoothing, 1e-10
		scores := methodtest.Fit(t, nb, all.Subset(stats.Indices(60))).Scores(all.X)
		for c := range 3 {
			column := fmt.Sprintf("%s.%d", name, c+1)
			for i := 60; i < all.N(); i++ {
				sum := 0.0
				for _, s := range scores.RawRowView(i) {
					sum += math.Exp(s - scores.At(i, c))
				}
				if want := g[column][i]; !(math.Abs(sum*want-1) < 1e-9) {
					t.Errorf("row %d: %s %g, want %g", i+1, column, 1/sum, want)
				}
			}
		}
	}
}

// The score is the sum of the log densities of numeric and discrete attributes.
func TestNBMixedIsASum(t *testing.T) {
	mixed := methodtest.Discretised(methodtest.Gaussians(60, 4, 2, 1), 1)
	pick := func(columns ...int) *dataset.Set {
		s := &dataset.Set{X: mat.NewDense(mixed.N(), len(columns), nil), Y: mixed.Y, Classes: mixed.Classes}
		for k, j := range columns {
			s.X.SetCol(k, mat.Col(nil, j, mixed.X))
			s.Attributes = append(s.Attributes, mixed.Attributes[j])
		}
		return s
	}
	numeric, discrete := pick(0, 2), pick(1, 3)
	nb := NewNB()
	nb.Smoothing = 0.3
	var want mat.Dense
	want.Add(methodtest.Fit(t, nb, numeric).Scores(numeric.X), methodtest.Fit(t, nb, discrete).Scores(discrete.X))
	want.Apply(func(_, c int, v float64) float64 { return v - method.LogPriors(mixed, nb.Priors)[c] }, &want)
	if got := methodtest.Fit(t, nb, mixed).Scores(mixed.X); !mat.EqualApprox(got, &want, 1e-12) {
		t.Error("scores are not the sum of the parts")
	}
}

// A level without training rows gets the floor in each of its tables.
func TestFrequencyFloor(t *testing.T) {
	train := methodtest.DiscreteSet([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}}, []int{0, 0, 1, 1}, []int{3, 2}, 2)
	nb, tan := NewNB(), NewTAN()
	nb.Smoothing, nb.Floor, tan.PseudoRows, tan.Floor = 0, 1e-10, 0, 1e-10
	for _, c := range []method.Classifier{nb, tan} {
		got := methodtest.Fit(t, c, train).Scores(mat.NewDense(1, 2, []float64{2, 0}))
		want := math.Log(0.5) + math.Log(1e-10) // prior 1/2, and the tree is one edge
		if _, ok := c.(*NB); ok {
			want += math.Log(0.5) // x2
		}
		for c := range 2 {
			if !(math.Abs(got.At(0, c)-want) <= 1e-12) {
				t.Errorf("class %d: %v, want %v", c, got.At(0, c), want)
			}
		}
	}
}

// treeSet draws n rows of up to four variables in three classes. Each variable often equals its parent, which
// differs between the classes. The first and the last variable otherwise often equal the class.
func treeSet(n int, levels []int, seed uint64) *dataset.Set {
	parents := [3][4]int{{0, 0, 1, 2}, {0, 0, 0, 0}, {0, 0, 0, 1}}
	rng := randtest.New(seed)
	rows, y := make([][]float64, n), make([]int, n)
	for i := range rows {
		y[i] = rng.Intn(3)
		for j, d := range levels {
			v := rng.Intn(d)
			if j > 0 && rng.Float64() < 0.5 {
				v = int(rows[i][parents[y[i]][j]]) % d
			} else if j%3 == 0 && rng.Float64() < 0.8 {
				v = y[i] % d
			}
			rows[i] = append(rows[i], float64(v))
		}
	}
	return methodtest.DiscreteSet(rows, y, levels, 3)
}

// grid returns all combinations of the levels.
func grid(levels []int) [][]float64 {
	rows := [][]float64{nil}
	for _, d := range levels {
		var longer [][]float64
		for _, row := range rows {
			for v := range d {
				longer = append(longer, append(slices.Clone(row), float64(v)))
			}
		}
		rows = longer
	}
	return rows
}

// brutalTAN is TAN for four variables. It tries all trees and counts rows.
type brutalTAN struct {
	levels []int
	rows   [][][]float64 // by class
	m      float64       // pseudo-rows
}

func (b *brutalTAN) count(c int, match map[int]float64) float64 {
	count := b.m
	for j := range match {
		count /= float64(b.levels[j])
	}
	for _, row := range b.rows[c] {
		fits := true
		for j, v := range match {
			fits = fits && row[j] == v
		}
		if fits {
			count++
		}
	}
	return count
}

// information returns the conditional mutual information of variables i and j given the class, times the
// number of rows, for the given classes and without pseudo-rows.
func (b *brutalTAN) information(i, j int, classes []int) float64 {
	plain := &brutalTAN{b.levels, b.rows, 0}
	sum := 0.0
	for _, c := range classes {
		for _, row := range b.rows[c] {
			ni, nj := plain.count(c, map[int]float64{i: row[i]}), plain.count(c, map[int]float64{j: row[j]})
			nij := plain.count(c, map[int]float64{i: row[i], j: row[j]})
			sum += math.Log(nij * float64(len(b.rows[c])) / (ni * nj))
		}
	}
	return sum
}

// bestTree tries all sets of three of the six edges.
func (b *brutalTAN) bestTree(classes []int) []spanning.Edge {
	edges := []spanning.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 0, J: 3}, {I: 1, J: 2}, {I: 1, J: 3}, {I: 2, J: 3}}
	var best []spanning.Edge
	most := math.Inf(-1)
	var information []float64
	for _, e := range edges {
		information = append(information, b.information(e.I, e.J, classes))
	}
	for set := range 1 << len(edges) {
		var chosen []spanning.Edge
		reached := []bool{true, false, false, false}
		sum := 0.0
		for k, e := range edges {
			if set>>k&1 == 1 {
				chosen = append(chosen, e)
				sum += information[k]
			}
		}
		for range chosen {
			for _, e := range chosen {
				if reached[e.I] || reached[e.J] {
					reached[e.I], reached[e.J] = true, true
				}
			}
		}
		if len(chosen) == 3 && !slices.Contains(reached, false) && sum > most {
			best, most = chosen, sum
		}
	}
	return best
}

// logDensity returns the log density of the tree with root 0: p(x_0) prod p(child | parent).
func (b *brutalTAN) logDensity(c int, edges []spanning.Edge, x []float64) float64 {
	sum := math.Log(b.count(c, map[int]float64{0: x[0]}) / b.count(c, nil))
	reached := []bool{true, false, false, false}
	for range edges {
		for _, e := range edges {
			parent, child := e.I, e.J
			if reached[child] {
				parent, child = child, parent
			}
			if reached[parent] && !reached[child] {
				reached[child] = true
				both := b.count(c, map[int]float64{parent: x[parent], child: x[child]})
				sum += math.Log(both / b.count(c, map[int]float64{parent: x[parent]}))
			}
		}
	}
	return sum
}

func TestTANDiscreteAgainstBruteForce(t *testing.T) {
	levels := []int{2, 3, 4, 3}
	train := treeSet(150, levels, 1)
	brutal := &brutalTAN{levels: levels}
	pooled := &brutalTAN{levels: levels, rows: make([][][]float64, 1)}
	for c := range 3 {
		var rows [][]float64
		for _, r := range train.ClassRows(c) {
			rows = append(rows, train.X.RawRowView(r))
		}
		brutal.rows = append(brutal.rows, rows)
		pooled.rows[0] = append(pooled.rows[0], rows...)
	}
	trees := map[string][][]spanning.Edge{
		treePerClass: {brutal.bestTree([]int{0}), brutal.bestTree([]int{1}), brutal.bestTree([]int{2})},
		treeShared:   slices.Repeat([][]spanning.Edge{brutal.bestTree([]int{0, 1, 2})}, 3),
		treePooled:   slices.Repeat([][]spanning.Edge{pooled.bestTree([]int{0})}, 3),
	}
	if slices.Equal(trees[treePerClass][0], trees[treePerClass][1]) ||
		slices.Equal(trees[treeShared][0], trees[treePooled][0]) {
		t.Fatalf("equal trees %v: the data do not separate them", trees)
	}
	for reading, edges := range trees {
		for _, m := range []float64{0, 1.7} {
			tan := NewTAN()
			tan.Tree, tan.PseudoRows, tan.Floor = reading, m, 1e-300
			brutal.m = m
			x := grid(levels)
			if m == 0 { // where no cell is empty
				x = brutal.rows[1]
			}
			scores := methodtest.Fit(t, tan, train).Scores(methodtest.DiscreteSet(x, make([]int, len(x)), levels, 3).X)
			for c := range 3 {
				if m == 0 && c != 1 {
					continue
				}
				for r, row := range x {
					want := method.LogPriors(train, tan.Priors)[c] + brutal.logDensity(c, edges[c], row)
					if got := scores.At(r, c); !(math.Abs(got-want) <= 1e-11) {
						t.Fatalf(
							"%s tree, %v pseudo-rows, class %d, row %v: %v, want %v",
							reading,
							m,
							c,
							row,
							got,
							want,
						)
					}
				}
			}
		}
	}
}

// With pseudo-rows, TAN is still a probability distribution: its sum over all rows is 1.
func TestTANPseudoRowsSumToOne(t *testing.T) {
	levels := []int{2, 3, 4, 3}
	tan, x := NewTAN(), grid(levels)
	tan.PseudoRows = 5
	train := treeSet(20, levels, 2)
	scores := methodtest.Fit(t, tan, train).Scores(methodtest.DiscreteSet(x, make([]int, len(x)), levels, 3).X)
	for c, prior := range method.LogPriors(train, tan.Priors) {
		sum := 0.0
		for r := range x {
			sum += math.Exp(scores.At(r, c) - prior)
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("class %d: probabilities add up to %v", c, sum)
		}
	}
}

func TestDiscreteRefusals(t *testing.T) {
	train := treeSet(50, []int{2, 3}, 1)
	for _, recipe := range []method.Classifier{NewNB(), NewTAN()} {
		rule := methodtest.Fit(t, recipe, train)
		refused := map[string][]float64{
			`column "x2": 3 is not one of the codes 0..2`:   {0, 3},
			`column "x1": 0.5 is not one of the codes 0..1`: {0.5, 0},
			"3 columns": {0, 0, 0},
		}
		if _, missing := recipe.(*NB); !missing {
			refused["missing value"] = []float64{0, math.NaN()}
		}
		for want, row := range refused {
			message := func() (message string) {
				defer func() { message = fmt.Sprint(recover()) }()
				rule.Predict(mat.NewDense(1, len(row), row))
				return ""
			}()
			if !strings.Contains(message, want) {
				t.Errorf("%T: Predict of %v panics with %q", recipe, row, message)
			}
		}
	}
}
