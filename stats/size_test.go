package stats

import (
	"math"
	"slices"
	"sort"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

// The size of a test is how often it rejects a true null hypothesis. These simulations do not run with
// -short. The flag -v prints the measured sizes.

const sizeAlpha = 0.05

// nulls draw differences for which the null hypothesis is true.
var nulls = map[string]func(rng *rand.Rand) float64{
	"normal": func(rng *rand.Rand) float64 { return rng.NormFloat64() },
	"error rates of 200 rows": func(rng *rand.Rand) float64 { // ties and zeros
		errors := 0
		for range 200 {
			if rng.Float64() < 0.1 {
				errors++
			}
			if rng.Float64() < 0.1 {
				errors--
			}
		}
		return float64(errors) / 200
	},
	"heavy tails": func(rng *rand.Rand) float64 { // Student's t on 3 degrees of freedom
		v := 0.0
		for range 3 {
			z := rng.NormFloat64()
			v += z * z
		}
		return rng.NormFloat64() / math.Sqrt(v/3)
	},
}

// needsNormal lists the tests whose size is guaranteed only for normal differences.
var needsNormal = []string{"t", "corrected-t", "calibrated-t"}

// TestSizeIndependent: each test for independent differences keeps its level.
func TestSizeIndependent(t *testing.T) {
	const n = 25
	for _, test := range Tests {
		if test.Design != Independent {
			continue
		}
		runs := slowSimulations(t, 500, 2000)
		if test.Name == "permutation" {
			runs /= 5 // 2^25 signs each
		}
		for _, null := range []string{"normal", "error rates of 200 rows", "heavy tails"} {
			for _, a := range []Alternative{TwoSided, Less} {
				rng := randtest.New(11)
				size := rejectionRate(t, runs, func() (float64, error) {
					return test.PValue(Differences{D: differencesOf(n, nulls[null], rng), Rng: rng}, a)
				})
				se := sizeError(runs)
				t.Logf("%s, %s, alternative %d: rejects %.1f%% (s.e. %.1f)", test.Name, null, a, 100*size, 100*se)
				if size > sizeAlpha+3*se && (null == "normal" || !slices.Contains(needsNormal, test.Name)) {
					t.Errorf("%s rejects %.1f%% of %s, alternative %d, at nominal 5%%", test.Name, 100*size, null, a)
				}
			}
		}
	}
}

// TestPowerIndependent measures how often each test finds a shift of half a standard deviation in 25
// differences. For normal differences, the power is known from R 4.2.2. For t it is power.t.test(n = 25,
// delta = .5, sd = 1, type = "paired", strict = TRUE)$power = 0.6697077. For the sign test it is q <-
// pnorm(.5); sum(dbinom(c(0:7, 18:25), 25, q)) = 0.4744959. There, tests of ranks and permutations have
// nearly the power of t. With heavy tails, tests of ranks have more.
func TestPowerIndependent(t *testing.T) {
	const n = 25
	sets := slowSimulations(t, 500, 2000)
	shifts := map[string]float64{"normal": 0.5, "error rates of 200 rows": 0.5 * math.Sqrt(0.18/200),
		"heavy tails": 0.5 * math.Sqrt(3)}
	type key struct {
		test, null string
		a          Alternative
	}
	power := map[key]float64{}
	for _, test := range Tests {
		if test.Design != Independent {
			continue
		}
		runs := sets
		if test.Name == "permutation" {
			runs /= 10 // 2^25 signs each
		}
		for null, shift := range shifts {
			for _, a := range []Alternative{TwoSided, Greater} {
				rng := randtest.New(19)
				found := rejectionRate(t, runs, func() (float64, error) {
					d := differencesOf(n, func(rng *rand.Rand) float64 { return nulls[null](rng) + shift }, rng)
					return test.PValue(Differences{D: d, Rng: rng}, a)
				})
				power[key{test.Name, null, a}] = found
				t.Logf("%s, %s, alternative %d: finds the shift in %.1f%%", test.Name, null, a, 100*found)
			}
		}
	}
	at := func(test, null string) float64 { return power[key{test, null, TwoSided}] }
	for name, want := range map[string]float64{"t": 0.6697077, "sign": 0.4744959} {
		if got := at(name, "normal"); math.Abs(got-want) > 3*math.Sqrt(want*(1-want)/float64(sets)) {
			t.Errorf("%s finds a normal shift in %v, want %v", name, got, want)
		}
	}
	if got := at("signed-rank", "normal"); got < 0.9*at("t", "normal") {
		t.Errorf("signed-rank finds a normal shift in %v, t in %v", got, at("t", "normal"))
	}
	if got := at("signed-rank", "heavy tails"); got <= at("t", "heavy tails") {
		t.Errorf("signed-rank finds a shift of heavy tails in %v, t in %v", got, at("t", "heavy tails"))
	}
}

func differencesOf(n int, draw func(*rand.Rand) float64, rng *rand.Rand) []float64 {
	d := make([]float64, n)
	for i := range d {
		d[i] = math.Round(draw(rng)*1e9) / 1e9
	}
	return d
}

// slowSimulations is like simulations, but skips the test with -short.
func slowSimulations(t *testing.T, usual, many int) int {
	t.Helper()
	if testing.Short() {
		t.Skip("is a long simulation: run without -short")
	}
	return simulations(usual, many)
}

// sizeError returns the standard error of the size of a test that keeps its level.
func sizeError(runs int) float64 { return math.Sqrt(sizeAlpha * (1 - sizeAlpha) / float64(runs)) }

// rejectionRate runs a test on several samples, and returns the share of them for which it rejects.
func rejectionRate(t *testing.T, runs int, test func() (p float64, err error)) float64 {
	t.Helper()
	rejected := rejections{}
	for range runs {
		p, err := test()
		rejected.count(t, "", p, err)
	}
	return rejected.rate("", runs)
}

// rejections counts how often each test rejects.
type rejections map[string]int

func (r rejections) count(t *testing.T, test string, p float64, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if p <= sizeAlpha {
		r[test]++
	}
}

// rate returns the share of samples for which a test rejects.
func (r rejections) rate(test string, samples int) float64 {
	return float64(r[test]) / float64(samples)
}

// log logs the rates of all tests.
func (r rejections) log(t *testing.T, samples int) {
	t.Helper()
	for test := range r {
		t.Logf("%s: rejects %.1f%% of %d null data sets", test, 100*r.rate(test, samples), samples)
	}
}

// TestSizeRepeatedCV: over 10 repeats of a 5-fold cross-validation of one data set, the corrected t test
// nearly keeps its level. The signed-rank test over folds or repeats, which FindTest rejects there, far
// exceeds it. The classifiers are two 3-NN rules that use disjoint halves of ten noise columns.
func TestSizeRepeatedCV(t *testing.T) {
	sets := slowSimulations(t, 150, 400)
	rng := randtest.New(13)
	rejected := rejections{}
	for range sets {
		folds := repeatedCV(rng, 10, 5, 0, 0)
		repeats := make([]float64, 10)
		for j, d := range folds {
			repeats[j/5] += d / 5
		}
		corrected, err := CorrectedT(folds, 1.0/4, TwoSided)
		rejected.count(t, "corrected t over folds", corrected.P, err)
		plain, err := CorrectedT(folds, 0, TwoSided)
		rejected.count(t, "plain t over folds", plain.P, err)
		over, err := SignedRankOf(folds, TwoSided, false)
		rejected.count(t, "signed-rank over folds", over.P, err)
		means, err := SignedRankOf(repeats, TwoSided, false)
		rejected.count(t, "signed-rank over repeats", means.P, err)
	}
	rejected.log(t, sets)
	if share := rejected.rate("corrected t over folds", sets); share > 0.09 {
		t.Errorf("the corrected t test rejects %.1f%%", 100*share)
	}
	if share := rejected.rate("signed-rank over repeats", sets); share < 0.3 {
		t.Errorf("the signed-rank test rejects %.1f%% only: is FindTest right to refuse it?", 100*share)
	}
}

// TestSizeTenTimesTen: over ten times ten folds, for which it was calibrated, the calibrated t test nearly
// keeps its level, and the corrected one keeps it. With fewer repeats, the calibrated test rejects too often.
func TestSizeTenTimesTen(t *testing.T) {
	sets := slowSimulations(t, 150, 400)
	rng := randtest.New(19)
	rejected, fewer := rejections{}, rejections{}
	for range sets {
		folds := repeatedCV(rng, 10, 10, 0, 0)
		for name, few := range map[string][]float64{"1 x 10 folds": folds[:10], "3 x 10 folds": folds[:30]} {
			p, err := tTest(calibratedT).pValue(Differences{D: few}, TwoSided)
			fewer.count(t, "calibrated-t, "+name, p, err)
		}
		for _, test := range Tests {
			if test.Design != Resampled {
				continue
			}
			p, err := test.PValue(Differences{D: folds, Share: 1.0 / 9}, TwoSided)
			rejected.count(t, test.Name, p, err)
		}
	}
	rejected.log(t, sets)
	fewer.log(t, sets)
	for name := range rejected {
		if share := rejected.rate(name, sets); share > 0.12 {
			t.Errorf("%s rejects %.1f%%", name, 100*share)
		}
	}
	if share := fewer.rate("calibrated-t, 1 x 10 folds", sets); share < 0.08 {
		t.Errorf("with one repeat, the calibrated test rejects only %.1f%%: should it be refused?", 100*share)
	}
}

// TestPowerRepeatedCV: one of two 3-NN rules is better because the classes differ in its five columns. The
// corrected t test finds this more often if the classes differ more or if the cross-validation is repeated
// more often.
func TestPowerRepeatedCV(t *testing.T) {
	sets := slowSimulations(t, 60, 200)
	power := func(apart float64, repeats int) float64 {
		rng := randtest.New(23)
		share := rejectionRate(t, sets, func() (float64, error) {
			r, err := CorrectedT(repeatedCV(rng, repeats, 5, 0, apart), 1.0/4, TwoSided)
			return r.P, err
		})
		t.Logf("corrected t, classes %.1f apart in each of five columns, %d x 5 folds: finds it in %.1f%%", apart,
			repeats, 100*share)
		return share
	}
	little, once, more, much := power(0.4, 10), power(0.8, 1), power(0.8, 10), power(1.2, 10)
	if !(little < more && once < more && more < much) || much < 0.9 {
		t.Errorf("power %v, %v, %v, %v", little, once, more, much)
	}
}

// TestSizeLearningCurve: in a learning curve, each fold trains on a random part of its training rows. With
// the test ratio of the whole folds, 1/(k-1), the test keeps its level and most of its power. The ratio of
// test rows to the rows of the part is larger, and would cost much power.
func TestSizeLearningCurve(t *testing.T) {
	sets := slowSimulations(t, 200, 10_000)
	const train = 20
	se := sizeError(sets)
	// rate returns how often the test with the given ratio finds a difference between the rules.
	rate := func(repeats, k int, apart, share float64) float64 {
		rng := randtest.New(29)
		return rejectionRate(t, sets, func() (float64, error) {
			r, err := CorrectedT(repeatedCV(rng, repeats, k, train, apart), share, TwoSided)
			return r.P, err
		})
	}
	for _, k := range []int{5, 10} {
		for _, repeats := range []int{1, 5} {
			whole, part := 1/float64(k-1), float64(cvRows/k)/train
			level, power := rate(repeats, k, 0, whole), rate(repeats, k, 0.8, whole)
			powerOfPart := rate(repeats, k, 0.8, part)
			t.Logf("%d x %d folds, %d of %d training rows: level %.1f%% (standard error %.1f), power %.0f%%; "+
				"by the part's share %.0f%%", repeats, k, train, cvRows-cvRows/k, 100*level, 100*se, 100*power,
				100*powerOfPart)
			if level > sizeAlpha+3*se {
				t.Errorf("%d x %d folds: rejects %.1f%%", repeats, k, 100*level)
			}
			if power <= powerOfPart {
				t.Errorf("%d x %d folds: power %v, by the part's share %v", repeats, k, power, powerOfPart)
			}
		}
	}
}

const cvRows = 100

// repeatedCV returns the differences between the errors of two 3-NN rules in every fold of cvRows rows. Each rule
// trains on size of the training rows, or on all of them if size is 0. The means of the classes differ by apart
// in the columns of the first rule.
func repeatedCV(rng *rand.Rand, repeats, k, size int, apart float64) []float64 {
	x, y := make([][]float64, cvRows), make([]int, cvRows)
	for i := range x {
		x[i], y[i] = differencesOf(10, nulls["normal"], rng), i%2
		for j := range 5 {
			x[i][j] += apart * float64(y[i])
		}
	}
	var d []float64
	for range repeats {
		order := rng.Perm(cvRows)
		for fold := range k {
			var train, test []int
			for place, i := range order {
				if place%k == fold {
					test = append(test, i)
				} else {
					train = append(train, i)
				}
			}
			if size > 0 {
				rng.Shuffle(len(train), func(a, b int) { train[a], train[b] = train[b], train[a] })
				train = train[:size]
			}
			wrong := 0
			for _, i := range test {
				for half, sign := range []int{1, -1} {
					if threeNearest(x, y, train, x[i], half*5) != y[i] {
						wrong += sign
					}
				}
			}
			d = append(d, float64(wrong)/float64(len(test)))
		}
	}
	return d
}

// threeNearest returns the majority class of the 3 nearest rows in five columns.
func threeNearest(x [][]float64, y, train []int, at []float64, from int) int {
	type neighbour struct {
		distance float64
		class    int
	}
	all := make([]neighbour, len(train))
	for k, i := range train {
		all[k].class = y[i]
		for j := from; j < from+5; j++ {
			all[k].distance += (x[i][j] - at[j]) * (x[i][j] - at[j])
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].distance < all[b].distance })
	return (all[0].class + all[1].class + all[2].class) / 2
}

