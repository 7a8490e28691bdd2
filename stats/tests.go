package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/exp/rand"
)

// A Design describes how the differences of a paired test depend on one another.
type Design string

const (
	// Independent indicates that the differences come from independent samples or from different data
	// sets.
	Independent Design = "independent"
	// Resampled indicates that the differences come from folds or splits of one data set, which share
	// rows.
	Resampled Design = "resampled"
	// TestRows indicates that each difference comes from one row of a single test set. The rows are
	// independent. Replicates are not independent, because they predict the same rows.
	TestRows Design = "test-row"
)

// Differences is the input of a paired test.
type Differences struct {
	D     []float64
	Share float64    // test rows per training row for Resampled; otherwise 0
	Rng   *rand.Rand // may be nil for tests that draw nothing
}

// A Test is one entry of the registry of paired tests.
type Test struct {
	Name       string // name in study files
	Label      string // name in captions
	Assumption string
	Source     string // papers, and the equivalent R function
	Design     Design // design in which the assumption can hold
	Folds      int    // number of folds, and of repeats, for which the test was calibrated; 0: any
	// Student is true if the statistic is a mean difference divided by its standard error. For the
	// tests in the list Tests, this statistic has Student's distribution. The comment on Detectable
	// states the degrees of freedom.
	Student bool
	PValue  func(s Differences, a Alternative) (float64, error)
	MinP    func(n int, a Alternative) float64 // smallest p-value of n differences
	// Floor explains why p-values cannot fall below some limit, however many differences there are.
	// It is "" if there is no such limit.
	Floor string
	// Shift estimates the tested quantity, with a confidence interval. With ties or random draws, the
	// interval may contain 0 although the two-sided test rejects, or the reverse: see Shift.Reconciled.
	Shift    func(s Differences, level float64) Shift
	Estimate string // name of the tested quantity
}

// LacksVariation reports whether the test is a t test that is impossible, because the differences
// are all equal but not 0.
func (t *Test) LacksVariation(differences Summary) bool {
	return t.Student && differences.N > 1 && RoundedSteps(differences.Mean) != 0 && !differences.Varies()
}

// Tests lists the paired tests. If several tests suit a Design, the first of them in the list is the default.
var Tests = []Test{
	{
		Name: "signed-rank", Label: "Wilcoxon signed-rank test",
		Assumption: "independent differences, symmetric about their median",
		Source:     "Wilcoxon (1945); R's wilcox.test; Demsar (2006) for tests over data sets",
		Design:     Independent,
		PValue:     signedRankP(!alwaysExact), MinP: minSignP, Shift: hodgesLehmannShift,
		Estimate: "Hodges-Lehmann shift",
	},
	{
		Name: "signed-rank-exact", Label: "exact Wilcoxon signed-rank test",
		Assumption: "at most 1000 independent differences, symmetric about their median (ties are allowed)",
		Source:     "R's exactRankTests::wilcox.exact", Design: Independent,
		PValue: signedRankP(alwaysExact),
		MinP:   minSignP, Shift: hodgesLehmannShift, Estimate: "Hodges-Lehmann shift",
	},
	{
		Name: "sign", Label: "sign test", Assumption: "independent differences",
		Source: "Arbuthnot (1710); R's binom.test", Design: Independent, PValue: signTest, MinP: minSignP,
		Shift: medianShift, Estimate: "median nonzero difference",
	},
	{
		Name: "permutation", Label: "paired permutation test",
		Assumption: "independent differences, symmetric about zero under the null hypothesis",
		Source:     "Fisher (1935), section 21; Phipson and Smyth (2010)", Design: Independent,
		PValue: permutationTest, MinP: minPermutationP, Floor: permutationFloor, Shift: permutationShift,
		Estimate: "mean difference",
	},
	{
		Name: "t", Label: "paired t test",
		Assumption: "independent, normally distributed differences with equal variances",
		Source:     "Student (1908); R's t.test", Student: true, Design: Independent,
		PValue: corrected.pValue, MinP: minTP, Shift: corrected.shift, Estimate: "mean difference",
	},
	{
		Name: "corrected-t", Label: "corrected resampled t test",
		Assumption: "normally distributed differences on folds or splits of one data set, with a correlation " +
			"equal to the share of test rows",
		Source: "Nadeau and Bengio (2003); Bouckaert and Frank (2004)", Design: Resampled,
		Student: true, PValue: corrected.pValue, MinP: minTP, Shift: corrected.shift, Estimate: "mean difference",
	},
	{
		Name: "calibrated-t", Label: "calibrated t test on 10 degrees of freedom",
		Assumption: "normally distributed differences from ten repeats of ten-fold cross-validation of one data " +
			"set; the degrees of freedom come from simulations",
		Source: "Bouckaert (2003), section 4", Student: true, Design: Resampled, Folds: calibratedFolds,
		PValue: tTest(calibratedT).pValue, MinP: minTP, Shift: tTest(calibratedT).shift, Estimate: "mean difference",
	},
}

// SignedRankTest returns the Wilcoxon signed-rank test, the first element of Tests.
func SignedRankTest() *Test { return &Tests[0] }

// RowTests lists the tests that compare two fits on the rows of one test set. The first one is the
// default. Their PValue and Shift are nil. Use McNemar, SampleRows or metrics.DeLong instead.
var RowTests = []Test{
	{
		Name: "mcnemar", Label: "exact McNemar test",
		Assumption: "the errors of a single fit of each classifier on independent test rows",
		Source:     "McNemar (1947)", Design: TestRows, MinP: minSignP,
		Estimate: "difference on these test rows",
	},
	{
		Name: "delong", Label: "DeLong test", Assumption: "the AUC for two classes on independent test rows",
		Source: "DeLong, DeLong and Clarke-Pearson (1988)", Design: TestRows, MinP: minTP,
		Student: true, Estimate: "difference on these test rows",
	},
	{
		Name: "row-bootstrap", Label: "bootstrap test", Assumption: "independent test rows, any metric",
		Source: "Efron and Tibshirani (1993)", Design: TestRows, MinP: minBootstrapP, Floor: bootstrapFloor,
		Estimate: "difference on these test rows",
	},
}

