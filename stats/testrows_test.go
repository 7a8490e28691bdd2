package stats

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"copse/internal/golden"
	"copse/internal/randtest"
)

// The files were written by testdata/testrows.R.
func TestMcNemarAgainstR(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/mcnemar.csv") {
		m := McNemar{OnlyFirst: row.Int("first"), OnlySecond: row.Int("second"), Rows: 300}
		if got := m.PValue(TwoSided); !golden.Near(got, row.Num("p")) {
			t.Errorf("%v: p %v", row.Value, got)
		}
		if s := m.Shift(0.95); !golden.Near(s.Low, row.Num("low")) || !golden.Near(s.High, row.Num("high")) {
			t.Errorf("%v: %+v", row.Value, s)
		}
	}
}

// drawMcNemar draws the counts of a study. With probability onlyFirst, only the first fit misclassifies a row. With
// probability onlySecond, only the second fit does.
func drawMcNemar(rng *rand.Rand, rows int, onlyFirst, onlySecond float64) McNemar {
	m := McNemar{Rows: rows}
	for range rows {
		switch u := rng.Float64(); {
		case u < onlyFirst:
			m.OnlyFirst++
		case u < onlyFirst+onlySecond:
			m.OnlySecond++
		}
	}
	return m
}

// The interval contains the difference of the error rates in about 95 percent of the studies, also if one fit
// misclassifies almost no row alone. For fits that misclassify the same rows, it is not empty.
func TestCoverageOfMcNemarInterval(t *testing.T) {
	const studies, level = 4000, 0.95
	for _, c := range []struct {
		rows                  int
		onlyFirst, onlySecond float64 // probabilities of a row
	}{{134, 0.1, 0.005}, {134, 0.3, 0.02}, {134, 0.1, 0.1}, {1000, 0.1, 0.01}, {50, 0.2, 0.02}} {
		rng, covered := randtest.New(12), 0
		for range studies {
			m := drawMcNemar(rng, c.rows, c.onlyFirst, c.onlySecond)
			interval := m.Shift(level)
			if truth := c.onlyFirst - c.onlySecond; interval.Low <= truth && truth <= interval.High {
				covered++
			}
		}
		if share := float64(covered) / studies; share < 0.94 || share > 0.985 {
			t.Errorf("%+v: the intervals contain the difference in %.1f percent", c, 100*share)
		}
	}
	if same := (McNemar{Rows: 134}).Shift(level); !(same.Low < -0.01 && same.High > 0.01) {
		t.Errorf("fits that misclassify the same rows: %v", same)
	}
}

// Fits whose true difference is the margin are called equivalent in at most 6.5 percent of the studies. The
// 90 percent interval of equivalent fits is inside the margin.
func TestSizeOfMcNemarEquivalence(t *testing.T) {
	const studies, alpha = 4000, 0.05
	for _, c := range []struct {
		rows                  int
		onlyFirst, onlySecond float64
	}{{60, 0.01, 0}, {200, 0.06, 0.01}, {1000, 0.03, 0.01}} {
		rng, equivalent := randtest.New(13), 0
		margin := c.onlyFirst - c.onlySecond
		for range studies {
			m := drawMcNemar(rng, c.rows, c.onlyFirst, c.onlySecond)
			if m.Equivalence(margin) > alpha {
				continue
			}
			equivalent++
			if i := m.Shift(1 - 2*alpha); i.Low < -margin-1e-9 || i.High > margin+1e-9 {
				t.Errorf("%+v: interval %v exceeds the margin %v", m, i, margin)
			}
		}
		if share := float64(equivalent) / studies; share > 0.065 {
			t.Errorf("%+v: %.1f percent are called equivalent", c, 100*share)
		}
	}
}

func TestBCaAgainstR(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/bca.csv") {
		got := bca(row.List("resampled"), row.Num("estimate"), row.List("jackknife"), row.Num("level"))
		for k, end := range []string{"low", "high"} {
			if math.Abs(got[k]-row.Num(end)) > 1e-9 {
				t.Errorf("%s, %s: %s %v, want %v", row.Value["case"], row.Value["level"], end, got[k], row.Num(end))
			}
		}
	}
}

func TestSampleRowsOmitsUndefined(t *testing.T) {
	firstRowOnly := func(times []int) float64 {
		if times[0] == 0 {
			return math.NaN()
		}
		return float64(times[0])
	}
	r, err := SampleRows(4, 500, randtest.New(1), firstRowOnly).Interval(0.9)
	if err != nil {
		t.Fatal(err)
	}
	want := 500 * math.Pow(0.75, 4) // resamples without the first row
	if undefined := 500 - len(r.ascending); math.Abs(float64(undefined)-want) > 4*math.Sqrt(want) {
		t.Errorf("%d resamples are undefined, want about %.0f", undefined, want)
	}
	undefined := func([]int) float64 { return math.NaN() }
	if _, err := SampleRows(4, 500, randtest.New(1), undefined).Interval(0.9); err == nil {
		t.Error("a statistic that is not defined gives an interval")
	}
}

