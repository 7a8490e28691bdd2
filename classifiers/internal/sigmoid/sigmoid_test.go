package sigmoid

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"copse/internal/golden"
	"copse/internal/randtest"
)

func squares(c Curve, x, y []float64) (sum float64) {
	for i, v := range y {
		sum += (v - c.At(x[i])) * (v - c.At(x[i]))
	}
	return sum
}

// testdata/golden.csv was made by testdata/golden.R with R 4.2.2.
func TestGolden(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/golden.csv") {
		x, y, want := row.List("x"), row.List("y"), row.Num("squares")
		c := Fit(x, y, 50)
		if got := squares(c, x, y); math.Abs(got-want) > 1e-7*want {
			t.Errorf("%s: %v leaves %v, R's nls %v", row.Value["case"], c, got, want)
		}
	}
}

// The sums of evaluate equal its definition, and its slopes are the derivatives of the sum of squares: d/db_k
// = -2 a1 <e_k, y>.
func TestEvaluate(t *testing.T) {
	x, y := sample(50, 1)
	y, _ = lessMean(y)
	f := newFitter(x, 20)
	f.setSample(y)
	const step = 1e-5
	for _, b := range [][2]float64{{0.3, 1.2}, {-1, 0.4}, {2, -3}} {
		s := f.evaluate(b[0], b[1])
		if want := squares(s.Curve, f.z, y); math.Abs(s.squares-want) > 1e-10 {
			t.Errorf("squares %v, summed up %v", s.squares, want)
		}
		d0 := (f.evaluate(b[0]+step, b[1]).squares - f.evaluate(b[0]-step, b[1]).squares) / (2 * step)
		d1 := (f.evaluate(b[0], b[1]+step).squares - f.evaluate(b[0], b[1]-step).squares) / (2 * step)
		if math.Abs(d0+2*s.A1*s.e0y) > 1e-6 || math.Abs(d1+2*s.A1*s.e1y) > 1e-6 {
			t.Errorf("slopes (%v,%v), by differences (%v,%v)", -2*s.A1*s.e0y, -2*s.A1*s.e1y, d0, d1)
		}
	}
}

func sample(n int, seed uint64) (x, y []float64) {
	rng := randtest.New(seed)
	for range n {
		v := rng.NormFloat64()
		x = append(x, v)
		y = append(y, 1-2*logistic(0.5+1.5*v)+0.3*rng.NormFloat64())
	}
	return x, y
}

// The residual is never larger than for a constant, slopes respect their bound, and nothing overflows.
func TestHardSamples(t *testing.T) {
	for name, s := range map[string][2][]float64{
		"a step":        {{1, 2, 3, 4, 5, 6}, {0, 0, 0, 1, 1, 1}},
		"a line":        {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}},
		"an outlier":    {{0, 0, 0, 0, 0, 1e6}, {1, 2, 1, 2, 1, 100}},
		"two values":    {{0, 1, 0, 1, 0, 1}, {1, 2, 1, 2, 1, 3}},
		"no dependence": {{1, 2, 3, 4, 5, 6}, {1, -1, 1, -1, 1, -1}},
		"level":         {{1, 2, 3, 4, 5, 6}, {7, 7, 7, 7, 7, 7}},
	} {
		x, y := s[0], s[1]
		mean := 0.0
		for _, v := range y {
			mean += v / float64(len(y))
		}
		const bound = 8.0
		c := Fit(x, y, bound)
		got, level := squares(c, x, y), squares(Curve{A0: mean}, x, y)
		if !(got <= level+1e-9) || math.Abs(c.B1) > bound {
			t.Errorf("%s: %v leaves %v, a level line %v", name, c, got, level)
		}
	}
}

