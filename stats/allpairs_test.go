package stats

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"

	"copse/internal/golden"
	"copse/internal/randtest"
)

func flipAllPairs(t *testing.T, losses [][]float64, rng *rand.Rand, draws int) *AllPairs {
	t.Helper()
	a, err := FlipAllPairs(losses, rng, draws)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The file was written by testdata/allpairs.R.
func TestAllPairsAgainstR(t *testing.T) {
	for _, row := range golden.Read(t, "testdata/allpairs.csv") {
		losses := slices.Collect(slices.Chunk(row.List("losses"), row.Int("k")))
		i, j := row.Int("i"), row.Int("j")
		flipped := flipAllPairs(t, losses, nil, 0)
		corrected, err := CorrectedAllPairs(losses, 0.25)
		if err != nil {
			t.Fatal(err)
		}
		c, interval := flipped.Compare(i, j), flipped.Interval(i, j, 0.9)
		corr, corrInterval := corrected.Compare(i, j), corrected.Interval(i, j, 0.9)
		for name, pair := range map[string][2]float64{
			"difference":         {c.Difference, row.Num("difference")},
			"se":                 {c.SE, row.Num("se")},
			"p":                  {c.P, row.Num("p")},
			"adjusted":           {c.Adjusted, row.Num("adjusted")},
			"equivalence":        {flipped.Equivalence(i, j, 1), row.Num("equivalence")},
			"corrected p":        {corr.P, row.Num("corrected_p")},
			"corrected adjusted": {corr.Adjusted, row.Num("corrected_adjusted")},
			"corrected half":     {corrInterval.High - corrInterval.Estimate, row.Num("corrected_half")},
		} {
			if !golden.Near(pair[0], pair[1]) {
				t.Errorf("%s, %d and %d: %s is %v, want %v", row.Value["case"], i, j, name, pair[0], pair[1])
			}
		}
		if row.Value["half"] == "Inf" {
			if interval.Level != 0 || flipped.Attainable(0.1) {
				t.Errorf("%s: an interval of too few replicates: %+v", row.Value["case"], interval)
			}
			continue
		}
		// The critical value is rounded up by half of sameShare.
		if half := row.Num("half"); math.Abs(interval.High-interval.Estimate-half) > sameShare*half {
			t.Errorf("%s, %d and %d: half width %v, want %v", row.Value["case"], i, j,
				interval.High-interval.Estimate, half)
		}
	}
}

// A lossModel draws the loss of classifier i in one replicate, with mean 0. common is a standard normal
// number shared by all classifiers of the replicate.
type lossModel func(i int, common float64, rng *rand.Rand) float64

var lossModels = map[string]lossModel{
	"normal": func(i int, common float64, rng *rand.Rand) float64 {
		return common + (1+float64(i%3)/2)*rng.NormFloat64()
	},
	"skewed": func(_ int, _ float64, rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 },
	"ties": func(_ int, _ float64, rng *rand.Rand) float64 {
		return errorCount(50, 0.1, rng) - 5
	},
	// Every other classifier has lognormal losses, so that differences are skewed, too.
	"skewed differences": func(i int, _ float64, rng *rand.Rand) float64 {
		if i%2 == 1 {
			return 0.3 * rng.NormFloat64()
		}
		return math.Exp(0.5*rng.NormFloat64()) - math.Exp(0.125)
	},
}

func errorCount(rows int, rate float64, rng *rand.Rand) float64 {
	errors := 0.0
	for range rows {
		if rng.Float64() < rate {
			errors++
		}
	}
	return errors
}

// drawLosses returns the losses of n replicates of classifiers with the given means.
func drawLosses(model lossModel, n int, means []float64, rng *rand.Rand) [][]float64 {
	losses := make([][]float64, n)
	for r := range losses {
		common := rng.NormFloat64()
		losses[r] = make([]float64, len(means))
		for i, mean := range means {
			losses[r][i] = mean + model(i, common, rng)
		}
	}
	return losses
}

// simulatedMeans are means of classifiers: equal, or four different ones in turn.
var simulatedMeans = map[string]func(i int) float64{
	"equal":   func(int) float64 { return 0 },
	"unequal": func(i int) float64 { return float64(i%4) / 4 },
}

func meansOf(mean func(i int) float64, k int) []float64 {
	means := make([]float64, k)
	for i := range means {
		means[i] = mean(i)
	}
	return means
}

// studies counts how often the comparisons with the selected best are wrong.
type studies struct {
	n, falseBold, uncovered int
}

// count adds one study: whether a classifier that is no worse than the selected best is
// shown to be worse, and whether an interval of a difference from it misses the truth.
func (s *studies) count(a *AllPairs, means []float64) {
	best := floats.MinIdx(a.mean)
	falseBold, uncovered := false, false
	for i := range means {
		if i == best {
			continue
		}
		interval := a.Interval(best, i, 1-sizeAlpha)
		truth := means[best] - means[i]
		if interval.Level > 0 && (truth < interval.Low || truth > interval.High) {
			uncovered = true
		}
		if a.Compare(best, i).Adjusted <= sizeAlpha && truth >= 0 {
			falseBold = true
		}
	}
	s.n++
	if falseBold {
		s.falseBold++
	}
	if uncovered {
		s.uncovered++
	}
}

func (s *studies) level() float64    { return float64(s.falseBold) / float64(s.n) }
func (s *studies) coverage() float64 { return 1 - float64(s.uncovered)/float64(s.n) }

// check logs level and coverage, and fails if they miss their limits by more than three standard errors.
func (s *studies) check(t *testing.T, name string, mostLevel, leastCoverage float64) {
	t.Helper()
	se := func(p float64) float64 { return math.Sqrt(p * (1 - p) / float64(s.n)) }
	t.Logf("%s: family-wise level %.1f%%, joint coverage %.1f%% (%d studies, standard errors %.1f and %.1f)",
		name, 100*s.level(), 100*s.coverage(), s.n, 100*se(s.level()), 100*se(s.coverage()))
	if s.level() > mostLevel+3*se(mostLevel) {
		t.Errorf("%s: family-wise level %.4f of %d studies", name, s.level(), s.n)
	}
	if s.coverage() < leastCoverage-3*se(leastCoverage) {
		t.Errorf("%s: joint coverage %.4f of %d studies", name, s.coverage(), s.n)
	}
}

// long reports whether long simulations are requested.
func long() bool { return os.Getenv("COPSE_LONG") != "" }

// simulations returns the number of simulated data sets: usual, or many if long simulations are requested.
func simulations(usual, many int) int {
	if long() {
		return many
	}
	return usual
}

// The test over all pairs keeps its family-wise level and joint coverage although the
// best is selected from the same data. Skewed differences exceed the level; the guide
// gives the figures.
func TestSizeFlipAllPairs(t *testing.T) {
	sizes, runs, draws := []int{3, 5}, 200, 199
	if long() {
		sizes, runs, draws = []int{3, 5, 10, 20}, 10_000, 399
	}
	for name, model := range lossModels {
		mostLevel, leastCoverage := 0.055, 0.94
		if name == "skewed differences" {
			mostLevel, leastCoverage = 0.10, 0.90
		}
		for order, mean := range simulatedMeans {
			for _, k := range sizes {
				rng, means := randtest.New(35), meansOf(mean, k)
				var s studies
				for range runs {
					a := flipAllPairs(t, drawLosses(model, 50, means, rng), rng, draws)
					s.count(a, means)
				}
				s.check(t, fmt.Sprintf("%s, %s means, %d classifiers", name, order, k), mostLevel, leastCoverage)
			}
		}
	}
}

// With few replicates, skewed differences exceed the level by more, and their sample skewness rarely exceeds 2, the
// limit for a remark.
func TestSizeFewSkewedReplicates(t *testing.T) {
	runs, draws := simulations(100, 4000), 399
	strong := func(i int, common float64, rng *rand.Rand) float64 {
		if i%2 == 1 {
			return 0.3 * rng.NormFloat64()
		}
		return math.Exp(rng.NormFloat64()) - math.Exp(0.5)
	}
	models := map[string]lossModel{"skewed": lossModels["skewed differences"], "strongly skewed": strong}
	for _, n := range []int{6, 8, 10, 20, 50} {
		for _, k := range []int{3, 5, 10} {
			for name, model := range models {
				checkSkewed(t, fmt.Sprintf("%s, %d replicates, %d classifiers", name, n, k), model, n, k, runs, draws)
			}
		}
	}
}

// checkSkewed logs how often the test of k equal means shows a difference, and in how many of these studies the
// skewness of such a difference exceeds the limit for a remark.
func checkSkewed(t *testing.T, name string, model lossModel, n, k, runs, draws int) {
	t.Helper()
	rng, means := randtest.New(41), make([]float64, k)
	rejected, remarked := 0, 0
	for range runs {
		losses := drawLosses(model, n, means, rng)
		a := flipAllPairs(t, losses, rng, draws)
		isRejected, isSkewed := false, false
		best := floats.MinIdx(a.mean)
		for i := range k {
			if i == best || a.Compare(best, i).Adjusted > sizeAlpha {
				continue
			}
			d := floats.SubTo(make([]float64, n), Column(losses, best), Column(losses, i))
			isRejected, isSkewed = true, isSkewed || math.Abs(Skewness(d)) > 2
		}
		if isRejected {
			rejected++
		}
		if isSkewed {
			remarked++
		}
	}
	level := float64(rejected) / float64(runs)
	se := math.Sqrt(level * (1 - level) / float64(runs))
	t.Logf("%s: family-wise level %.1f%% (standard error %.1f), %d of %d with a remark", name, 100*level, 100*se,
		remarked, rejected)
	if float64(remarked) > 0.5*float64(rejected) { // docs/reference/tests.md calls remarks rare
		t.Errorf("%s: %d of %d rejections have a remark", name, remarked, rejected)
	}
}

// Over folds of one data set the corrected t test over all pairs keeps its level: 3-NN rules
// on disjoint noise columns.
func TestSizeCorrectedAllPairs(t *testing.T) {
	sizes, runs := []int{3}, 40
	if long() {
		sizes, runs = []int{3, 5, 10, 20}, 10_000
	}
	for _, k := range sizes {
		rng := randtest.New(36)
		var s studies
		for range runs {
			a, err := CorrectedAllPairs(neighbourFolds(rng, 100, 2, 5, k), 1.0/4)
			if err != nil {
				t.Fatal(err)
			}
			s.count(a, make([]float64, k))
		}
		s.check(t, fmt.Sprintf("2 x 5 folds, %d classifiers", k), 0.055, 0.94)
	}
}

// neighbourFolds returns the errors of k 3-NN rules, each of which uses five different noise columns, in
// every fold of repeated cross-validations of one data set of n rows.
func neighbourFolds(rng *rand.Rand, n, repeats, folds, k int) (losses [][]float64) {
	x, y := make([][]float64, n), make([]int, n)
	for i := range x {
		x[i], y[i] = differencesOf(5*k, nulls["normal"], rng), i%2
	}
	for range repeats {
		order := rng.Perm(n)
		for fold := range folds {
			var train, test []int
			for place, i := range order {
				if place%folds == fold {
					test = append(test, i)
				} else {
					train = append(train, i)
				}
			}
			loss := make([]float64, k)
			for rule := range k {
				for _, i := range test {
					if threeNearest(x, y, train, x[i], 5*rule) != y[i] {
						loss[rule]++
					}
				}
				loss[rule] /= float64(len(test))
			}
			losses = append(losses, loss)
		}
	}
	return losses
}

// Test and interval agree for every pair, level and number of replicates: an interval excludes 0 exactly if
// the adjusted p-value is at most alpha. It is within the margin exactly if the test finds equivalence.
func TestAllPairsTestAndIntervalAgree(t *testing.T) {
	rng := randtest.New(37)
	for _, n := range []int{2, 5, 6, 10, 14, 15, 40} {
		for kind, model := range lossModels {
			losses := drawLosses(model, n, make([]float64, 4), rng)
			flipped := flipAllPairs(t, losses, rng, 199)
			corrected, err := CorrectedAllPairs(losses, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			for name, a := range map[string]*AllPairs{"flips": flipped, "corrected t": corrected} {
				for _, alpha := range []float64{0.01, 0.05, 0.2, 0.5} {
					where := fmt.Sprintf("%s, %s, %d replicates, alpha %v", name, kind, n, alpha)
					checkAgreement(t, where, a, alpha)
				}
			}
		}
	}
}

func checkAgreement(t *testing.T, where string, a *AllPairs, alpha float64) {
	t.Helper()
	for i := range a.k {
		for j := range a.k {
			if i == j {
				continue
			}
			c, s := a.Compare(i, j), a.Interval(i, j, 1-alpha)
			excludes := s.Level > 0 && (s.Low > 0 || s.High < 0)
			if excludes != (c.Adjusted <= alpha) {
				t.Errorf("%s: adjusted p %v, interval %+v", where, c.Adjusted, s)
			}
			if c.Adjusted < c.P || !(c.P > 0) || c.Adjusted > 1 {
				t.Errorf("%s: p %v, adjusted %v", where, c.P, c.Adjusted)
			}
			const margin = 0.6
			within := s.Level > 0 && s.Low > -margin && s.High < margin
			if p := a.Equivalence(i, j, margin); within != (p <= alpha) {
				t.Errorf("%s: equivalence %v, interval %+v", where, p, s)
			}
		}
	}
}

// If the difference of two classifiers does not vary, its standard error is unknown, so there is no interval and no
// equivalence. Flips of 8 equal differences have a p-value of 2^-7. For folds it is 1, as in CorrectedT.
func TestAllPairsWithoutSpread(t *testing.T) {
	var losses [][]float64
	for r := range 8 {
		wrong := float64(2 * r) // of 30 rows
		losses = append(losses, RoundedStepsOf([]float64{wrong / 30, wrong / 30, (wrong + 1) / 30}))
	}
	flipped := flipAllPairs(t, losses, nil, 0)
	folds, err := CorrectedAllPairs(losses[:2], 1)
	if err != nil {
		t.Fatal(err)
	}
	single, err := CorrectedAllPairs(losses[:1], 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*AllPairs{"replicates": flipped, "folds": folds, "single fold": single} {
		for other, difference := range map[int]float64{1: 0, 2: -Grid / 30} {
			want := 1.0
			if name == "replicates" && difference != 0 {
				want = math.Ldexp(1, -7)
			}
			if c := a.Compare(0, other); c.P != want || c.Adjusted != want {
				t.Errorf("%s, classifier %d: %+v, want %v", name, other, c, want)
			}
			if s := a.Interval(0, other, 0.95); s.Level != 0 || math.Abs(s.Estimate-difference) > 1 {
				t.Errorf("%s, classifier %d: interval %+v", name, other, s)
			}
			if p := a.Equivalence(0, other, 2*Grid); p != 1 {
				t.Errorf("%s, classifier %d: p-value of equivalence %v", name, other, p)
			}
			if d := a.Detectable(0, other, 0.05, 0.8); !math.IsNaN(d) {
				t.Errorf("%s, classifier %d: detectable %v", name, other, d)
			}
		}
	}
}

// With few replicates, the formula of the detectable difference states too much power, so there is no number.
// If no difference can be significant, it is still infinite.
func TestFewReplicatesHaveNoDetectableDifference(t *testing.T) {
	rng := randtest.New(39)
	for n, want := range map[int]func(float64) bool{
		4:  func(d float64) bool { return math.IsInf(d, 1) },
		9:  math.IsNaN,
		10: Finite,
	} {
		losses := drawLosses(lossModels["normal"], n, []float64{0, 0, 0}, rng)
		a := flipAllPairs(t, losses, nil, 0)
		if d := a.Detectable(0, 1, 0.05, 0.8); !want(d) {
			t.Errorf("%d replicates detect %v", n, d)
		}
		folds, err := CorrectedAllPairs(losses, 0.25)
		if err != nil || !Finite(folds.Detectable(0, 1, 0.05, 0.8)) {
			t.Errorf("%d folds have no detectable difference: %v", n, err)
		}
	}
}

func TestAllPairsRefusesBadLosses(t *testing.T) {
	for name, losses := range map[string][][]float64{
		"none":            nil,
		"one classifier":  {{1}, {2}},
		"unequal lengths": {{1, 2}, {1}},
		"not finite":      {{1, 2}, {1, math.NaN()}},
		"no source":       drawLosses(lossModels["normal"], 15, []float64{0, 0}, randtest.New(1)),
	} {
		if _, err := FlipAllPairs(losses, nil, 0); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := CorrectedAllPairs([][]float64{{1, 2}, {3, 1}}, -1); err == nil {
		t.Error("a negative share is accepted")
	}
}

// The test finds the difference that Detectable returns with about the requested power. 3.5 is about the
// critical value of the largest of six statistics, 2.65, and Student's 80 percent quantile on 39 degrees of
// freedom, 0.85.
func TestAllPairsDetectable(t *testing.T) {
	const n, k, runs, power = 40, 4, 300, 0.8
	detectable := 3.5 * math.Sqrt((1+1.5*1.5)/n) // of classifiers 0 and 1 of the normal model
	rng := randtest.New(38)
	found, mean := 0, 0.0
	for range runs {
		a := flipAllPairs(t, drawLosses(lossModels["normal"], n, []float64{0, detectable, 0, 0}, rng), rng, 199)
		if a.Compare(1, 0).Adjusted <= sizeAlpha {
			found++
		}
		mean += a.Detectable(1, 0, sizeAlpha, power) / runs
	}
	if math.Abs(mean-detectable) > 0.1*detectable {
		t.Errorf("Detectable is %v in the mean, want about %v", mean, detectable)
	}
	if got := float64(found) / runs; math.Abs(got-power) > 0.1 {
		t.Errorf("a detectable difference is found in %v, want about %v", got, power)
	}
}

// Signed sums of many replicates are close to their normal limit, for skewed losses and for
// classifiers that always agree.
func TestAllPairsNormalLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: compares two p-values on many rows")
	}
	rng := randtest.New(7)
	losses := make([][]float64, normalRows+1)
	for r := range losses {
		a := rng.ExpFloat64()
		losses[r] = []float64{a, a, a + rng.ExpFloat64()/2, rng.ExpFloat64()}
	}
	a, err := newAllPairs(losses, 0)
	if err != nil {
		t.Fatal(err)
	}
	drawn, normal := newFlips(a, losses), newFlips(a, losses)
	drawn.draw(allPairsDraws, rng)
	normal.drawNormal(allPairsDraws, rng)
	slices.Sort(drawn.largest)
	slices.Sort(normal.largest)
	for _, alpha := range []float64{0.2, 0.05, 0.01} {
		// A quantile of 9999 statistics has a standard error below 0.03 at these levels.
		if d, n := drawn.critical(alpha), normal.critical(alpha); math.Abs(d-n) > 0.12 {
			t.Errorf("critical value at %g: %.3f of signs, %.3f of the normal limit", alpha, d, n)
		}
	}
	if p := normal.pairTail(3, 2, 1.96); math.Abs(p-0.05) > 0.01 {
		t.Errorf("p-value of the statistic 1.96 is %.4f, want 0.05", p)
	}
	if p := normal.pairTail(3, 2, 0.674); math.Abs(p-0.5) > 0.02 {
		t.Errorf("p-value of the statistic 0.674 is %.4f, want 0.5", p)
	}
}

// With Bonferroni's correction for all pairs, equivalence at level alpha requires the two-sided interval at
// confidence 1 - alpha to lie within the margin. The p-value is then twice as large as in two one-sided tests.
func TestJointEquivalenceIsTwoSided(t *testing.T) {
	losses := [][]float64{{1, 2, 4}, {3, 2, 5}, {2, 4, 4}, {1, 1, 3}, {4, 3, 6}, {2, 3, 5}}
	const share, margin, pairs = 0.25, 3, 3
	all, err := CorrectedAllPairs(losses, share)
	if err != nil {
		t.Fatal(err)
	}
	test := func(d []float64, a Alternative) (float64, error) {
		r, err := CorrectedT(d, share, a)
		return r.P, err
	}
	oneSided, err := Equivalence(stepsBetween(losses, 0, 1), RoundedSteps(margin), test)
	got, want := all.Equivalence(0, 1, margin), 2*pairs*oneSided
	if err != nil || want >= 1 || math.Abs(got-want) > 1e-9 {
		t.Errorf("p-value %v, want %v (%v)", got, want, err)
	}
}