// AllTests returns the entries of Tests and RowTests.
func AllTests() []Test { return slices.Concat(Tests, RowTests) }

// ErrAssumption reports that a design violates the assumption of the test.
var ErrAssumption = errors.New("the design violates the test's assumption")

// FindTest returns the test with the given name or, for "", the default test of the design. If the
// design violates the test's assumption, it returns an ErrAssumption that lists the valid tests.
func FindTest(name string, design Design) (Test, error) {
	all := AllTests()
	isValid := func(t Test) bool { return t.Design == design }
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
		return Test{}, fmt.Errorf("unknown test %q; choose one of %s", name, strings.Join(names, ", "))
	}
	reason := map[Design]string{
		Independent: "these differences are independent of one another",
		Resampled:   "these differences come from folds or splits that share the rows of one data set",
		TestRows:    "these fits share one test set, so only its rows are independent",
	}[design]
	return Test{}, fmt.Errorf("%w: %s assumes %s, but %s; use one of %s", ErrAssumption, name, all[i].Assumption,
		reason, strings.Join(valid, ", "))
}

// Needed returns the smallest number of differences for which a p-value of at most level is
// possible. The number is at least the argument from. Needed returns 0 if no number is enough (see
// Floor).
func (t *Test) Needed(from int, level float64, a Alternative) int {
	const most = 1100 // 2^-most is below the smallest positive float64
	for n := from; n <= max(from, most); n++ {
		if t.MinP(n, a) <= level {
			return n
		}
	}
	return 0
}

// alwaysExact is an argument of SignedRankOf and signedRankP. It requests an exact test for any
// number of differences.
const alwaysExact = true

// signedRankP returns the PValue function of the signed-rank test.
func signedRankP(exact bool) func(Differences, Alternative) (float64, error) {
	return func(s Differences, a Alternative) (float64, error) {
		if err := checkDifferences("signed-rank test", s.D); err != nil {
			return 0, err
		}
		r, err := SignedRankOf(s.D, a, exact)
		return r.P, err
	}
}

// A tTest is a t test that can be registered as a Test.
type tTest func(s Differences, a Alternative) (TResult, error)

var corrected tTest = func(s Differences, a Alternative) (TResult, error) { return CorrectedT(s.D, s.Share, a) }

func (t tTest) pValue(s Differences, a Alternative) (float64, error) {
	r, err := t(s, a)
	return r.P, err
}

// shift returns the mean difference with its confidence interval. Level is 0 if the standard error is unknown.
func (t tTest) shift(s Differences, level float64) Shift {
	r, err := t(s, TwoSided)
	if err != nil {
		return Shift{}
	}
	if math.IsNaN(r.SE) {
		return Shift{Estimate: r.Mean, Low: r.Mean, High: r.Mean}
	}
	half := r.SE * StudentQuantile(1-(1-level)/2, float64(r.DF))
	return Shift{Estimate: r.Mean, Low: r.Mean - half, High: r.Mean + half, Level: level}
}

func hodgesLehmannShift(s Differences, level float64) Shift { return HodgesLehmannOf(s.D, level) }

// medianShift returns the median of the differences other than 0, with the confidence interval of the sign
// test.
func medianShift(s Differences, level float64) Shift {
	d := dropZeros(s.D)
	slices.Sort(d)
	n := len(d)
	if n == 0 {
		return Shift{}
	}
	// The interval from the q-th smallest to the q-th largest difference has confidence 1 - 2 fairTail(q-1, n).
	// Find the largest q for which the ends are in ascending order and the confidence reaches the level.
	q := 1
	for q+1 <= n-q && 1-2*fairTail(q, n) >= level {
		q++
	}
	return Shift{Estimate: Quantile(d, 0.5), Low: d[q-1], High: d[n-q], Level: max(0, 1-2*fairTail(q-1, n))}
}

// minSignP returns the smallest p-value of a sign-flip test of n differences: 2^-n, or twice that for a
// two-sided test.
func minSignP(n int, a Alternative) float64 {
	if a == TwoSided {
		return min(1, math.Ldexp(2, -n))
	}
	return math.Ldexp(1, -n)
}

// minPermutationP returns the smallest p-value of the permutation test of n differences. The
// p-value from m random sign vectors is at least 1/(m+1), or 2/(m+1) for a two-sided test.
func minPermutationP(n int, a Alternative) float64 {
	if n <= permutationExact {
		return minSignP(n, a)
	}
	const least = 1.0 / (permutationDraws + 1)
	return a.FromTails(least, least)
}

// minBootstrapP returns the smallest p-value that the default bootstrap of n rows can give. It is 1 for a
// single row, because all its resamples are equal.
func minBootstrapP(n int, a Alternative) float64 {
	if n < 2 {
		return 1
	}
	const least = 1.0 / (RowDraws + 1)
	return a.FromTails(least, least)
}

// minTP returns the smallest possible p-value of a t test. It is 1 for a single difference.
// Otherwise it is the smallest positive float64, because almost equal differences can give an
// arbitrarily large statistic.
func minTP(n int, _ Alternative) float64 {
	if n < 2 {
		return 1
	}
	return math.SmallestNonzeroFloat64
}
