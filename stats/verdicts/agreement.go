package verdicts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Verdict states whether a measured number reproduces a published one.
type Verdict string

const (
	Agrees        Verdict = "agrees"         // a test shows a difference below the margin
	Differs       Verdict = "differs"        // a test shows a difference
	Undecided     Verdict = "undecided"      // too few replicates
	NotComparable Verdict = "not comparable" // a number or its spread is missing
)

// Reported contains a mean as a paper prints it. For an Extreme, Mean contains the printed minimum or
// maximum.
type Reported struct {
	Mean     float64 // NaN: not printed
	SD       float64 // NaN: not printed
	N        int     // replicates; 0: unknown
	Rounding float64 // half a unit of the last printed digit
}

// A Counterpart is a published number and our result for the same cell and classifier.
type Counterpart struct {
	Cell       string
	Classifier string
	Metric     *metrics.Metric
	Ours       stats.Summary  // of our losses
	Published  Reported       // as a loss
	Levels     records.Levels // levels of the cell, and the printed table if there are several
	Share      float64        // test rows per training row, for folds of one data set; otherwise 0
	Repeats    Repeats        // for cross-validation of one data set or of several drawn problems; otherwise zero
	Extreme    *Extreme       // for a printed minimum or maximum; nil for a mean
	Variant    bool           // another of our classifiers has the same published number and is ranked instead
}

// Repeats summarises the repeats of a cross-validation. Either all repeats use one data set, or
// each repeat draws a new classification problem.
type Repeats struct {
	stats.Summary     // of the mean losses of repeats; N is 0 without repeats
	Folds         int // per repeat
}

// leastRepeats is the smallest number of repeats for which the standard error of a cross-validated
// mean is estimated.
const leastRepeats = 3

// NewRepeats summarises the repeats of a cross-validation. values contains the losses of all folds, repeat by
// repeat.
//
// The result is the zero value if there are fewer than two folds, if there are fewer than leastRepeats repeats,
// or if a repeat is incomplete.
func NewRepeats(values []float64, folds int) Repeats {
	if folds < 2 || len(values)%folds != 0 || len(values) < leastRepeats*folds {
		return Repeats{}
	}
	var means []float64
	for one := range slices.Chunk(values, folds) {
		means = append(means, stat.Mean(one, nil))
	}
	return Repeats{stats.Summarize(means), folds}
}

// An Agreement compares a published number with ours. Unknown numbers are NaN.
type Agreement struct {
	Counterpart
	Difference  float64 // our number minus the published one
	SE          float64 // of Difference
	OursSE      float64 // of our mean
	PublishedSE float64 // of the published mean
	Z           float64 // Difference / SE
	P           float64 // two-sided p-value of a difference larger than Rounding
	Adjusted    float64 // P, adjusted for the table
	Equivalence float64 // adjusted p-value of the two one-sided tests
	Verdict     Verdict
	Basis       string // what the verdict is based on; "": the spreads of both numbers
	Reason      string // why the numbers are not comparable; "": they are
}

// Agreements contains the comparisons for one table.
type Agreements struct {
	Items  []Agreement
	Family int // comparable items, which Holm's correction counts
}

// AgreementOptions control the tests on which the verdicts Agrees and Differs are based.
type AgreementOptions struct {
	Alpha  float64 // family-wise level, for differences and for agreements
	Margin float64 // numbers are equivalent if they differ by less than the margin
}

// DefaultAgreementOptions returns the default options: level 0.05 and a margin of two percentage points.
func DefaultAgreementOptions() AgreementOptions { return AgreementOptions{Alpha: 0.05, Margin: 0.02} }

// Texts of Agreement.Basis.
const (
	onOurSpread   = "a t test that assumes our standard deviation for both means, because the paper gives none"
	onOurExtremes = "a precedence test of our results against the printed minimum or maximum; the test assumes " +
		"independent results and cannot show agreement"
	onFewExtremes = onOurExtremes + "; with so few results, the test cannot show a difference either"
)

