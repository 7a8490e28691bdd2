// Package verdicts tests the results of a study: it finds the best classifiers of a cell,
// counts wins and compares with published numbers.
package verdicts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// BestOptions set how the best classifiers of a cell are found.
type BestOptions struct {
	Metric      *metrics.Metric
	Family      []string // classifiers compared, without the oracle and extra columns
	Paired               // the test of a pair
	Alternative stats.Alternative
	Champion    string           // compared with all others; "": the best is, by two-sided tests
	Alpha       float64          // family-wise level
	Correction  stats.Correction // over the comparisons of the cell
	AllPairs    bool             // the correction counts all pairs of the family
	Joint       bool             // one max-type test over all pairs (stats.AllPairs) replaces Test and Correction
	Margin      float64          // losses closer than this are equivalent; 0: no equivalence test
	Rope        float64          // region of practical equivalence; 0: no Bayesian test
	Untested    bool             // the replicates do not allow tests
	Fits        Fits             // predictions for the rows of one test set; nil: tests pair replicates
}

// DefaultBestOptions returns the options of the tables of Tenzer et al. (2020): two-sided
// signed-rank tests at 0.05/(k-1).
func DefaultBestOptions(family []string) BestOptions {
	return BestOptions{Metric: metrics.ErrorRate, Family: family, Alpha: 0.05, Correction: stats.Bonferroni,
		Paired: Paired{Test: stats.Tests[0], Design: stats.Independent}}
}

// A BestSet is the best classifier of a cell with all that are not shown to be worse.
// Tables print its members in bold.
type BestSet struct {
	Best        string   // smallest mean; of ties the first classifier of the study. "": nothing succeeded
	Tied        []string // all with the smallest mean, Best first
	Against     string   // the champion or the best, compared with all others
	Members     []string // not shown to be worse than Against, in the family's order
	Comparisons []Comparison
	Family      []string // the k classifiers of the family that ran in the cell
	Level       float64  // Alpha/(k-1): each comparison's Bonferroni level, and Holm's first; Alpha uncorrected
	Attainable  bool     // the pairs are enough for a p-value of Level or less
}

// A Comparison is the test of BestSet.Against, the best or the champion, against Other.
type Comparison struct {
	Other    string
	Pairs    int         // replicates in which both succeeded, or rows of the one test set
	P        float64     // unadjusted
	Adjusted float64     // P adjusted for the family
	Worse    bool        // Other is shown to be worse than Against
	Better   bool        // Other is shown to be better on the pairs
	Effect   float64     // rank-biserial, negative where Against is better
	Shift    stats.Shift // the test's estimate, Against minus Other, confidence 1-Alpha; simultaneous where Joint

	Mean       stats.Summary // paired losses, Against minus Other; MCSE is the paired standard error
	Skewness   float64       // of the paired differences
	Detectable float64       // smallest mean difference found with 80 percent power; NaN: too few pairs

	Resampled *stats.BootstrapInterval // of test rows, at the level of Shift; nil where replicates are compared

	Equivalence float64            // adjusted p-value of the two one-sided tests; NaN: not tested
	Posterior   *stats.BayesResult // of Against minus Other; nil: not tested
}

// comparisons returns the number of comparisons that the correction counts. The best is
// chosen on the same data: its k-1 comparisons look most different among all k(k-1)/2
// pairs. Counting k-1, as the papers do, therefore exceeds level alpha.
func (o *BestOptions) comparisons(ran []string) int {
	k := max(len(ran), 2)
	if o.AllPairs {
		return k * (k - 1) / 2
	}
	return k - 1
}

// compares reports whether tests are possible: a champion, if named, must have run.
func (o *BestOptions) compares(ran []string) bool {
	return !o.Untested && (o.Champion == "" || slices.Contains(ran, o.Champion))
}

// Ran returns the classifiers of a family that have records in a cell, failed fits
// included.
func Ran(c *records.Cell, family []string) []string {
	ran := map[string]bool{}
	for i := range c.Rows {
		ran[c.Rows[i].Classifier] = true
	}
	return slices.DeleteFunc(slices.Clone(family), func(id string) bool { return !ran[id] })
}

// Contains reports whether a classifier is a member, which tables print in bold.
func (b *BestSet) Contains(classifier string) bool { return slices.Contains(b.Members, classifier) }

// power is the power behind Comparison.Detectable.
const power = 0.8

// skewed is the absolute skewness of differences above which their test is doubtful.
const skewed = 2

// Doubtful reports whether the tested quantity may mislead about means: the mean difference
// and the test's estimate have different signs, or the differences are very skewed.
func (q *Comparison) Doubtful() bool {
	return q.Mean.Mean*q.Shift.Estimate < 0 || math.Abs(q.Skewness) > skewed
}

