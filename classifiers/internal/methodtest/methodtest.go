// Package methodtest contains samples, golden rows and checks for the tests of several packages.
package methodtest

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/parallel"
)

// spread is the distance between the means of two classes in a column.
const spread = 2.4

// Gaussians draws n rows of d columns and c classes. Row i has class i mod c.
//
// Column j of class k has mean spread * ((k+j) mod c) and variance 1. Neighbouring columns have
// correlation 1/2. For c = 2 and d = 3, the error rate of Bayes' rule is about 2 %.
func Gaussians(n, d, c int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	return draw(n, d, c, func(class int, row []float64) {
		noise := rng.NormFloat64()
		for j := range row {
			if j > 0 {
				noise = noise/2 + math.Sqrt(0.75)*rng.NormFloat64() // variance 1, correlation 1/2
			}
			row[j] = noise + spread*float64((class+j)%c)
		}
	})
}

// draw returns n rows of d columns, which the function fill sets. Row i has class i mod c.
func draw(n, d, c int, fill func(class int, row []float64)) *dataset.Set {
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % c
		fill(y[i], x.RawRowView(i))
	}
	return dataset.New(x, y, c)
}

// WithColumn returns a copy of the set in which row i has value(i) in column j.
func WithColumn(s *dataset.Set, j int, value func(i int) float64) *dataset.Set {
	changed := s.Subset(stats.Indices(s.N()))
	for i := range s.N() {
		changed.X.Set(i, j, value(i))
	}
	return changed
}

func WithLabels(s *dataset.Set, y []int) *dataset.Set {
	changed := s.WithoutDerived()
	changed.Y = y
	return changed
}

// CheckRule checks that predictions are class codes. If the rule has scores, it checks that they
// form an n x C matrix without NaN and are largest for the predicted class.
func CheckRule(t *testing.T, rule *method.Rule, test *dataset.Set) {
	t.Helper()
	labels := rule.Predict(test.X)
	if len(labels) != test.N() {
		t.Fatalf("%d predictions for %d rows", len(labels), test.N())
	}
	for i, label := range labels {
		if label < 0 || label >= test.C() {
			t.Fatalf("row %d: class code %d is out of range: there are %d classes", i, label, test.C())
		}
	}
	if rule.Scores == nil {
		return
	}
	scores := rule.Scores(test.X)
	if n, c := scores.Dims(); n != test.N() || c != test.C() {
		t.Fatalf("%d x %d scores for %d rows and %d classes", n, c, test.N(), test.C())
	}
	for i, label := range labels {
		row := scores.RawRowView(i)
		if slices.ContainsFunc(row, math.IsNaN) {
			t.Fatalf("row %d: scores %v", i, row)
		}
		if row[label] != slices.Max(row) {
			t.Errorf("row %d: class %d does not have the largest of the scores %v", i, label, row)
		}
	}
}

func ErrorRate(rule *method.Rule, test *dataset.Set) float64 {
	wrong := 0
	for i, label := range rule.Predict(test.X) {
		if label != test.Y[i] {
			wrong++
		}
	}
	return float64(wrong) / float64(test.N())
}

// CorrelatedSet draws n rows of d columns. Row r belongs to class r mod c. Each column is standard
// normal noise plus a multiple of the previous column. The factor depends on the class.
func CorrelatedSet(n, d, c int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	return draw(n, d, c, func(class int, row []float64) {
		for j := range row {
			row[j] = rng.NormFloat64()
			if j > 0 {
				row[j] += (0.9 - 1.2*float64(class)) * row[j-1]
			}
		}
	})
}

