// Package verdicts tests the results of a study. It finds the best classifiers of a cell, counts the
// cells that a classifier wins, and compares results with published numbers.
package verdicts

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// BestOptions contains the settings with which Best finds the best classifiers in a cell.
type BestOptions struct {
	Metric *metrics.Metric
	Family []string // classifiers to compare, such as all except the Bayes rule
	Paired
	Alternative stats.Alternative
	Champion    string // compared with all others; "": the one with the smallest mean
	Alpha       float64
	Correction  stats.Correction
	AllPairs    bool    // the correction counts all pairs
	Joint       bool    // stats.AllPairs replaces Test and Correction
	Margin      float64 // losses are equivalent if they differ by less; 0: no equivalence test
	Rope        float64 // half-width of practical equivalence; 0: no Bayesian test
	Untested    bool    // the replicates allow no tests
	Fits        Fits    // for tests on the rows of one test set; nil: test on replicates

	samples map[string]stats.RowSample // losses on resampled rows, by classifier of the cell
}

// DefaultBestOptions returns the tests of Tenzer et al. (2020): two-sided signed-rank tests at
// level 0.05/(k-1) for k classifiers.
func DefaultBestOptions(family []string) BestOptions {
	return BestOptions{Metric: metrics.ErrorRate, Family: family, Alpha: 0.05, Correction: stats.Bonferroni,
		Paired: Paired{Test: *stats.SignedRankTest(), Design: stats.Independent}}
}

// A BestSet contains the best classifier of a cell and the classifiers that are not significantly worse.
type BestSet struct {
	Best        string   // with the smallest mean, see BestOf; may be ""
	Against     string   // the champion or Best, which is compared with all others
	Members     []string // not shown to be worse, in the order of the family
	Comparisons []Comparison
	Family      []string // the k classifiers that ran in the cell
	Level       float64  // Alpha / number of corrected comparisons; Alpha if uncorrected or joint
	Attainable  bool     // some p-value can be at most Level
	EachPair    bool     // each comparison uses the replicates in which its two classifiers have a loss
}

// A Comparison contains the test of the classifier Other against the best classifier or the
// champion (BestSet.Against).
type Comparison struct {
	Other    string
	Pairs    int         // replicates in which both succeeded, or test rows
	P        float64     // unadjusted
	Adjusted float64     // for the comparisons of the cell
	Worse    bool        // Other is shown to be worse
	Better   bool        // Other is shown to be better
	Effect   float64     // rank-biserial correlation; negative if Against is better
	Shift    stats.Shift // loss of Against minus Other

	// favoursOther is true if the losses of Other tend to be smaller than the losses of Against. It is
	// meaningful only if the difference is significant.
	favoursOther bool

	Mean     stats.Summary // of the paired differences
	Skewness float64       // of these differences
	// Detectable is the smallest mean difference that a t test or the joint test detects with 80
	// percent power. It is NaN for the sign test, and for the joint test of fewer than 10 replicates.
	//
	// With too few pairs for a significant difference, Detectable is +Inf for the joint test and
	// NaN for other tests.
	Detectable float64

	Resampled *stats.BootstrapInterval // from test rows; nil for replicates

	Equivalence float64            // adjusted p-value of the two one-sided tests; NaN: not tested
	Posterior   *stats.BayesResult // nil: not tested
}

// comparisons returns the number of comparisons for which the p-values are corrected. With
// o.AllPairs, it is the number of all pairs of classifiers.
//
// Otherwise, it is the number of comparisons with one classifier. Tenzer et al. (2020) use this
// number for the best classifier, although the same data determine which classifier is best.
func (o *BestOptions) comparisons(ran []string) int {
	k := max(len(ran), 2)
	if o.AllPairs {
		return k * (k - 1) / 2
	}
	return k - 1
}

// Ran returns the classifiers of a family that have records in a cell, even if all their fits failed.
func Ran(c *records.Cell, family []string) []string {
	ran := map[string]bool{}
	for i := range c.Rows {
		ran[c.Rows[i].Classifier] = true
	}
	return slices.DeleteFunc(slices.Clone(family), func(id string) bool { return !ran[id] })
}

