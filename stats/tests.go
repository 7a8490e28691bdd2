package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/exp/rand"
)

// A Design is the way in which the differences of a test arise.
type Design string

const (
	// Independent differences have data drawn for each of them, or are one per data set.
	Independent Design = "independent"
	// Resampled differences are of folds or splits of one data set, which share rows.
	Resampled Design = "resampled"
	// TestRows are differences by row of one test set, of two fits or of means over several
	// fits: the rows are independent, the replicates are not.
	TestRows Design = "test-row"
)

// Differences is the input of a paired test.
type Differences struct {
	D     []float64
	Share float64    // of resampled differences, see CorrectedT
	Rng   *rand.Rand // for tests that draw; may be nil for others
}

// A Test is one entry of the registry of paired tests.
type Test struct {
	Name       string // in studies
	Label      string // in captions
	Assumption string
	Source     string
	Designs    []Design // where the assumption can hold
	Folds      int      // number of folds for which the test was calibrated; 0: any
	PValue     func(s Differences, a Alternative) (float64, error)
	MinP       func(n int, a Alternative) float64 // smallest p-value that n differences can give
	// Floor explains why p-values stay above a bound for any number of differences, and names
	// other tests; "": they do not.
	Floor string
	// Shift estimates the tested quantity, with the confidence interval that agrees with the
	// test. Estimate is the name of that quantity.
	Shift    func(s Differences, level float64) Shift
	Estimate string
}

// Tests lists the paired tests, the default of each design before the others.
var Tests = []Test{
	{
		Name: "signed-rank", Label: "Wilcoxon signed-rank test",
		Assumption: "independent differences, symmetric about their median",
		Source:     "Wilcoxon (1945); R's wilcox.test; over data sets Demsar (2006)", Designs: []Design{Independent},
		PValue: signedRankP(false), MinP: minSignP, Shift: hodgesLehmannShift, Estimate: "Hodges-Lehmann shift",
	},
	{
		Name: "signed-rank-exact", Label: "exact Wilcoxon signed-rank test",
		Assumption: "independent differences, at most 1000, symmetric about their median; exact whatever the ties",
		Source:     "R's exactRankTests::wilcox.exact", Designs: []Design{Independent}, PValue: signedRankP(true),
		MinP: minSignP, Shift: hodgesLehmannShift, Estimate: "Hodges-Lehmann shift",
	},
	{
		Name: "sign", Label: "sign test", Assumption: "independent differences",
		Source: "Arbuthnot (1710); R's binom.test", Designs: []Design{Independent}, PValue: signTest, MinP: minSignP,
		Shift: medianShift, Estimate: "median difference",
	},
	{
		Name: "permutation", Label: "paired permutation test",
		Assumption: "independent differences, symmetric about zero where the null hypothesis holds",
		Source:     "Fisher (1935), section 21; Phipson and Smyth (2010)", Designs: []Design{Independent},
		PValue: permutationTest, MinP: minPermutationP, Floor: permutationFloor, Shift: permutationShift,
		Estimate: "mean difference",
	},
	{
		Name: "t", Label: "paired t test", Assumption: "independent normal differences of one variance",
		Source: "Student (1908); R's t.test", Designs: []Design{Independent}, PValue: correctedTP, MinP: minTP,
		Shift: meanShift, Estimate: "mean difference",
	},
	{
		Name: "corrected-t", Label: "corrected resampled t test",
		Assumption: "normal differences of folds or splits of one data set, correlated by the test rows' share",
		Source:     "Nadeau and Bengio (2003); Bouckaert and Frank (2004)", Designs: []Design{Resampled},
		PValue: correctedTP, MinP: minTP, Shift: meanShift, Estimate: "mean difference",
	},
	{
		Name: "calibrated-t", Label: "calibrated t test on 10 degrees of freedom",
		Assumption: "normal differences of ten times ten folds of one data set, whose degrees of freedom " +
			"simulations found",
		Source: "Bouckaert (2003), section 4", Designs: []Design{Resampled}, Folds: calibratedFolds,
		PValue: calibratedTP, MinP: minTP, Shift: calibratedShift, Estimate: "mean difference",
	},
}

// RowTests lists the tests of the rows of one test set, the default first. They have no PValue and
// no Shift: McNemar, RowBootstrap and metrics.DeLong compute them.
var RowTests = []Test{
	{
		Name: "mcnemar", Label: "exact McNemar test", Assumption: "the errors of one fit each on independent test rows",
		Source: "McNemar (1947)", Designs: []Design{TestRows}, MinP: minSignP,
		Estimate: "difference on these test rows",
	},
	{
		Name: "delong", Label: "DeLong test", Assumption: "AUC of two classes on independent test rows",
		Source: "DeLong, DeLong and Clarke-Pearson (1988)", Designs: []Design{TestRows}, MinP: minTP,
		Estimate: "difference on these test rows",
	},
	{
		Name: "row-bootstrap", Label: "bootstrap test", Assumption: "independent test rows, any metric",
		Source: "Efron and Tibshirani (1993)", Designs: []Design{TestRows}, MinP: minBootstrapP, Floor: bootstrapFloor,
		Estimate: "difference on these test rows",
	},
}

// AllTests returns Tests and RowTests.
func AllTests() []Test { return slices.Concat(Tests, RowTests) }

// ErrAssumption is the error of a test whose assumption the design breaks.
var ErrAssumption = errors.New("the design breaks the test's assumption")