// check returns an error for options that contradict one another or the cell.
func (o *BestOptions) check(c *records.Cell) error {
	if len(o.Family) < 2 {
		return fmt.Errorf("best of a cell: the family needs at least two classifiers, it has %q", o.Family)
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return fmt.Errorf("best of a cell: alpha is %v, must lie in (0,1)", o.Alpha)
	}
	for i, name := range o.Family {
		if !slices.Contains(c.Classifiers, name) {
			return fmt.Errorf("best of a cell: no classifier %q; the records have %q", name, c.Classifiers)
		}
		if slices.Contains(o.Family[:i], name) {
			return fmt.Errorf("best of a cell: the family names %q twice", name)
		}
	}
	switch {
	case o.Champion == "" && o.Alternative != stats.TwoSided:
		return fmt.Errorf("best of a cell: a one-sided test against the best on the same data exceeds its level: " +
			"name a champion")
	case o.Champion != "" && !slices.Contains(o.Family, o.Champion):
		return fmt.Errorf("best of a cell: the champion %q is not of the family %q", o.Champion, o.Family)
	case o.Champion != "" && o.Joint:
		return fmt.Errorf("best of a cell: the test over all pairs is for the best of the row, not for a champion " +
			"named before")
	}
	return nil
}

// Best compares the classifier with the smallest mean, or the champion, with each other
// one of the family. Means are over each classifier's own successes, as in the table; tests
// pair the replicates in which both succeeded. If the pairs show another classifier to be
// better than the best, both are members. The correction counts all classifiers that ran,
// even one that always failed, but such a classifier is never a member. If the champion did
// not run, the set has no comparisons and no members.
//
// With Joint, one max-type test compares all pairs. It uses the replicates in which all
// classifiers with any success succeeded. With Fits, tests compare the rows of one test set.
func Best(c *records.Cell, o BestOptions) (BestSet, error) {
	if err := o.check(c); err != nil {
		return BestSet{}, err
	}
	set := BestSet{Family: Ran(c, o.Family)}
	set.Level = o.level(set.Family)
	set.chooseBest(c, o)
	if set.Best == "" || !o.compares(set.Family) {
		return set, nil
	}
	set.Against = cmp.Or(o.Champion, set.Best)
	var err error
	switch {
	case o.Fits != nil:
		err = set.compareEach(c, o, func(other string) (Comparison, error) {
			return o.compareRows(c, set.Against, other, 1-set.Level)
		})
	case o.Joint:
		err = set.compareJointly(c, o)
	default:
		err = set.compareEach(c, o, func(other string) (Comparison, error) {
			return o.comparePairs(c, set.Against, other, set.Level)
		})
	}
	if err != nil {
		return set, err
	}
	for _, name := range o.Family {
		if !set.shownWorse(name) && succeeded(c, o.Metric, name) {
			set.Members = append(set.Members, name)
		}
	}
	return set, nil
}

// shownWorse reports whether a comparison shows a classifier to be worse.
func (b *BestSet) shownWorse(name string) bool {
	return slices.ContainsFunc(b.Comparisons, func(q Comparison) bool { return q.Other == name && q.Worse })
}

// level returns the level of each comparison; alpha for a joint test, which adjusts itself.
func (o *BestOptions) level(ran []string) float64 {
	if o.Joint || o.Correction == stats.Uncorrected {
		return o.Alpha
	}
	return o.Alpha / float64(o.comparisons(ran))
}

// succeeded reports whether a classifier has any loss in a cell.
func succeeded(c *records.Cell, m *metrics.Metric, classifier string) bool {
	values, _ := c.Values(m, classifier)
	return len(values) > 0
}

// chooseBest sets Best and Tied by the means, rounded to the grid of the tests. Ties are in
// the order of the cell's classifiers, not of the family: the columns of a table do not decide
// which of them is tested.
func (b *BestSet) chooseBest(c *records.Cell, o BestOptions) {
	lowest := math.Inf(1)
	for _, name := range c.Classifiers {
		if !slices.Contains(o.Family, name) {
			continue
		}
		mean := stats.Steps(c.Summary(o.Metric, name).Mean)
		switch {
		case mean < lowest:
			lowest, b.Best, b.Tied = mean, name, []string{name}
		case mean == lowest:
			b.Tied = append(b.Tied, name)
		}
	}
}

// compareEach compares Against with each other classifier that has a result, by a function of
// that classifier, and adjusts the p-values.
func (b *BestSet) compareEach(c *records.Cell, o BestOptions, compare func(other string) (Comparison, error)) error {
	least := 1.0 // smallest p-value that any of the tests can give
	for _, name := range o.Family {
		if name == b.Against || !succeeded(c, o.Metric, name) {
			continue
		}
		q, err := compare(name)
		if err != nil {
			return err
		}
		least = min(least, o.Test.MinP(q.Pairs, o.Alternative))
		b.Comparisons = append(b.Comparisons, q)
	}
	b.adjust(o)
	b.Attainable = least <= b.Level
	return nil
}