// Contains reports whether a classifier is a member of the best set.
func (b *BestSet) Contains(classifier string) bool { return slices.Contains(b.Members, classifier) }

// power is the probability with which a test detects the difference Comparison.Detectable.
const power = 0.8

// skewed is the absolute skewness of the differences above which the test is considered doubtful.
const skewed = 2

// Doubtful reports whether the test may mislead about the difference of means. It returns true if
// the estimate of the test and the mean difference have different signs, or if the test shows a
// difference although its estimate is 0. It also returns true if the differences are very skewed.
func (q *Comparison) Doubtful() bool {
	return q.Mean.Mean*q.Shift.Estimate < 0 || q.HidesDifference() || math.Abs(q.Skewness) > skewed
}

// HidesDifference reports whether the test shows a difference although its estimate is 0. The
// Hodges-Lehmann shift can be 0 if many differences are 0 or cancel.
func (q *Comparison) HidesDifference() bool { return (q.Worse || q.Better) && q.Shift.Estimate == 0 }

// Best compares one classifier with every other classifier of the family. This classifier is
// o.Champion or, without a champion, the result of BestOf.
//
// The field Members of the result lists this classifier and all others that are not significantly
// worse. The field BestSet.Best is the result of BestOf even if there is a champion. Best returns an
// error if the family contains a classifier twice.
func Best(c *records.Cell, o BestOptions) (BestSet, error) {
	for i, name := range o.Family {
		if slices.Contains(o.Family[:i], name) {
			return BestSet{}, fmt.Errorf("best classifiers: classifier %q is listed twice", name)
		}
	}
	set := BestSet{Family: Ran(c, o.Family)}
	set.Level = o.level(set.Family)
	set.Best = BestOf(c, o.Metric, o.Family)
	against := cmp.Or(o.Champion, set.Best)
	if o.Untested || !slices.Contains(set.Family, against) {
		return set, nil // without comparisons
	}
	set.Against = against
	set.EachPair = o.usesEachPair()
	if !set.EachPair {
		common := c.Comparable(o.Metric, o.Family) // the replicates on which BestOf compares all classifiers
		c = &common
	}
	if err := set.compare(c, o); err != nil {
		return set, err
	}
	set.addMembers(c, o)
	return set, nil
}

// usesEachPair reports whether each comparison uses all replicates in which its two classifiers have
// a loss. Otherwise, all comparisons use the replicates of BestOf.
func (o *BestOptions) usesEachPair() bool {
	onTestRows := o.Fits != nil
	onlyWithBest := o.Champion == "" && !o.AllPairs // the classifier that BestOf chose on its replicates
	return !onTestRows && !o.Joint && !onlyWithBest
}

// addMembers sets Members to the classifiers that have a result in the cell and are not shown to be worse than
// Against.
func (b *BestSet) addMembers(c *records.Cell, o BestOptions) {
	for _, name := range o.Family {
		isShownWorse := func(q Comparison) bool { return q.Other == name && q.Worse }
		if !slices.ContainsFunc(b.Comparisons, isShownWorse) && succeeded(c, o.Metric, name) {
			b.Members = append(b.Members, name)
		}
	}
}

// compare compares b.Against with each other classifier.
//
// If o.Fits is set, it tests on the rows of one test set. Without o.Fits, it uses one joint test of
// all pairs if o.Joint is true, and otherwise separate tests.
func (b *BestSet) compare(c *records.Cell, o BestOptions) error {
	switch {
	case o.Fits != nil:
		o.samples = map[string]stats.RowSample{} // compareRows resamples each classifier only once
		confidence := 1 - b.Level
		return b.compareEach(c, o, func(other string) (Comparison, error) {
			return o.compareRows(c, b.Against, other, confidence)
		})
	case o.Joint:
		return b.compareJointly(c, o)
	}
	return b.compareEach(c, o, func(other string) (Comparison, error) {
		return o.comparePairs(c, b.Against, other, b.Level)
	})
}