func TestRowSampleRefusesLevel(t *testing.T) {
	s := RowSample{Estimate: 2, Resampled: []float64{1, 2, 3}, LeftOut: []float64{1, 3}}
	for _, level := range []float64{0, 1, 95, math.NaN()} {
		if got, err := s.Interval(level); err == nil {
			t.Errorf("level %v: %v", level, got.Percentile)
		}
	}
}

// No difference exceeds 1, so a mean of more than 1 is impossible.
func TestSameDifferencePOfLargeMean(t *testing.T) {
	for _, mean := range []float64{1, 1.5} {
		if p := SameDifferenceP(0.2, mean, 3); p != 0 {
			t.Errorf("mean %v: p-value %v, want 0", mean, p)
		}
	}
}

func TestJackknifeLeavesOutEachRow(t *testing.T) {
	var left [][]int
	values := jackknife([]int{1, 1, 1, 1}, func(times []int) float64 {
		left = append(left, slices.Clone(times))
		return float64(len(left))
	})
	if want := [][]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}}; !reflect.DeepEqual(left, want) {
		t.Errorf("%v, want %v", left, want)
	}
	if !slices.Equal(values, []float64{1, 2, 3, 4}) {
		t.Errorf("%v", values)
	}
}

// Of many rows, the jackknife leaves out groups, and each row once. The acceleration of a mean remains about the same.
func TestJackknifeOfManyRows(t *testing.T) {
	const n = 50_000
	rng := randtest.New(5)
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.ExpFloat64()
	}
	left := make([]int, n)
	values := jackknife(slices.Repeat([]int{1}, n), func(times []int) float64 {
		for i, count := range times {
			left[i] += 1 - count
		}
		return weightedMean(x, times)
	})
	if len(values) != mostGroups || slices.Min(left) != 1 || slices.Max(left) != 1 {
		t.Errorf("%d groups; rows are left out %d to %d times", len(values), slices.Min(left), slices.Max(left))
	}
	// The acceleration of a mean is its skewness / 6 sqrt(n); an exponential variable has skewness 2.
	if got, want := acceleration(values), 2/(6*math.Sqrt(n)); math.Abs(got-want) > 0.001 {
		t.Errorf("acceleration %v, want about %v", got, want)
	}
}

// weightedMean returns the mean of numbers of which number i occurs times[i] times.
func weightedMean(x []float64, times []int) float64 {
	weights := make([]float64, len(x))
	for i, t := range times {
		weights[i] = float64(t)
	}
	return stat.Mean(x, weights)
}

// testRows draws whether two rules are wrong on each of n test rows. Both have the
// given error rate; the second repeats the first on a share of the rows.
func testRows(rng *rand.Rand, n int, rate, repeated float64) (first, second []float64) {
	first, second = make([]float64, n), make([]float64, n)
	wrong := func() float64 {
		if rng.Float64() < rate {
			return 1
		}
		return 0
	}
	for i := range first {
		first[i], second[i] = wrong(), wrong()
		if rng.Float64() < repeated {
			second[i] = first[i]
		}
	}
	return first, second
}

// Two fits with the same error rate on all further rows: McNemar's exact test keeps its
// level, and intervals of the difference exclude 0 about as often as stated.
func TestSizeOnTestRows(t *testing.T) {
	studies, draws := 200, 199
	if long() {
		studies, draws = 10_000, 999
	}
	for _, n := range []int{50, 200} {
		rng := randtest.New(39)
		mcnemar, tested, percentile, accelerated := 0, 0, 0, 0
		for range studies {
			first, second := testRows(rng, n, 0.2, 0.5)
			onlyFirst, onlySecond := 0, 0
			for i := range first {
				if first[i] > second[i] {
					onlyFirst++
				}
				if first[i] < second[i] {
					onlySecond++
				}
			}
			m := McNemar{onlyFirst, onlySecond, n}
			if m.PValue(TwoSided) <= sizeAlpha {
				mcnemar++
			}
			if s := m.Shift(1 - sizeAlpha); (s.Low > 0 || s.High < 0) && m.PValue(TwoSided) > sizeAlpha {
				t.Errorf("%+v: test and interval disagree: p %v, %+v", m, m.PValue(TwoSided), s)
			}
			difference := floats.SubTo(make([]float64, n), first, second)
			mean := func(times []int) float64 { return weightedMean(difference, times) }
			r, err := SampleRows(n, draws, rng, mean).Interval(1 - sizeAlpha)
			if err != nil {
				t.Fatal(err)
			}
			if excludesZero(r.Percentile) {
				percentile++
			}
			if r.PValue(0, TwoSided) <= sizeAlpha {
				tested++
			}
			if excludesZero(r.BCa) {
				accelerated++
			}
		}
		checkLevel(t, "McNemar", n, mcnemar, studies, 0.05)
		checkLevel(t, "p-value of the bootstrap", n, tested, studies, 0.08)
		checkLevel(t, "percentile", n, percentile, studies, 0.08)
		checkLevel(t, "BCa", n, accelerated, studies, 0.08)
	}
}

