package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/exp/rand"
)

// A Design is how the differences that a test sees came about.
type Design string

const (
	// Independent differences: of data drawn anew for each, or one of each data set.
	Independent Design = "independent"
	// Resampled differences: folds or splits of one data set, which share rows.
	Resampled Design = "resampled"
	// TestRows are differences of two fits by row of one test set, or of their mean over
	// several fits: the rows are independent, the replicates are not.
	TestRows Design = "test-row"
)

// Differences are the paired differences that a test is made of.
type Differences struct {
	D     []float64
	Share float64    // test rows per training row of resampled differences
	Rng   *rand.Rand // for tests that draw; nil where none does
}

// A Test is one entry of the registry of paired tests.
type Test struct {
	Name       string // as studies write it
	Label      string // as captions print it
	Assumption string
	Source     string
	Designs    []Design // where the assumption can hold
	Folds      int      // of a data set, for which alone it was calibrated; 0: any
	PValue     func(s Differences, a Alternative) (float64, error)
	MinP       func(n int, a Alternative) float64 // smallest p-value that n differences can give
	// why no number of differences gives smaller ones than some, and what to do; "": they do
	Floor string
	// Shift estimates what the test tests, with the confidence interval that
	// belongs to it; Estimate names it.
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
		Source: "Arbuthnot (1710); R's binom.test", Designs: []Design{Independent}, PValue: signP, MinP: minSignP,
		Shift: medianShift, Estimate: "median difference",
	},
	{
		Name: "permutation", Label: "paired permutation test",
		Assumption: "independent differences, symmetric about zero where the null hypothesis holds",
		Source:     "Fisher (1935), section 21; Phipson and Smyth (2010)", Designs: []Design{Independent},
		PValue: permutationP, MinP: minPermutationP, Floor: permutationFloor, Shift: permutationShift,
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
// Shift: McNemar, RowBootstrap and metrics.DeLong make them.
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

// FindTest returns the test of the given name, or without a name the default of
// the design. A test that the design rules out is an ErrAssumption that names
// those that are valid.
func FindTest(name string, design Design) (Test, error) {
	var valid, names []string
	all := AllTests()
	for _, t := range all {
		if names = append(names, t.Name); !slices.Contains(t.Designs, design) {
			continue
		}
		if t.Name == name || name == "" {
			return t, nil
		}
		valid = append(valid, t.Name)
	}
	i := slices.IndexFunc(all, func(t Test) bool { return t.Name == name })
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

// Needed returns the smallest number of differences, from the given one on, that can
// be significant at the given level, in (0,1); 0 where more of them do not help (Floor).
func (t *Test) Needed(from int, level float64, a Alternative) int {
	const most = 1100 // 2^-most is below every float64
	for n := from; n <= max(from, most); n++ {
		if t.MinP(n, a) <= level {
			return n
		}
	}
	return 0
}

func signedRankP(exact bool) func(Differences, Alternative) (float64, error) {
	return func(s Differences, a Alternative) (float64, error) {
		if err := checkDifferences("signed-rank test", s.D, a); err != nil {
			return 0, err
		}
		r, err := SignedRankOf(s.D, a, exact)
		return r.P, err
	}
}

func signP(s Differences, a Alternative) (float64, error) {
	r, err := SignTest(s.D, a)
	return r.P, err
}

func permutationP(s Differences, a Alternative) (float64, error) {
	if s.Rng == nil {
		return 0, errors.New("permutation test: needs a random source")
	}
	r, err := permutationTest(s.D, a, s.Rng)
	return r.P, err
}

func correctedTP(s Differences, a Alternative) (float64, error) {
	r, err := CorrectedT(s.D, s.Share, a)
	return r.P, err
}

func calibratedTP(s Differences, a Alternative) (float64, error) {
	r, err := calibratedT(s.D, a)
	return r.P, err
}

func hodgesLehmannShift(s Differences, level float64) Shift { return HodgesLehmannOf(s.D, level) }

func meanShift(s Differences, level float64) Shift {
	r, err := CorrectedT(s.D, s.Share, TwoSided)
	if err != nil {
		return Shift{}
	}
	return r.shift(level)
}

func calibratedShift(s Differences, level float64) Shift {
	r, err := calibratedT(s.D, TwoSided)
	if err != nil {
		return Shift{}
	}
	return r.shift(level)
}

func (r *TResult) shift(level float64) Shift {
	if r.DF < 1 || r.SE == 0 {
		return Shift{Estimate: r.Mean, Low: r.Mean, High: r.Mean}
	}
	low, high := r.Interval(level)
	return Shift{Estimate: r.Mean, Low: low, High: high, Level: level}
}

// medianShift ends at the order statistics d_(q) and d_(n+1-q), q the largest for
// which the sign test's confidence 1 - 2 P(B <= q-1) reaches the level, at least 1.
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

// minSignP is the p-value of n differences of one sign: 2^-n, doubled when
// two-sided.
func minSignP(n int, a Alternative) float64 {
	if a == TwoSided {
		return min(1, math.Ldexp(2, -n))
	}
	return math.Ldexp(1, -n)
}

// minPermutationP is that of all differences with one sign; more than 30 are
// drawn, when P is at least 1/(m+1).
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

// minBootstrapP is that of a default bootstrap, all of whose resamples lie on one side.
func minBootstrapP(_ int, a Alternative) float64 {
	const least = 1.0 / (rowDraws + 1)
	return a.FromTails(least, least)
}

// minTP: two differences can be as alike as they please, one cannot.
func minTP(n int, _ Alternative) float64 {
	if n < 2 {
		return 1
	}
	return math.SmallestNonzeroFloat64
}