// level returns the significance level of a single comparison. It is o.Alpha for the joint test,
// whose p-values are already adjusted.
func (o *BestOptions) level(ran []string) float64 {
	if o.Joint || o.Correction == stats.Uncorrected {
		return o.Alpha
	}
	return o.Alpha / float64(o.comparisons(ran))
}

func succeeded(c *records.Cell, m *metrics.Metric, classifier string) bool {
	values, _ := c.Values(m, classifier)
	return len(values) > 0
}

// BestOf returns the classifier of a family with the smallest mean loss over the replicates that
// Cell.Comparable keeps. Ties go to the first in the order of the cell.
//
// The result is "" if no classifier has a loss in these replicates.
func BestOf(c *records.Cell, m *metrics.Metric, family []string) (best string) {
	common := c.Comparable(m, family)
	lowest := math.Inf(1)
	for _, name := range c.Classifiers {
		if mean := stats.RoundedSteps(common.Summary(m, name).Mean); mean < lowest && slices.Contains(family, name) {
			best, lowest = name, mean
		}
	}
	return best
}

// compareEach compares b.Against with every other classifier that has a result, and adjusts the
// p-values. compare returns one unadjusted comparison. Detectable becomes NaN if no p-value of this
// comparison could be significant.
func (b *BestSet) compareEach(c *records.Cell, o BestOptions, compare func(other string) (Comparison, error)) error {
	smallestP := 1.0 // that any comparison can have
	for _, name := range o.Family {
		if name == b.Against || !succeeded(c, o.Metric, name) {
			continue
		}
		q, err := compare(name)
		if err != nil {
			return err
		}
		minP := o.Test.MinP(q.Pairs, o.Alternative) // the smallest p-value of a test of q.Pairs differences
		smallestP = min(smallestP, minP)
		tooFewPairs := minP > b.Level             // no difference, however large, would be significant
		if tooFewPairs || o.Test.Name == "sign" { // the sign test does not test a mean difference
			q.Detectable = math.NaN()
		}
		b.Comparisons = append(b.Comparisons, q)
	}
	b.adjust(o)
	b.Attainable = smallestP <= b.Level
	return nil
}