// searched returns the smallest sum of squares that a simple search finds. It tries the line, the steepest
// curves between any two neighbouring values, and the best eight points of a grid, which it refines
// alternately in slope and centre.
func searched(x, y []float64, maxSlope float64) float64 {
	y, _ = lessMean(y)
	left := func(slope, centre float64) float64 {
		s := make([]float64, len(x))
		for i, v := range x {
			s[i] = logistic(slope * (v - centre))
		}
		s, _ = lessMean(s)
		var ss, sy, yy float64
		for i, v := range s {
			ss, sy, yy = ss+v*v, sy+v*y[i], yy+y[i]*y[i]
		}
		if ss < 1e-6 { // beyond a few transitions from all values: rounding
			return yy
		}
		return yy - sy*sy/ss
	}
	best := squaresOfLine(x, y)
	sorted, sd := slices.Clone(x), maxSlope/20
	slices.Sort(sorted)
	type candidate struct{ squares, slope, centre float64 }
	var grid []candidate
	for i := range sorted {
		centre := (sorted[i] + sorted[max(i, 1)-1]) / 2
		best = min(best, left(maxSlope, centre))
		for _, slope := range []float64{0.1, 0.5, 1, 2, 4, 8, 16, 20} {
			if i%max(1, len(x)/15) == 0 {
				grid = append(grid, candidate{left(slope*sd, centre), slope * sd, centre})
			}
		}
	}
	slices.SortFunc(grid, func(a, b candidate) int { return cmp.Compare(a.squares, b.squares) })
	for _, c := range grid[:min(8, len(grid))] {
		for step, trials := 0.5, 0; step > 1e-5 && trials < 100; trials++ {
			better := false
			for _, trial := range [][2]float64{{c.slope * (1 + step), c.centre}, {c.slope / (1 + step), c.centre},
				{c.slope, c.centre + step/sd}, {c.slope, c.centre - step/sd}} {
				if s := left(trial[0], trial[1]); trial[0] <= maxSlope && s < c.squares {
					c, better = candidate{s, trial[0], trial[1]}, true
				}
			}
			if !better {
				step /= 2
			}
		}
		best = min(best, c.squares)
	}
	return best
}

func squaresOfLine(x, y []float64) float64 {
	a, b := stat.LinearRegression(x, y, nil, false)
	sum := 0.0
	for i, v := range x {
		sum += (y[i] - a - b*v) * (y[i] - a - b*v)
	}
	return sum
}

// No fit is worse than the line, or worse than the simple search by more than 0.1 nats.
func TestFitIsTheLeast(t *testing.T) {
	rng := randtest.New(3)
	shapes := map[string]func(x float64) float64{
		"noise":       func(float64) float64 { return 0 },
		"line":        func(x float64) float64 { return x },
		"two waves":   func(x float64) float64 { return math.Sin(3 * x) },
		"exponential": math.Exp,
		"bump":        func(x float64) float64 { return math.Exp(-x * x) },
		"steps":       math.Round,
	}
	for name, shape := range shapes {
		for trial := range 18 {
			n := []int{6, 30, 150}[trial%3]
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = rng.NormFloat64()
				switch trial / 3 % 3 {
				case 1: // heavy tails
					x[i] /= math.Abs(rng.NormFloat64())
				case 2: // ties
					x[i] = math.Round(2*x[i]) / 2
				}
				y[i] = shape(min(x[i], 5)) + 0.3*rng.NormFloat64()
			}
			if slices.Max(x) == slices.Min(x) {
				continue
			}
			maxSlope := 20 / stat.PopStdDev(x, nil)
			c := Fit(x, y, maxSlope)
			if !(c.B1 > 0 && c.B1 <= maxSlope*(1+1e-12)) {
				t.Fatalf("%s, n = %d: slope %v, at most %v allowed", name, n, c.B1, maxSlope)
			}
			got := squares(c, x, y)
			if line := squaresOfLine(x, y); got > line*(1+1e-9)+1e-12 {
				t.Errorf("%s, n = %d: %v leaves %v, the line %v", name, n, c, got, line)
			}
			const tiny = 1e-9 // of n; a perfect fit
			if want := searched(x, y, maxSlope); float64(n)/2*math.Log((got+tiny)/(want+tiny)) > 0.1 {
				t.Errorf("%s, n = %d: %v leaves %v, the search %v %v %v", name, n, c, got, want, x, y)
			}
		}
	}
}

// The fit of one sample does not depend on the others, also if x has several blocks of rows.
func TestFitAllIsFit(t *testing.T) {
	x, y := sample(1300, 5)
	_, z := sample(1300, 6)
	curves, err := FitAll(t.Context(), x, [][]float64{z, y, x, z}, 20)
	if err != nil {
		t.Fatal(err)
	}
	for k, other := range [][]float64{z, y, x, z} {
		if c := Fit(x, other, 20); c != curves[k] {
			t.Errorf("sample %d: %v among others, %v alone", k, curves[k], c)
		}
	}
}

func BenchmarkFitAll(b *testing.B) {
	x, y := sample(500, 2)
	var ys [][]float64
	for k := range uint64(100) {
		_, z := sample(500, k+3)
		ys = append(ys, y, z)
	}
	for b.Loop() {
		if _, err := FitAll(b.Context(), x, ys, 20); err != nil {
			b.Fatal(err)
		}
	}
}
