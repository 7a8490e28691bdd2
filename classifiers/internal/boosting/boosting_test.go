package boosting

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/decisiontree"
	"copse/internal/golden"
	"copse/internal/randtest"
)

// fit returns a fitted model. An error ends the test.
func fit(t *testing.T, bins *Bins, y []int, o Options) *Model {
	t.Helper()
	m, err := Fit(t.Context(), bins, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGolden compares with scikit-learn 1.2.1 (testdata/golden.py), whose derivatives have single precision.
func TestGolden(t *testing.T) {
	const training, tolerance = 240, 1e-6
	rows := golden.Read(t, "testdata/golden.csv")
	x, y, two := mat.NewDense(len(rows), 4, nil), make([]int, training), make([]int, training)
	for i, row := range rows {
		for j, name := range []string{"x1", "x2", "x3", "x4"} {
			x.Set(i, j, row.Num(name))
		}
		if i < training {
			y[i] = int(row.Num("label"))
			if y[i] == 0 {
				two[i] = 1
			}
		}
	}
	train := x.Slice(0, training, 0, 4).(*mat.Dense)
	for _, test := range []struct {
		columns []string
		labels  []int
		bins    int
		options Options
	}{
		{[]string{"two"}, two, 255, Options{Rounds: 25, Rate: 0.1, Leaves: 10, MinRows: 5, L2: 1, Weights: ones(2)}},
		{[]string{"binned"}, two, 12,
			Options{Rounds: 30, Rate: 0.2, Leaves: 31, Depth: 3, MinRows: 10, Weights: ones(2)}},
		{[]string{"three0", "three1", "three2"}, y, 255,
			Options{Rounds: 20, Rate: 0.1, Leaves: 8, MinRows: 7, L2: 1, Weights: ones(3)}},
	} {
		model := fit(t, NewBins(train, test.bins), test.labels, test.options)
		scores, worst := model.Scores(x), 0.0
		for i, row := range rows {
			for k, name := range test.columns {
				got := scores.At(i, k)
				if len(test.columns) == 1 {
					got = scores.At(i, 1) - scores.At(i, 0)
				}
				worst = max(worst, math.Abs(got-row.Num(name)))
			}
		}
		if worst > tolerance {
			t.Errorf("%s: decision values differ by up to %g", test.columns[0], worst)
		}
		t.Logf("%s: within %.1g", test.columns[0], worst)
	}
}

// TestFirstSplit: by the formula, the root's split is the best of all thresholds of all columns, and the
// leaves have the right values.
func TestFirstSplit(t *testing.T) {
	rng := randtest.New(1)
	o := Options{Rounds: 1, Rate: 1, Leaves: 2, MinRows: 3, L2: 0.5, Weights: ones(2)}
	for range 50 {
		n := 10 + rng.Intn(40)
		x, y := mat.NewDense(n, 3, nil), make([]int, n)
		ones := 0
		for i := range n {
			for j := range 3 {
				x.Set(i, j, float64(rng.Intn(12)))
			}
			y[i] = i % 3 % 2
			ones += y[i]
		}
		model := fit(t, NewBins(x, 255), y, o)
		p := float64(ones) / float64(n)
		side := func(j int, above bool, threshold float64) (rows, gradient, hessian float64) {
			for i := range n {
				if (x.At(i, j) > threshold) == above {
					rows, gradient, hessian = rows+1, gradient+p-float64(y[i]), hessian+p*(1-p)
				}
			}
			return rows, gradient, hessian
		}
		gain := func(j int, threshold float64) (sum float64) {
			for _, above := range []bool{false, true} {
				rows, gradient, hessian := side(j, above, threshold)
				if rows < float64(o.MinRows) {
					return 0
				}
				sum += gradient * gradient / (hessian + o.L2)
			}
			return sum
		}
		root := model.rounds[0][0][0]
		if root.Column == decisiontree.Leaf {
			t.Fatal("no split")
		}
		got := gain(int(root.Column), root.Value)
		for j := range 3 {
			for level := range 12 {
				if other := gain(j, float64(level)+0.5); other > got+1e-9 {
					t.Errorf("column %d at %d.5 gains %g, the tree %g", j, level, other, got)
				}
			}
		}
		for k, above := range []bool{false, true} {
			_, gradient, hessian := side(int(root.Column), above, root.Value)
			if value := model.rounds[0][0][1+k].Value; math.Abs(value+gradient/(hessian+o.L2)) > 1e-9 {
				t.Errorf("leaf %d has the value %g, want %g", k, value, -gradient/(hessian+o.L2))
			}
		}
	}
}

// TestExchanged: exchanging the classes changes only the sign of the scores.
func TestExchanged(t *testing.T) {
	rng := randtest.New(2)
	x, y, other := mat.NewDense(200, 4, nil), make([]int, 200), make([]int, 200)
	for i := range y {
		y[i] = rng.Intn(2)
		other[i] = 1 - y[i]
		for j := range 4 { // few levels: many equal splits
			x.Set(i, j, float64(rng.Intn(4)+y[i]))
		}
	}
	o := Options{Rounds: 50, Rate: 0.3, Leaves: 15, MinRows: 2, L2: 1, Weights: ones(2)}
	a := fit(t, NewBins(x, 255), y, o)
	b := fit(t, NewBins(x, 255), other, o)
	p, q := a.Scores(x), b.Scores(x)
	for i := range y {
		if p.At(i, 0) != q.At(i, 1) {
			t.Fatalf("row %d: %v and %v", i, p.At(i, 0), q.At(i, 1))
		}
	}
}

// TestCuts: no bin is empty, and every value lies in its bin.
func TestCuts(t *testing.T) {
	for _, values := range [][]float64{{3}, {2, 2, 2}, {1, math.Nextafter(1, 2)}, {-math.MaxFloat64, math.MaxFloat64},
		{5, 1, 1, 1, 1, 1, 1, 2, 3, 9}} {
		for _, bins := range []int{2, 3, 255} {
			b := NewBins(mat.NewDense(len(values), 1, values), bins)
			if len(b.cuts[0])+1 > bins {
				t.Errorf("%v: %d bins of %d", values, len(b.cuts[0])+1, bins)
			}
			for i, v := range values {
				code := int(b.codes[0][i])
				if code < len(b.cuts[0]) && v > b.cuts[0][code] || code > 0 && v <= b.cuts[0][code-1] {
					t.Errorf("%v: %g has the code %d of cuts %v", values, v, code, b.cuts[0])
				}
			}
		}
	}
}

// TestRepeatedRows: if rows are repeated m times, and the penalty and the minimum number of rows per leaf are
// multiplied by m, the trees stay the same. This also holds if the sums need a coarser unit.
func TestRepeatedRows(t *testing.T) {
	const n, d, m = 300, 3, 1000
	rng := randtest.New(3)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	labels := make([]int, 0, n*m)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
		if x.At(i, 0)+x.At(i, 1)*x.At(i, 2)+rng.NormFloat64() > 0 {
			y[i] = 1
		}
		for range m {
			labels = append(labels, y[i])
		}
	}
	o := Options{Rounds: 3, Rate: 0.3, Leaves: 8, MinRows: 5, L2: 1, Weights: ones(2)}
	few := fit(t, NewBins(x, 16), y, o)
	o.MinRows *= m
	o.L2 *= m
	repeated := fit(t, NewBins(x, 16).repeated(m), labels, o)
	want, got := few.Scores(x), repeated.Scores(x)
	if !mat.EqualApprox(got, want, 1e-9) {
		t.Error("repeated rows give other trees")
	}
}

// repeated returns the bins of rows that are repeated m times.
func (b *Bins) repeated(m int) *Bins {
	r := &Bins{n: b.n * m, cuts: b.cuts}
	for _, codes := range b.codes {
		var all []uint8
		for _, code := range codes {
			for range m {
				all = append(all, code)
			}
		}
		r.codes = append(r.codes, all)
	}
	return r
}

// TestUnits: the sums of all rows fit into 63 bits.
func TestUnits(t *testing.T) {
	for _, rows := range []int{1, 2, 1 << 18, 1<<18 + 1, 1_000_000, math.MaxInt32} {
		if unit := gradientUnit(rows, []float64{1, 1}); float64(rows)/unit > 1<<62 {
			t.Errorf("%d rows of units %g overflow", rows, unit)
		}
	}
	if gradientUnit(1<<18, []float64{1, 1}) != 1.0/(1<<44) {
		t.Errorf("unit of 2^18 rows: %g", gradientUnit(1<<18, []float64{1, 1}))
	}
}

// Without a split, all rows have the same score. If the classes have equal weighted numbers of rows, it is exactly 0
// for all classes, so that rounding errors do not choose a class.
func TestNoSplit(t *testing.T) {
	for _, counts := range [][]int{{7, 6}, {6, 7}, {18, 2}, {9, 4, 5}} {
		var y []int
		for c, n := range counts {
			y = append(y, slices.Repeat([]int{c}, n)...)
		}
		weights := make([]float64, len(counts))
		for c, n := range counts {
			weights[c] = float64(len(y)) / float64(len(counts)*n)
		}
		x := mat.NewDense(len(y), 1, nil)
		for i := range y {
			x.Set(i, 0, float64(i))
		}
		model, err := Fit(t.Context(), NewBins(x, 255), y,
			Options{Rounds: 100, Rate: 0.1, Leaves: 31, MinRows: 20, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if scores := model.Scores(x); mat.Max(scores) != 0 || mat.Min(scores) != 0 {
			t.Errorf("%v rows: scores of %g", counts, scores.RawRowView(0))
		}
	}
}

func ones(classes int) []float64 { return slices.Repeat([]float64{1}, classes) }