// DiscreteSet returns a set whose attribute j has levels[j] levels.
func DiscreteSet(rows [][]float64, y []int, levels []int, classes int) *dataset.Set {
	x := mat.NewDense(len(rows), len(levels), nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	s := dataset.New(x, y, classes)
	for j, d := range levels {
		s.Attributes[j].Kind = dataset.Discrete
		for v := range d {
			s.Attributes[j].Levels = append(s.Attributes[j].Levels, fmt.Sprint(v))
		}
	}
	return s
}

// ToySet draws n rows of the problem in section 8.1 of Eban et al. (2014). The binary variables are
// one strong variable, ten weak ones, k copies of a weak one, and k exclusive ors of two weak ones.
func ToySet(n, k int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	rows, y := make([][]float64, n), make([]int, n)
	for r := range n {
		y[r] = rng.Intn(2)
		rows[r] = toyRow(y[r], k, rng)
	}
	return DiscreteSet(rows, y, slices.Repeat([]int{2}, 2*k+11), 2)
}

// toyRow draws a row of the toy problem (see ToySet) from class 0 or 1. It contains k copies of the first
// weak variable, and k exclusive ors of two weak variables.
func toyRow(class, k int, rng *rand.Rand) []float64 {
	flip := func(p float64) int { // returns the other class with probability p, otherwise class
		if rng.Float64() < p {
			return 1 - class
		}
		return class
	}
	const weakVariables = 10
	row := []float64{float64(flip(0.1))}
	var weak [weakVariables]int
	for i := range weak {
		weak[i] = flip(0.4)
		row = append(row, float64(weak[i]))
	}
	for range k {
		row = append(row, float64(weak[0]))
	}
	for i := range k { // first the pairs of neighbours, then the pairs at distance 2, and so on
		distance := 1 + i/weakVariables
		first, second := i%weakVariables, (i+distance)%weakVariables
		row = append(row, float64(weak[first]^weak[second]))
	}
	return row
}

func BenchmarkFit(b *testing.B, c method.Classifier, train *dataset.Set) {
	for b.Loop() {
		if _, err := c.Fit(b.Context(), train.WithoutDerived(), randtest.New(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// Discretised returns a copy of the set in which the given columns are discrete with four levels. Their
// values are |x| without decimals, modulo 3, so the last level never occurs. The last column of the
// set becomes the class modulo 2 in 18 of 20 rows, and its opposite in the others.
func Discretised(s *dataset.Set, columns ...int) *dataset.Set {
	last := s.D() - 1
	for _, j := range columns {
		from := s // the function must read the unchanged set
		s = WithColumn(from, j, func(i int) float64 { return math.Mod(math.Abs(math.Trunc(from.X.At(i, j))), 3) })
	}
	s = WithColumn(s, last, func(i int) float64 {
		if i%20 >= 18 {
			return float64((s.Y[i] + 1) % 2)
		}
		return float64(s.Y[i] % 2)
	})
	s.Attributes = slices.Clone(s.Attributes)
	for _, j := range columns {
		s.Attributes[j] = dataset.Attribute{
			Name:   fmt.Sprintf("d%d", j+1),
			Kind:   dataset.Discrete,
			Levels: []string{"a", "b", "c", "never seen"},
		}
	}
	s.Attributes[last] = dataset.Attribute{Name: "last", Kind: dataset.Discrete, Levels: []string{"no", "yes"}}
	return s
}

// Incomplete returns a copy of the set without a random quarter of the values of each row.
func Incomplete(s *dataset.Set, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	hidden := s.Subset(stats.Indices(s.N()))
	for i := range s.N() {
		for _, j := range rng.Perm(s.D())[:s.D()/4] {
			hidden.X.Set(i, j, math.NaN())
		}
	}
	return hidden
}

// TwoTrees draws n rows of d columns from two classes, each with its own directed forest over the
// columns. A column is its parent, if any, plus standard normal noise. structure seeds the forests,
// and seed seeds the rows.
func TwoTrees(n, d int, structure, seed uint64) *dataset.Set {
	rng := randtest.New(structure)
	forests := [2]variableForest{newVariableForest(d, rng), newVariableForest(d, rng)}
	rng = randtest.New(seed)
	return draw(n, d, 2, func(class int, row []float64) {
		f := forests[class]
		for j, column := range f.order { // parents come first
			row[column] = rng.NormFloat64()
			if p := f.parent[j]; p != noParent { // position of the parent in the order
				row[column] += row[f.order[p]]
			}
		}
	})
}

// A variableForest lists columns so that parents come first. The parent of column order[j] is
// order[parent[j]], unless parent[j] is noParent.
type variableForest struct{ order, parent []int }

const noParent = -1

// newVariableForest draws a forest in which columns have a parent with probability 2/3.
func newVariableForest(d int, rng *rand.Rand) variableForest {
	f := variableForest{order: rng.Perm(d), parent: slices.Repeat([]int{noParent}, d)}
	for j := 1; j < d; j++ {
		if rng.Intn(3) > 0 {
			f.parent[j] = rng.Intn(j)
		}
	}
	return f
}

// GoldenRows computes rows i = from..to of the data in testdata/pairwise.R with the formulas of
// that script.
func GoldenRows(from, to int) *dataset.Set {
	x, y := mat.NewDense(to-from+1, 3, nil), make([]int, to-from+1)
	for i := from; i <= to; i++ {
		k := float64(i)
		a, b, c := 2*math.Sin(3*k), math.Cos(1.7*k*k), math.Sin(k*k+0.5)
		y[i-from] = i % 2
		if i%2 == 0 {
			x.SetRow(i-from, []float64{a, 0.8*a + b, c})
		} else {
			x.SetRow(i-from, []float64{a, b, c - 0.9*b})
		}
	}
	return dataset.New(x, y, 2)
}

// Fit fits c to train and ends the test if the fit fails.
func Fit(t *testing.T, c method.Classifier, train *dataset.Set) *method.Rule {
	t.Helper()
	rule, err := c.Fit(t.Context(), train, randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

func SameScores(t *testing.T, got, want *method.Rule, x *mat.Dense, tolerance float64) {
	t.Helper()
	if g, w := got.Scores(x), want.Scores(x); !mat.EqualApprox(g, w, tolerance) {
		t.Errorf("scores %v, want %v", mat.Formatted(g.Slice(0, 5, 0, 2)), mat.Formatted(w.Slice(0, 5, 0, 2)))
	}
}

func PlainDensity(x []float64, h, t float64) float64 {
	sum := 0.0
	for _, xi := range x {
		sum += math.Exp(-0.5*(t-xi)*(t-xi)/(h*h)) / (h * math.Sqrt(2*math.Pi))
	}
	return sum / float64(len(x))
}

func PlainDensity2(x, y []float64, h kde.H2, s, t float64) float64 {
	det := h.XX*h.YY - h.XY*h.XY
	sum := 0.0
	for i := range x {
		a, b := s-x[i], t-y[i]
		sum += math.Exp(-0.5*(h.YY*a*a-2*h.XY*a*b+h.XX*b*b)/det) / (2 * math.Pi * math.Sqrt(det))
	}
	return sum / float64(len(x))
}

// Classics returns the data of testdata/classics.R: the training rows (1 to 120), all rows, and all
// columns of the file by name.
//
// If c is greater than 2, the column "label" contains the classes. If c is 2, rows with label 0
// belong to class 1, and all other rows to class 0.
func Classics(t *testing.T, c int) (train, all *dataset.Set, g map[string][]float64) {
	t.Helper()
	g = golden.Columns(t, "../testdata/classics.csv")
	n := len(g["label"])
	x, y := mat.NewDense(n, 4, nil), make([]int, n)
	for j := range 4 {
		x.SetCol(j, g[fmt.Sprintf("x%d", j+1)])
	}
	for i, label := range g["label"] {
		switch {
		case c > 2:
			y[i] = int(label)
		case label == 0:
			y[i] = 1
		}
	}
	all = dataset.New(x, y, c)
	return all.Subset(stats.Indices(120)), all, g
}

// CheckColumn compares got(i) with row i of a golden column. It skips rows with the value NA.
func CheckColumn(t *testing.T, g map[string][]float64, name string, got func(i int) float64, tol float64) {
	t.Helper()
	compared := 0
	for i, want := range g[name] {
		if math.IsNaN(want) {
			continue
		}
		compared++
		if v := got(i); !(math.Abs(v-want) <= tol) {
			t.Errorf("row %d: %s %g, want %g", i, name, v, want)
		}
	}
	if compared == 0 {
		t.Errorf("no golden value of %s", name)
	}
}

// Schedules contains two ways to distribute the tasks of a parallel loop. They must give the same
// results.
var Schedules = map[string]parallel.Do{
	"backwards": func(n int, work func() func(int)) {
		first, second := work(), work()
		for i := n - 1; i >= 0; i-- {
			if i%3 > 0 {
				first(i)
			} else {
				second(i)
			}
		}
	},
	"at once": func(n int, work func() func(int)) {
		var all sync.WaitGroup
		for helper := range 3 {
			all.Go(func() {
				f := work()
				for i := helper; i < n; i += 3 {
					f(i)
				}
			})
		}
		all.Wait()
	},
}

// UnivariateRows returns the training rows of testdata/univariate.R: GoldenRows(1, 60) without
// every fourth row.
func UnivariateRows() *dataset.Set {
	all := GoldenRows(1, 60)
	var kept []int
	for r := range all.N() {
		if (r+1)%4 != 0 {
			kept = append(kept, r)
		}
	}
	return all.Subset(kept)
}
