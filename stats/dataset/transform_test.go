package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/dataset/datasettest"
)

func column(values ...float64) *dataset.Set {
	return dataset.New(mat.NewDense(len(values), 1, values), make([]int, len(values)), 1)
}

// upperEnds returns the upper ends of all intervals except the last, from names such as (0.5,2].
func upperEnds(levels []string) (ends []string) {
	for _, level := range levels[:len(levels)-1] {
		_, end, _ := strings.Cut(level, ",")
		ends = append(ends, strings.TrimSuffix(end, "]"))
	}
	return ends
}

func TestDiscretiserByHand(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		train []float64
		bins  int
		cuts  string
	}{
		{[]float64{1, 2, 3, 4, 5, 6}, 3, "[2.5 4.5]"},
		{[]float64{6, nan, 5, 4, 3, nan, 2, 1}, 3, "[2.5 4.5]"}, // missing values do not count
		{[]float64{1, 1, 1, 1, 2, 3}, 3, "[1.5]"},               // ties are not split; no empty interval
		{[]float64{0, 0, 0, 1}, 2, "[0.5]"},
		{[]float64{0, 1, 1, 1}, 2, "[]"}, // the median is the largest value
		{[]float64{0, 1}, 5, "[0.5]"},
		{[]float64{7, 7, 7}, 4, "[]"},
		{[]float64{nan, nan}, 4, "[]"},
		{[]float64{1, math.Nextafter(1, 2)}, 2, "[1]"},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, 2, fmt.Sprint([]float64{-math.MaxFloat64})},
	} {
		d := dataset.FitDiscretiser(column(c.train...), c.bins)
		if got := fmt.Sprint(upperEnds(d.Attributes()[0].Levels)); got != c.cuts {
			t.Errorf("%v in %d bins: cuts %s, want %s", c.train, c.bins, got, c.cuts)
		}
	}
	d := dataset.FitDiscretiser(column(1, 2, 3, 4, 5, 6), 3)
	if got := d.Attributes()[0]; got.Kind != dataset.Discrete ||
		!slices.Equal(got.Levels, []string{"(-Inf,2.5]", "(2.5,4.5]", "(4.5,Inf)"}) {
		t.Errorf("attribute %+v", got)
	}
	x := mat.NewDense(6, 1, []float64{-1e9, 2.5, 2.6, 4.5, 1e9, nan})
	if got := fmt.Sprint(d.Apply(x).RawMatrix().Data); got != "[0 0 1 1 2 NaN]" || x.At(0, 0) != -1e9 {
		t.Errorf("codes %s", got)
	}
}

// For any sample, no interval is empty in training, codes increase with the values, and equal values have the
// same code. Without ties, the counts differ by at most one.
func TestDiscretiserLaws(t *testing.T) {
	rng := randtest.New(1)
	for round := range 200 {
		values := make([]float64, 1+rng.Intn(40))
		for i := range values {
			values[i] = rng.NormFloat64()
			if round%2 == 1 {
				values[i] = float64(rng.Intn(6))
			}
		}
		bins := 2 + rng.Intn(8)
		s := column(values...)
		d := dataset.FitDiscretiser(s, bins)
		codes := dataset.Transformed(s, d).X.RawMatrix().Data
		counts := make([]int, len(d.Attributes()[0].Levels))
		if len(counts) > bins {
			t.Fatalf("%d intervals for %d bins", len(counts), bins)
		}
		for i, a := range codes {
			counts[int(a)]++
			for j, b := range codes {
				if values[i] == values[j] && a != b || values[i] < values[j] && a > b {
					t.Fatalf("%v and %v get %v and %v", values[i], values[j], a, b)
				}
			}
		}
		if slices.Min(counts) == 0 || round%2 == 0 && len(values) >= bins &&
			(len(counts) != bins || slices.Max(counts)-slices.Min(counts) > 1) {
			t.Fatalf("%d values in %d bins: counts %v", len(values), bins, counts)
		}
	}
}

func mixed() *dataset.Set {
	s, err := csvfile.Read(strings.NewReader("a,b,class\n1,red,yes\n?,blue,no\n4,blue,no\n?,NA,no\n"), "",
		csvfile.Options{})
	if err != nil {
		panic(err)
	}
	return s
}

func TestTransformsOfMixedAttributes(t *testing.T) {
	s := mixed()
	before := datasettest.Show(s)
	imputer, err := dataset.FitImputer(s, dataset.ImputeMean)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		t    dataset.Transform
		want string
	}{
		{"discretiser", dataset.FitDiscretiser(s, 2),
			`a:1["(-Inf,2.5]" "(2.5,Inf)"] b:1["blue" "red"] | ["no" "yes"] | [0 1]>1 [NaN 0]>0 [1 0]>0 [NaN NaN]>0`},
		{"one-hot", dataset.NewOneHot(s.Attributes, 0),
			`a:0[] b=blue:0[] b=red:0[] | ["no" "yes"] | [1 0 1]>1 [NaN 1 0]>0 [4 1 0]>0 [NaN NaN NaN]>0`},
		{"dummy", dataset.NewDummy(s.Attributes),
			`a:0[] b=red:0[] | ["no" "yes"] | [1 1]>1 [NaN 0]>0 [4 0]>0 [NaN NaN]>0`},
		{"codes of two levels", dataset.NewOneHot(s.Attributes, 2),
			`a:0[] b:1["blue" "red"] | ["no" "yes"] | [1 1]>1 [NaN 0]>0 [4 0]>0 [NaN NaN]>0`},
		{"imputer", imputer, `a:0[] b:1["blue" "red"] | ["no" "yes"] | [1 1]>1 [2.5 0]>0 [4 0]>0 [2.5 0]>0`},
	} {
		if got := datasettest.Show(dataset.Transformed(s, c.t)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic on too many columns", c.name)
				}
			}()
			c.t.Apply(mat.NewDense(1, 3, nil))
		}()
	}
	if datasettest.Show(s) != before {
		t.Error("a transform changed its input")
	}
	_, err = dataset.FitImputer(column(math.NaN()), dataset.ImputeMean)
	errtest.Case(t, "imputer of an empty column").Contains(err, `"x1"`)
}