// CompareWithPublished compares each of our numbers with the published one. The p-values of
// differences and of equivalence are adjusted separately, both by Holm's correction.
//
// The verdict is Agrees if a test shows equivalence. If not, it is Differs if a test shows a
// difference, and otherwise Undecided.
func CompareWithPublished(pairs []Counterpart, o AgreementOptions) Agreements {
	var result Agreements
	var p, equivalence []float64 // unadjusted p-values
	var tested []int             // tested[k] is the index in result.Items of the item with the p-values p[k]
	for i, pair := range pairs {
		a := newAgreement(pair)
		a.Reason = whyIncomparable(&pair)
		if a.Reason == "" {
			a.test(o.Margin)
			tested = append(tested, i)
			p = append(p, a.P)
			equivalence = append(equivalence, a.Equivalence)
		}
		result.Items = append(result.Items, a)
	}
	result.Family = len(tested)
	p, equivalence = stats.Holm.Adjust(p, len(p)), stats.Holm.Adjust(equivalence, len(p))
	for k, i := range tested {
		result.Items[i].decide(p[k], equivalence[k], o.Alpha)
	}
	result.markUndecidableExtremes(o.Alpha)
	return result
}

func newAgreement(c Counterpart) Agreement {
	none := math.NaN()
	return Agreement{Counterpart: c, Difference: c.Measured() - c.Published.Mean, Verdict: NotComparable,
		SE: none, OursSE: none, PublishedSE: none, Z: none, P: none, Adjusted: none, Equivalence: none}
}

// markUndecidableExtremes sets Basis to onFewExtremes for each compared minimum or maximum that has too
// few replicates for a significant difference at the family-wise level alpha.
func (a *Agreements) markUndecidableExtremes(alpha float64) {
	var extremes []*Agreement
	for i := range a.Items {
		item := &a.Items[i]
		isCompared := item.Reason == ""
		if isCompared && item.Extreme != nil {
			extremes = append(extremes, item)
		}
	}
	// Holm's correction multiplies the smallest p-value by at least len(extremes).
	level := alpha / float64(len(extremes))
	for _, item := range extremes {
		if item.Extreme.leastP(item.Published.N) > level {
			item.Basis = onFewExtremes
		}
	}
}

// whyIncomparable returns the reason why a published number and our number cannot be compared, or
// "" if they can. c.Published.N must be 0 if the paper does not give the number of replicates.
// c.Published.SD must be NaN if the paper gives no standard deviation.
func whyIncomparable(c *Counterpart) string {
	switch {
	case math.IsNaN(c.Published.Mean):
		return "the paper gives no value"
	case c.Ours.N == 0 && c.Ours.Failed == 0:
		return "our study has no result to compare"
	case c.Ours.N == 0:
		return "too many of our fits failed"
	case c.Published.N < 1:
		return "the paper's number of replicates is unknown"
	case c.Extreme != nil: // the test of an extreme needs no standard deviation
		return ""
	case c.Ours.N < 2:
		return "our study has a single replicate"
	case c.Ours.SD == 0 && !c.Published.hasSpread():
		return "our results do not vary between replicates, and the paper gives no standard deviation"
	case c.Ours.SD == 0 && c.Published.SD == 0:
		return "neither our results nor the paper's vary between replicates"
	}
	return ""
}

// test tests whether our number differs from the published one. It also tests equivalence: whether
// the two differ by less than margin.
//
// It sets Z, the standard errors, and the unadjusted p-values P and Equivalence. Basis describes
// the inputs of the tests.
//
// The printed number is rounded, so the true difference may be smaller or larger by
// Published.Rounding. Each p-value is the largest one for any possible difference. Z does not allow
// for the rounding.
func (a *Agreement) test(margin float64) {
	// A printed minimum or maximum has no standard error, so it needs a precedence test.
	if a.Extreme != nil {
		a.P, a.Basis = a.Extreme.precedence(a.Published), onOurExtremes
		a.Equivalence = 1 // a p-value that never shows equivalence
		return
	}
	df := a.standardErrors() // also sets OursSE, PublishedSE and Basis
	a.SE = math.Hypot(a.OursSE, a.PublishedSE)
	a.Z = a.Difference / a.SE
	// Because the published mean is rounded, take the largest possible p-values: P for the smallest
	// difference, and Equivalence for the largest.
	smallest := max(math.Abs(a.Difference)-a.Published.Rounding, 0)
	largest := math.Abs(a.Difference) + a.Published.Rounding
	a.P = min(1, 2*stats.Student(df).Survival(smallest/a.SE))
	a.Equivalence = stats.WelchEquivalence(largest, a.SE, df, margin)
}