// comparePairs compares two classifiers on the replicates in which both succeeded. The p-values are
// unadjusted.
//
// The argument testLevel is the significance level of a single test. Only the smallest detectable
// difference depends on it. The confidence of the interval is 1 - o.Alpha, where o.Alpha is the level
// of all tests together.
func (o *BestOptions) comparePairs(
	c *records.Cell, first, second string, testLevel float64,
) (q Comparison, err error) {
	pairs, err := c.Pairs(o.Metric, first, second)
	if err != nil {
		return q, err
	}
	q = o.describe(&pairs)
	q.Detectable = o.Test.Detectable(q.Mean, o.Alternative, testLevel, power)
	if q.Shift, _, err = o.Shift(c.ID, &pairs, 1-o.Alpha); err != nil {
		return q, err
	}
	if q.P, err = o.pValue(c.ID, &pairs, o.Alternative); err != nil {
		return q, err
	}
	// The adjusted p-value is at least q.P. If it exceeds o.Alpha, the direction has no effect.
	if q.P <= o.Alpha {
		if q.favoursOther, err = o.favoursSecond(c.ID, &pairs); err != nil {
			return q, err
		}
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

// favoursSecond reports whether the second classifier of the pairs tends to have the smaller losses,
// by a one-sided test. The sign of the estimate is not enough: if many differences are tied, the
// estimate may be 0.
func (o *BestOptions) favoursSecond(cell string, pairs *records.Pairs) (bool, error) {
	p, err := o.pValue(cell, pairs, stats.Greater) // the alternative: the first has larger losses
	return p < 0.5, err
}

// describe returns the comparison of a pair of classifiers, without any p-values or intervals.
func (o *BestOptions) describe(pairs *records.Pairs) Comparison {
	d := floats.SubTo(make([]float64, len(pairs.X)), pairs.X, pairs.Y)
	rounded := pairs.Differences()
	return Comparison{Other: pairs.B, Pairs: len(d), Mean: stats.Summarize(d).Sharing(o.Share),
		Effect: stats.RankBiserialOf(rounded), Skewness: stats.Skewness(rounded), Equivalence: math.NaN()}
}

// adjust adjusts the p-values of differences and of equivalence, and sets Worse and Better.
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

// decide sets Adjusted. If the difference is significant at level alpha, it also sets Worse or
// Better.
func (q *Comparison) decide(adjusted, alpha float64) {
	q.Adjusted = adjusted
	if adjusted > alpha {
		return
	}
	q.Better, q.Worse = q.favoursOther, !q.favoursOther
}

// compareJointly compares b.Against with all other classifiers by one test of all pairs, which
// adjusts the p-values. b.Against must have a result. compareJointly first leaves out the
// classifiers that always failed. It then leaves out each replicate in which any remaining
// classifier has no loss.
func (b *BestSet) compareJointly(c *records.Cell, o BestOptions) error {
	failed := func(name string) bool { return !succeeded(c, o.Metric, name) }
	family := slices.DeleteFunc(slices.Clone(o.Family), failed)
	losses, err := c.Common(o.Metric, family)
	if err != nil {
		return err
	}
	if len(losses) == 0 || len(family) < 2 {
		return nil // nothing to compare
	}
	all, err := o.allPairs(c.ID, losses)
	if err != nil {
		return fmt.Errorf("cell %s: %w", c.ID, err)
	}
	b.Attainable = all.Attainable(o.Alpha)
	against := slices.Index(family, b.Against)
	for i, name := range family {
		if i == against {
			continue
		}
		pairs := records.Pairs{A: b.Against, B: name, X: stats.Column(losses, against), Y: stats.Column(losses, i)}
		q, err := o.jointComparison(all, c.ID, &pairs, against, i)
		if err != nil {
			return err
		}
		b.Comparisons = append(b.Comparisons, q)
	}
	return nil
}

// allPairs tests all pairs of classifiers. losses[r][i] is the loss of classifier i in replicate r.
// o.Random may be nil if the replicates are so few that all signs are enumerated.
func (o *BestOptions) allPairs(cell string, losses [][]float64) (*stats.AllPairs, error) {
	// Rounding to steps makes equal losses exact ties. The tests do not depend on the unit of the
	// losses.
	onGrid := stats.Map(losses, stats.RoundedStepsOf)
	if o.Design == stats.Resampled {
		return stats.CorrectedAllPairs(onGrid, o.Share)
	}
	var rng *rand.Rand
	if o.Random != nil {
		rng = o.Random("all-pairs/" + cell)
	}
	return stats.FlipAllPairs(onGrid, rng, o.Flips)
}

// jointComparison compares classifiers i and j by the results of joint, the test of all pairs. The
// argument pairs contains their losses. The results of joint are in steps of size 1/stats.Grid.
// jointComparison converts them to the unit of the losses.
func (o *BestOptions) jointComparison(
	joint *stats.AllPairs, cell string, pairs *records.Pairs, i, j int,
) (q Comparison, err error) {
	q = o.describe(pairs)
	q.Shift = joint.Interval(i, j, 1-o.Alpha).OffGrid()
	q.Detectable = joint.Detectable(i, j, o.Alpha, power) / stats.Grid
	q.favoursOther = q.Shift.Estimate > 0 // the mean loss of i minus the mean loss of j
	p, adjusted := joint.PValues(i, j)
	q.P = p
	q.decide(adjusted, o.Alpha)
	if o.Margin > 0 {
		q.Equivalence = joint.Equivalence(i, j, stats.RoundedSteps(o.Margin))
	}
	if o.Rope > 0 {
		q.Posterior, err = o.posterior(cell, pairs, o.Rope)
	}
	return q, err
}