// A one-sided p-value is the share of resamples on one side of a value, including the observed sample. A
// two-sided one is twice the smaller share.
func TestBootstrapPValue(t *testing.T) {
	b := BootstrapInterval{ascending: []float64{-1, 0, 0, 1, 2, 3, 4, 5, 6}}
	for _, c := range []struct {
		value float64
		a     Alternative
		want  float64
	}{{0, Greater, 0.4}, {0, Less, 0.9}, {0, TwoSided, 0.8}, {7, Less, 0.1}, {7, TwoSided, 0.2}, {-2, Greater, 0.1}} {
		if got := b.PValue(c.value, c.a); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, alternative %d: %v, want %v", c.value, c.a, got, c.want)
		}
	}
}

// The corrected resampled t test over training sets that share one test set finds a difference between two
// equally good rules far too often, so it is rejected there. Each rule uses one of two columns, in which the
// classes are one standard deviation apart, and splits at the midpoint of the class means. There are 10
// training sets with 100 rows each and 50 test rows.
func TestSizeCorrectedTOnOneTestSet(t *testing.T) {
	studies := simulations(400, 10_000)
	const training, testing, fits = 100, 50, 10
	rng := randtest.New(62)
	level := rejectionRate(t, studies, func() (float64, error) {
		test := [2][]float64{classColumn(testing, rng), classColumn(testing, rng)}
		d := make([]float64, fits)
		for fit := range d {
			for rule, sign := range []float64{1, -1} {
				split := stat.Mean(classColumn(training, rng), nil)
				for i, x := range test[rule] {
					if (x > split) != (i%2 == 1) {
						d[fit] += sign / testing
					}
				}
			}
		}
		r, err := CorrectedT(d, float64(testing)/training, TwoSided)
		return r.P, err
	})
	t.Logf("corrected t on one test set: rejects %.1f%% of %d studies (standard error %.1f)", 100*level, studies,
		100*math.Sqrt(level*(1-level)/float64(studies)))
	if level < 0.2 {
		t.Errorf("rejects %.1f%%: is it invalid on one test set?", 100*level)
	}
}

// classColumn draws a column of rows whose classes, 0 and 1 in turn, are one standard deviation apart.
func classColumn(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i%2) + rng.NormFloat64()
	}
	return x
}

func excludesZero(interval [2]float64) bool { return interval[0] > 0 || interval[1] < 0 }

// checkLevel logs how often a test of n rows rejects, and fails if this exceeds most by more than three
// standard errors.
func checkLevel(t *testing.T, name string, n, rejected, studies int, most float64) {
	t.Helper()
	level, se := float64(rejected)/float64(studies), math.Sqrt(most*(1-most)/float64(studies))
	t.Logf("%s, %d rows: rejects %.1f%% of %d studies (standard error %.1f)", name, n, 100*level, studies, 100*se)
	if level > most+3*se {
		t.Errorf("%s, %d rows: rejects %.1f%% of %d studies", name, n, 100*level, studies)
	}
}

// The mean of a skewed sample: the BCa interval covers it more often than the percentile interval.
func TestBCaCoversSkewedMeans(t *testing.T) {
	studies := slowSimulations(t, 400, 10_000)
	rng := randtest.New(40)
	const n = 40
	percentile, accelerated := 0, 0
	for range studies {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.ExpFloat64()
		}
		mean := func(times []int) float64 { return weightedMean(x, times) }
		r, err := SampleRows(n, 999, rng, mean).Interval(0.95)
		if err != nil {
			t.Fatal(err)
		}
		if r.Percentile[0] <= 1 && 1 <= r.Percentile[1] {
			percentile++
		}
		if r.BCa[0] <= 1 && 1 <= r.BCa[1] {
			accelerated++
		}
		if math.Abs(r.Estimate-stat.Mean(x, nil)) > 1e-12 {
			t.Fatalf("estimate %v", r.Estimate)
		}
	}
	t.Logf("exponential, %d rows: percentile covers %.1f%%, BCa %.1f%% of %d", n,
		100*float64(percentile)/float64(studies), 100*float64(accelerated)/float64(studies), studies)
	if accelerated < percentile-studies/100 || float64(accelerated) < 0.90*float64(studies) {
		t.Errorf("BCa covers %d, percentile %d of %d", accelerated, percentile, studies)
	}
}