// TestSizeEquivalence: if the mean difference equals the margin, the two one-sided tests find equivalence in
// at most alpha of the samples. If it is 0, they usually find it. The probabilities of the Bayesian test are
// not p-values, so its results are only printed.
func TestSizeEquivalence(t *testing.T) {
	const n, margin = 40, 0.5
	names := []string{"signed-rank", "t", "sign"}
	sets := slowSimulations(t, 1000, 1000)
	for _, shift := range []float64{margin, 0} {
		rng := randtest.New(17)
		found, bayes := rejections{}, 0
		for range sets {
			d := differencesOf(n, func(rng *rand.Rand) float64 { return rng.NormFloat64() + shift }, rng)
			for _, name := range names {
				test, err := FindTest(name, Independent)
				if err != nil {
					t.Fatal(err)
				}
				p, err := Equivalence(d, margin, func(s []float64, a Alternative) (float64, error) {
					return test.PValue(Differences{D: s}, a)
				})
				found.count(t, name, p, err)
			}
			if BayesSignedRank(d, margin, 2000, rng).Equivalent >= 1-sizeAlpha {
				bayes++
			}
		}
		for _, name := range names {
			share := found.rate(name, sets)
			t.Logf("shift %v, %s: equivalent in %.1f%%", shift, name, 100*share)
			if shift == margin && share > sizeAlpha+3*sizeError(sets) || shift == 0 && name != "sign" && share < 0.8 {
				t.Errorf("%s finds %.1f%% of samples with shift %v equivalent", name, 100*share, shift)
			}
		}
		t.Logf("shift %v, Bayesian: posterior of equivalence at least 95%% in %.1f%%", shift,
			100*float64(bayes)/float64(sets))
	}
}