// comparePairs compares two classifiers on the replicates in which both succeeded; p-values
// are unadjusted. level is the level of a single test, for Detectable.
func (o *BestOptions) comparePairs(c *records.Cell, first, second string, level float64) (q Comparison, err error) {
	pairs, err := c.Pairs(o.Metric, first, second)
	if err != nil {
		return q, err
	}
	q = o.describe(&pairs)
	q.Detectable = stats.Detectable(q.Mean.MCSE, q.Pairs, level, power)
	q.Shift = o.Shift(c.ID, &pairs, 1-o.Alpha)
	if q.P, err = o.pValue(c.ID, &pairs, o.Alternative); err != nil {
		return q, err
	}
	if o.Margin > 0 {
		if q.Equivalence, err = o.equivalence(c.ID, &pairs, o.Margin); err != nil {
			return q, err
		}
	}
	if o.Rope > 0 {
		q.Posterior, err = o.posterior(c.ID, &pairs, o.Rope)
	}
	return q, err
}

// describe returns the comparison of a pair without p-values and intervals.
func (o *BestOptions) describe(pairs *records.Pairs) Comparison {
	q := Comparison{Other: pairs.B, Pairs: len(pairs.X), Effect: pairs.RankBiserial(), Equivalence: math.NaN()}
	d := make([]float64, len(pairs.X))
	for r := range d {
		d[r] = pairs.X[r] - pairs.Y[r]
	}
	q.Mean = stats.Summarize(d).Sharing(o.Share)
	q.Skewness = stats.Skewness(pairs.Differences())
	return q
}

// adjust corrects the p-values of differences and, with a margin, of equivalences.
func (b *BestSet) adjust(o BestOptions) {
	p, equivalence := make([]float64, len(b.Comparisons)), make([]float64, len(b.Comparisons))
	for i := range b.Comparisons {
		p[i], equivalence[i] = b.Comparisons[i].P, b.Comparisons[i].Equivalence
	}
	comparisons := o.comparisons(b.Family)
	for i, adjusted := range o.Correction.Adjust(p, comparisons) {
		b.Comparisons[i].decide(adjusted, o.Alpha)
	}
	if o.Margin > 0 {
		for i, adjusted := range o.Correction.Adjust(equivalence, comparisons) {
			b.Comparisons[i].Equivalence = adjusted
		}
	}
}

// decide sets the adjusted p-value, Worse and Better.
func (q *Comparison) decide(adjusted, alpha float64) {
	q.Adjusted = adjusted
	if adjusted > alpha {
		return // no difference is shown
	}
	q.Better = q.Shift.Estimate > 0 // Against has the larger loss
	q.Worse = !q.Better
}

// compareJointly compares Against with the others by one max-type test over all pairs. It
// compares nothing without two classifiers that share two replicates.
func (b *BestSet) compareJointly(c *records.Cell, o BestOptions) error {
	var family []string
	for _, name := range o.Family {
		if succeeded(c, o.Metric, name) {
			family = append(family, name)
		}
	}
	losses, err := c.Common(o.Metric, family)
	if err != nil || len(losses) < 2 || len(family) < 2 {
		return err
	}
	all, err := o.allPairs(c.ID, losses)
	if err != nil {
		return fmt.Errorf("cell %s: %w", c.ID, err)
	}
	b.Attainable = all.Attainable(o.Alpha)
	best := slices.Index(family, b.Against)
	for i, name := range family {
		if i == best {
			continue
		}
		pairs := records.Pairs{A: b.Against, B: name, X: lossesOf(losses, best), Y: lossesOf(losses, i)}
		q, err := o.jointComparison(all, c.ID, &pairs, best, i)
		if err != nil {
			return err
		}
		b.Comparisons = append(b.Comparisons, q)
	}
	return nil
}

// allPairs tests losses, one row per replicate, after rounding them to the grid.
func (o *BestOptions) allPairs(cell string, losses [][]float64) (*stats.AllPairs, error) {
	onGrid := make([][]float64, len(losses))
	for r, row := range losses {
		onGrid[r] = make([]float64, len(row))
		for i, loss := range row {
			onGrid[r][i] = stats.Steps(loss)
		}
	}
	if o.Design == stats.Resampled {
		return stats.CorrectedAllPairs(onGrid, o.Share)
	}
	var rng *rand.Rand
	if o.Random != nil {
		rng = o.Random("all-pairs/" + cell)
	}
	return stats.FlipAllPairs(onGrid, rng)
}

// jointComparison returns the comparison of classifiers best and i by a test over all pairs.
func (o *BestOptions) jointComparison(
	all *stats.AllPairs, cell string, pairs *records.Pairs, best, i int,
) (q Comparison, err error) {
	q = o.describe(pairs)
	q.Shift = all.Interval(best, i, 1-o.Alpha).OffGrid()
	q.Detectable = all.Detectable(best, i, o.Alpha, power) / stats.Grid
	p, adjusted := all.PValues(best, i)
	q.P = p
	q.decide(adjusted, o.Alpha)
	if o.Margin > 0 {
		q.Equivalence = all.Equivalence(best, i, stats.Steps(o.Margin))
	}
	if o.Rope > 0 {
		q.Posterior, err = o.posterior(cell, pairs, o.Rope)
	}
	return q, err
}

// lossesOf returns column i of losses: one classifier, all replicates.
func lossesOf(losses [][]float64, i int) []float64 {
	column := make([]float64, len(losses))
	for r, row := range losses {
		column[r] = row[i]
	}
	return column
}