// standardErrors sets the standard errors of our mean and of the published mean. It returns the
// degrees of freedom of the difference.
//
// If the paper gives no standard deviation, its results are assumed to vary as ours do, and Basis
// states this assumption. The test then has one degree of freedom less than we have replicates.
// Otherwise, it has Welch's degrees of freedom.
func (a *Agreement) standardErrors() (df float64) {
	if a.UsesRepeats() {
		return a.repeatErrors()
	}
	n1, n2 := float64(a.Ours.N), float64(a.Published.N)
	a.OursSE = a.Ours.SD / math.Sqrt(n1)
	if a.AssumesOurSD() {
		a.PublishedSE, a.Basis = a.Ours.SD/math.Sqrt(n2), onOurSpread
		return n1 - 1
	}
	a.PublishedSE = a.Published.SD / math.Sqrt(n2)
	means := []stats.Summary{{MCSE: a.OursSE, DF: n1 - 1}, {MCSE: a.PublishedSE, DF: n2 - 1}}
	return stats.WeightedSum(means, []float64{1, -1}).DF // of our mean minus the published one
}

// repeatErrors is standardErrors for repeated cross-validation. Folds within a repeat are
// correlated, so both standard errors come from the variation between repeats. A published mean over
// N folds counts as a mean over N/Folds repeats.
//
// If there is only one data set, its effect is the same in both means, and the standard errors do
// not include this effect.
func (a *Agreement) repeatErrors() (df float64) {
	r := &a.Repeats
	a.OursSE = r.SD / math.Sqrt(float64(r.N))
	a.PublishedSE = r.SD * math.Sqrt(float64(r.Folds)/float64(a.Published.N))
	return float64(r.N - 1)
}

// UsesRepeats reports whether the standard errors come from the repeats of our cross-validation. Otherwise,
// they come from the standard deviations of our results and of the published results.
func (c *Counterpart) UsesRepeats() bool { return c.Repeats.SD > 0 }

// AssumesOurSD reports whether tests assume our standard deviation for the published results, because the paper
// gives only a mean.
func (c *Counterpart) AssumesOurSD() bool {
	return c.Extreme == nil && !math.IsNaN(c.Published.Mean) && !c.UsesRepeats() && !c.Published.hasSpread()
}

// decide sets Adjusted, Equivalence and the verdict from the adjusted p-values.
func (a *Agreement) decide(p, equivalence, alpha float64) {
	a.Adjusted, a.Equivalence, a.Verdict = p, equivalence, Undecided
	switch {
	case equivalence <= alpha:
		a.Verdict = Agrees
	case p <= alpha:
		a.Verdict = Differs
	}
}

// A Tally counts the verdicts of comparisons.
type Tally struct {
	Agree, Differ, Undecided, Incomparable int
	MeanDifference                         float64 // our number minus the published one, averaged; NaN: none
}

// NewTally counts the verdicts on items. It sets t.MeanDifference to the mean difference of all items
// that are means (not minima or maxima), or to NaN if the items have different metrics.
func NewTally(items []*Agreement) (t Tally) {
	sum, count := 0.0, 0
	for _, a := range items {
		switch a.Verdict {
		case Agrees:
			t.Agree++
		case Differs:
			t.Differ++
		case Undecided:
			t.Undecided++
		default:
			t.Incomparable++
		}
		if a.Extreme == nil && !math.IsNaN(a.Difference) {
			sum += a.Difference
			count++
		}
	}
	t.MeanDifference = sum / float64(count) // 0/0 is NaN
	hasOtherMetric := func(a *Agreement) bool { return a.Metric != items[0].Metric }
	if slices.ContainsFunc(items, hasOtherMetric) {
		t.MeanDifference = math.NaN()
	}
	return t
}