// FindTest returns the test of the given name or, for "", the default of the design. If the design
// rules out the test, it returns an ErrAssumption that lists the valid tests.
func FindTest(name string, design Design) (Test, error) {
	all := AllTests()
	isValid := func(t Test) bool { return slices.Contains(t.Designs, design) }
	if name == "" {
		return all[slices.IndexFunc(all, isValid)], nil
	}
	i := slices.IndexFunc(all, func(t Test) bool { return t.Name == name })
	if i >= 0 && isValid(all[i]) {
		return all[i], nil
	}
	var names, valid []string
	for _, t := range all {
		names = append(names, t.Name)
		if isValid(t) {
			valid = append(valid, t.Name)
		}
	}
	if i < 0 {
		return Test{}, fmt.Errorf("no test %q; there are %s", name, strings.Join(names, ", "))
	}
	reason := map[Design]string{
		Independent: "these differences are independent of one another",
		Resampled:   "these differences are of folds or splits of one data set, which share rows",
		TestRows:    "these fits have one test set, whose rows alone are independent",
	}[design]
	return Test{}, fmt.Errorf("%w: %s assumes %s; %s: use %s", ErrAssumption, name, all[i].Assumption, reason,
		strings.Join(valid, ", "))
}

// Needed returns the smallest number of differences, at least from, that can be significant at the
// given level, in (0,1); 0 if no number can (Floor).
func (t *Test) Needed(from int, level float64, a Alternative) int {
	const most = 1100 // 2^-most is below every float64
	for n := from; n <= max(from, most); n++ {
		if t.MinP(n, a) <= level {
			return n
		}
	}
	return 0
}

// signedRankP returns the PValue of the signed-rank test.
func signedRankP(exact bool) func(Differences, Alternative) (float64, error) {
	return func(s Differences, a Alternative) (float64, error) {
		if err := checkDifferences("signed-rank test", s.D, a); err != nil {
			return 0, err
		}
		r, err := SignedRankOf(s.D, a, exact)
		return r.P, err
	}
}

// correctedTP is the PValue of CorrectedT.
func correctedTP(s Differences, a Alternative) (float64, error) {
	r, err := CorrectedT(s.D, s.Share, a)
	return r.P, err
}

// calibratedTP is the PValue of calibratedT.
func calibratedTP(s Differences, a Alternative) (float64, error) {
	r, err := calibratedT(s.D, a)
	return r.P, err
}

// hodgesLehmannShift is the Shift of the signed-rank test.
func hodgesLehmannShift(s Differences, level float64) Shift { return HodgesLehmannOf(s.D, level) }

// meanShift is the Shift of CorrectedT; zero without differences.
func meanShift(s Differences, level float64) Shift {
	r, err := CorrectedT(s.D, s.Share, TwoSided)
	if err != nil {
		return Shift{}
	}
	return r.shift(level)
}

// calibratedShift is the Shift of calibratedT; zero without differences.
func calibratedShift(s Differences, level float64) Shift {
	r, err := calibratedT(s.D, TwoSided)
	if err != nil {
		return Shift{}
	}
	return r.shift(level)
}

// shift returns the mean with its interval; without an interval Level is 0.
func (r *TResult) shift(level float64) Shift {
	if r.DF < 1 || r.SE == 0 {
		return Shift{Estimate: r.Mean, Low: r.Mean, High: r.Mean}
	}
	low, high := r.Interval(level)
	return Shift{Estimate: r.Mean, Low: low, High: high, Level: level}
}

// medianShift returns the median difference with the interval of the sign test, from the order
// statistic d_(q) to d_(n+1-q). q is the largest number, at least 1, for which the confidence
// 1 - 2 P(B <= q-1) reaches the level; B is binomial of n fair draws.
func medianShift(s Differences, level float64) Shift {
	d := slices.Sorted(slices.Values(s.D))
	n := len(d)
	if n == 0 {
		return Shift{}
	}
	q := 1
	for 2*(q+1) <= n+1 && 1-2*fairTail(q, n) >= level {
		q++
	}
	return Shift{Estimate: Quantile(d, 0.5), Low: d[q-1], High: d[n-q], Level: max(0, 1-2*fairTail(q-1, n)),
		Exact: true}
}

// minSignP returns the p-value of n differences of one sign: 2^-n, two-sided twice that.
func minSignP(n int, a Alternative) float64 {
	if a == TwoSided {
		return min(1, math.Ldexp(2, -n))
	}
	return math.Ldexp(1, -n)
}

// minPermutationP returns the p-value of n differences of one sign. For more than 30 the test draws
// m signs and P is at least 1/(m+1).
func minPermutationP(n int, a Alternative) float64 {
	least := minSignP(n, a)
	if n <= permutationExact {
		return least
	}
	if a == TwoSided {
		return 2.0 / (permutationDraws + 1)
	}
	return 1.0 / (permutationDraws + 1)
}

// minBootstrapP returns the p-value of a default bootstrap with all resamples on one side.
func minBootstrapP(_ int, a Alternative) float64 {
	const least = 1.0 / (rowDraws + 1)
	return a.FromTails(least, least)
}

// minTP returns the smallest p-value of t tests: nearly 0, since two or more differences can be
// almost equal; 1 for a single difference.
func minTP(n int, _ Alternative) float64 {
	if n < 2 {
		return 1
	}
	return math.SmallestNonzeroFloat64
}
