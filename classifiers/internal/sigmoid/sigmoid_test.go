package sigmoid

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
)

func squares(c Curve, x, y []float64) (sum float64) {
	for i, v := range y {
		sum += (v - c.At(x[i])) * (v - c.At(x[i]))
	}
	return sum
}

// testdata/golden.csv was made by testdata/golden.R with R 4.2.2.
func TestGolden(t *testing.T) {
	file, err := os.Open("testdata/golden.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		x, y, want := numbers(t, row[1]), numbers(t, row[2]), numbers(t, row[3])[0]
		c := Fit(x, y, 50)
		if got := squares(c, x, y); math.Abs(got-want) > 1e-7*want {
			t.Errorf("%s: %v leaves %v, R's nls %v", row[0], c, got, want)
		}
	}
}

func numbers(t *testing.T, fields string) (v []float64) {
	t.Helper()
	for _, f := range strings.Fields(fields) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, x)
	}
	return v
}

// The sums of evaluate are those of its definition, and its slopes are the
// derivatives of the sum of squares: d/db_k = -2 a1 <e_k, y>.
func TestEvaluate(t *testing.T) {
	x, y := sample(50, 1)
	const step = 1e-5
	for _, b := range [][2]float64{{0.3, 1.2}, {-1, 0.4}, {2, -3}} {
		s := evaluate(x, y, b[0], b[1])
		if want := squares(s.Curve, x, y); math.Abs(s.squares-want) > 1e-10 {
			t.Errorf("squares %v, summed up %v", s.squares, want)
		}
		d0 := (evaluate(x, y, b[0]+step, b[1]).squares - evaluate(x, y, b[0]-step, b[1]).squares) / (2 * step)
		d1 := (evaluate(x, y, b[0], b[1]+step).squares - evaluate(x, y, b[0], b[1]-step).squares) / (2 * step)
		if math.Abs(d0+2*s.A1*s.e0y) > 1e-6 || math.Abs(d1+2*s.A1*s.e1y) > 1e-6 {
			t.Errorf("slopes (%v,%v), by differences (%v,%v)", -2*s.A1*s.e0y, -2*s.A1*s.e1y, d0, d1)
		}
	}
}

func sample(n int, seed uint64) (x, y []float64) {
	rng := rand.New(rand.NewSource(seed))
	for range n {
		v := rng.NormFloat64()
		x = append(x, v)
		y = append(y, 1-2*logistic(0.5+1.5*v)+0.3*rng.NormFloat64())
	}
	return x, y
}

// The residual is never larger than a level line's, slopes keep their bound and
// nothing overflows.
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

func BenchmarkFit250(b *testing.B) {
	x, y := sample(250, 2)
	for b.Loop() {
		Fit(x, y, 20)
	}
}
