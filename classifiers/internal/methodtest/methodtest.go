// Package methodtest holds what the tests of several families of classifiers share:
// samples, golden rows and checks.
package methodtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/parallel"
)

func NewRand(seed uint64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// spread is the distance of two classes' means in one column, in standard
// deviations.
const spread = 2.4

// Gaussians draws n rows, of the classes 0..c-1 in turn. Column j of class k has
// mean spread ((k+j) mod c); the noise has variance 1 and correlation 1/2 between
// neighbouring columns. For c = 2, d = 3 Bayes' rule errs on about 2 in 100.
func Gaussians(n, d, c int, seed uint64) *dataset.Set {
	rng := NewRand(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % c
		var noise float64
		for j := range d {
			fresh := rng.NormFloat64()
			if noise = noise/2 + math.Sqrt(0.75)*fresh; j == 0 {
				noise = fresh
			}
			x.Set(i, j, noise+spread*float64((y[i]+j)%c))
		}
	}
	return dataset.New(x, y, c)
}

// WithColumn returns the set with another column j.
func WithColumn(s *dataset.Set, j int, value func(i int) float64) *dataset.Set {
	changed := s.Subset(columns.Head(s.N()))
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

// CheckRule tests that predictions are class codes and that scores, where there
// are any, are n x C, not NaN and largest at the prediction.
func CheckRule(t *testing.T, rule *method.Rule, test *dataset.Set) {
	t.Helper()
	labels := rule.Predict(test.X)
	if len(labels) != test.N() {
		t.Fatalf("%d predictions for %d rows", len(labels), test.N())
	}
	for i, label := range labels {
		if label < 0 || label >= test.C() {
			t.Fatalf("row %d: class code %d of %d", i, label, test.C())
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
			t.Errorf("row %d: class %d with scores %v", i, label, row)
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

// CorrelatedSet draws n rows of c classes whose d columns follow a Gaussian
// chain; the classes differ in the chain's coefficient.
func CorrelatedSet(n, d, c int, seed uint64) *dataset.Set {
	rng := NewRand(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for r := range n {
		y[r] = r % c
		for j := range d {
			v := rng.NormFloat64()
			if j > 0 {
				v += (0.9 - 1.2*float64(y[r])) * x.At(r, j-1)
			}
			x.Set(r, j, v)
		}
	}
	return dataset.New(x, y, c)
}

// DiscreteSet returns a set of discrete attributes with the given numbers of
// levels.
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

// ToySet draws n rows of section 8.1 of Eban et al. with k copies and k
// exclusive ors: S, W_1..W_10, C_1..C_k, D_1..D_k.
func ToySet(n, k int, seed uint64) *dataset.Set {
	rng := NewRand(seed)
	rows, y := make([][]float64, n), make([]int, n)
	flip := func(y int, p float64) int {
		if rng.Float64() < p {
			return 1 - y
		}
		return y
	}
	for r := range n {
		y[r] = rng.Intn(2)
		x := []float64{float64(flip(y[r], 0.1))}
		w := make([]int, 10)
		for i := range w {
			w[i] = flip(y[r], 0.4)
			x = append(x, float64(w[i]))
		}
		for range k {
			x = append(x, float64(w[0]))
		}
		for i := range k {
			x = append(x, float64(w[i%10]^w[(i+1+i/10)%10]))
		}
		rows[r] = x
	}
	return DiscreteSet(rows, y, slices.Repeat([]int{2}, 2*k+11), 2)
}

func BenchmarkFit(b *testing.B, c method.Classifier, train *dataset.Set) {
	for b.Loop() {
		if _, err := c.Fit(context.Background(), train.WithoutDerived(), NewRand(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// Discretised replaces columns of gaussians: one of three levels in column j, a
// fourth is never seen, and one of two, wrong once in ten rows, in the last one.
func Discretised(s *dataset.Set, columns ...int) *dataset.Set {
	last := s.D() - 1
	for _, j := range columns {
		from := s
		s = WithColumn(from, j, func(i int) float64 { return math.Mod(math.Abs(math.Trunc(from.X.At(i, j))), 3) })
	}
	s = WithColumn(s, last, func(i int) float64 { return float64((s.Y[i] + i/2%10/9) % 2) })
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

// Incomplete returns the set with a quarter of each row's values missing.
func Incomplete(s *dataset.Set, seed uint64) *dataset.Set {
	rng := NewRand(seed)
	hidden := s.Subset(columns.Head(s.N()))
	for i := range s.N() {
		for _, j := range rng.Perm(s.D())[:s.D()/4] {
			hidden.X.Set(i, j, math.NaN())
		}
	}
	return hidden
}

// TwoTrees draws n rows of d columns, the classes in turn: in each class every
// column but the first is, with probability 2/3, another one plus standard noise,
// else noise alone, in a random order. Both classes share their means.
func TwoTrees(n, d int, structure, seed uint64) *dataset.Set {
	rng := NewRand(structure)
	var order, parent [2][]int
	for c := range 2 {
		order[c], parent[c] = rng.Perm(d), make([]int, d)
		for j := range d {
			parent[c][j] = -1
			if j > 0 && rng.Intn(3) > 0 {
				parent[c][j] = rng.Intn(j)
			}
		}
	}
	rng = NewRand(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		c := i % 2
		y[i] = c
		for j := range d {
			v := rng.NormFloat64()
			if p := parent[c][j]; p >= 0 {
				v += x.At(i, order[c][p])
			}
			x.Set(i, order[c][j], v)
		}
	}
	return dataset.New(x, y, 2)
}

// GoldenRows returns the given rows of testdata/pairwise.R.
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

// Fit fits or ends the test.
func Fit(t *testing.T, c method.Classifier, train *dataset.Set) *method.Rule {
	t.Helper()
	rule, err := c.Fit(context.Background(), train, rand.New(rand.NewSource(1)))
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// CompareGolden compares columns of what R wrote, from the given one, with got.
func CompareGolden(t *testing.T, lines [][]string, from int, got [][]float64, tolerances []float64) {
	t.Helper()
	for i, line := range lines[1:] {
		for k, column := range got {
			want := golden.Number(t, line[from+k])
			if !(math.Abs(column[i]-want) <= tolerances[k]) {
				t.Errorf("row %d, %s: %.10g, want %.10g", i+1, lines[0][from+k], column[i], want)
			}
		}
	}
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

// Classics returns the training and test set of testdata/classics.R, with the
// three classes of label or, for c = 2, class 1 where label is 0.
func Classics(t *testing.T, c int) (train, all *dataset.Set, g map[string][]float64) {
	t.Helper()
	g = golden.Columns(t, "../testdata/classics.csv")
	n := len(g["label"])
	x, y := mat.NewDense(n, 4, nil), make([]int, n)
	for j := range 4 {
		x.SetCol(j, g[fmt.Sprintf("x%d", j+1)])
	}
	for i, label := range g["label"] {
		y[i] = int(label)
		if c == 2 {
			y[i] = map[bool]int{true: 1}[label == 0]
		}
	}
	all = dataset.New(x, y, c)
	return all.Subset(columns.Head(120)), all, g
}

// CheckColumn compares got with a golden column wherever that is not NA.
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

// Ways to share work: the last piece first, and by goroutines.
var Sharings = map[string]parallel.Do{
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
			all.Add(1)
			go func() {
				defer all.Done()
				f := work()
				for i := helper; i < n; i += 3 {
					f(i)
				}
			}()
		}
		all.Wait()
	},
}

// UnivariateRows returns the training rows of testdata/univariate.R: rows 1 to 60 of
// GoldenRows but every fourth.
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
