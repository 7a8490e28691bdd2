package verdicts

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Verdict states whether a measured number reproduces a published one.
type Verdict string

const (
	Agrees        Verdict = "agrees"         // equivalence within the margin is shown
	Differs       Verdict = "differs"        // a difference is shown, and equivalence is not
	Undecided     Verdict = "undecided"      // neither is shown: too few replicates for the margin
	NotComparable Verdict = "not comparable" // one side lacks a number or its spread
)

// A Reported is a number as a paper prints it.
type Reported struct {
	Mean     float64 // NaN when not printed
	SD       float64 // over the N replicates; NaN when not printed
	N        int     // replicates behind the number; 0: unknown
	Rounding float64 // half a unit of the last printed digit
}

// A Counterpart sets a measured mean beside the published one.
type Counterpart struct {
	Cell       string // identity of the cell, for display and grouping
	Classifier string
	Metric     *metrics.Metric // of both
	Ours       stats.Summary   // of the losses
	Published  Reported        // as losses
	Levels     records.Levels  // of the cell
	Share      float64         // test rows per training row of folds or splits of one data set; else 0
	Repeats    Repeats         // of a cross-validation of one data set
	Extreme    *Extreme        // for a printed minimum or maximum; nil: the number is a mean
}

// Repeats summarises the mean losses of the repeats of a cross-validation of one data set.
type Repeats struct {
	stats.Summary     // of the means, one per repeat; N is 0 for other results
	Folds         int // folds per repeat
}

// leastRepeats is the smallest number of repeats whose spread is used as the standard
// deviation of a mean over redrawn folds.
const leastRepeats = 3

// NewRepeats summarises the repeats of a cross-validation. Values are the losses of all
// folds, repeat by repeat. The result is zero if values are not whole repeats of at least
// two folds.
func NewRepeats(values []float64, folds int) Repeats {
	if folds < 2 || len(values)%folds != 0 {
		return Repeats{}
	}
	var means []float64
	for one := range slices.Chunk(values, folds) {
		means = append(means, stat.Mean(one, nil))
	}
	return Repeats{stats.Summarize(means), folds}
}

// An Agreement is the comparison of one counterpart. Numbers that cannot be computed are
// NaN.
type Agreement struct {
	Counterpart
	Difference  float64 // ours - published
	SE          float64 // standard error of Difference; OursSE where the paper gives no spread
	OursSE      float64 // standard error of our mean
	PublishedSE float64 // standard error of the published mean; NaN: unknown
	Z           float64 // Difference / SE
	P           float64 // two-sided p-value of a difference beyond Rounding
	Adjusted    float64 // P adjusted for the family
	Equivalence float64 // adjusted p-value of the two one-sided tests at the margin
	Verdict     Verdict
	Basis       string // basis of the verdict; empty: the spreads of both sides
	Reason      string // why the numbers are not comparable; empty: they are
}

// Agreements are the comparisons of one table.
type Agreements struct {
	Items      []Agreement
	Family     int     // number of comparisons made; all share the correction
	Alpha      float64 // family-wise level
	Correction stats.Correction
	Margin     float64
}

// AgreementOptions set when a number agrees and when it differs.
type AgreementOptions struct {
	Alpha      float64 // family-wise level, of differences and of agreements
	Correction stats.Correction
	Margin     float64 // numbers closer than this are equivalent
}

// DefaultAgreementOptions returns level 0.05 with Holm's correction and a margin of two
// percentage points.
func DefaultAgreementOptions() AgreementOptions {
	return AgreementOptions{Alpha: 0.05, Correction: stats.Holm, Margin: 0.02}
}

// Texts of Agreement.Basis.
const (
	onOurSpread   = "our spread and the printed precision alone: the paper gives "
	onOurExtremes = "the precedence test of our results against the printed extreme, which takes results as " +
		"independent and can show no agreement"
	onFewExtremes = onOurExtremes + "; of so few results it can show no difference either"
)

// lacks returns the reason why a printed number has no standard error.
func (r *Reported) lacks() string {
	switch {
	case r.N == 1:
		return "a single replicate"
	case !math.IsNaN(r.SD):
		return "no number of replicates"
	case r.N < 1:
		return "neither standard deviations nor a number of replicates"
	}
	return "no standard deviation"
}

// CompareWithPublished compares each measured number with its published
// counterpart. With standard deviations s over R replicates on either side,
//
//	SE = sqrt(s1^2/R1 + s2^2/R2),  Z = (mean1 - mean2) / SE.
//
// If the replicates are folds of one data set, both means concern that data set and differ
// by the folds that were drawn. The correlation of folds, within one side and between the
// sides, then cancels from the variance of the difference. Let s be the standard deviation
// of the means of our repeats, m >= 3 their number, k the folds per repeat and n the folds
// of the paper. Then
//
//	SE = s sqrt(1/m + k/n),  on m-1 degrees of freedom.
//
// A difference is tested by Welch's test, Student's t on
//
//	SE^4 / (v1^2/(R1-1) + v2^2/(R2-1)),  v the two terms of SE^2,
//
// degrees of freedom, of |Difference| - Rounding, since rounding may hide that much.
// Equivalence is tested by two one-sided tests of |Difference| + Rounding at the margin.
// If the paper prints no spread, the published number counts as exact except for its
// rounding; Basis states this.
//
// A number agrees if equivalence is shown, else differs if a difference is shown, else is
// undecided. Differences form one family of p-values and equivalences another, each over
// all comparable numbers of the table.
func CompareWithPublished(pairs []Counterpart, o AgreementOptions) (Agreements, error) {
	if !(o.Alpha > 0 && o.Alpha < 1) || !(o.Margin > 0 && o.Margin < 1) {
		return Agreements{}, fmt.Errorf("compare with published: alpha %v and the margin %v must lie in (0,1)",
			o.Alpha, o.Margin)
	}
	result := Agreements{Alpha: o.Alpha, Correction: o.Correction, Margin: o.Margin}
	var p, equivalence []float64
	var tested []int // indices of the comparable pairs
	for i, pair := range pairs {
		a := newAgreement(pair)
		a.Reason = incomparable(&pair)
		if a.Reason == "" {
			a.test(o.Margin)
			tested = append(tested, i)
			p = append(p, a.P)
			equivalence = append(equivalence, a.Equivalence)
		}
		result.Items = append(result.Items, a)
	}
	result.Family = len(tested)
	p, equivalence = o.Correction.Adjust(p, len(p)), o.Correction.Adjust(equivalence, len(p))
	for k, i := range tested {
		result.Items[i].decide(p[k], equivalence[k], o.Alpha)
	}
	result.markFew()
	return result, nil
}

// newAgreement returns the comparison of a counterpart without tests.
func newAgreement(c Counterpart) Agreement {
	none := math.NaN()
	return Agreement{Counterpart: c, Difference: c.Measured() - c.Published.Mean, Verdict: NotComparable,
		SE: none, OursSE: none, PublishedSE: none, Z: none, P: none, Adjusted: none, Equivalence: none}
}

// markFew sets the Basis of extremes that have too few replicates to show a difference.
// Holm's correction multiplies the smallest p-value of m extremes by at least m.
func (a *Agreements) markFew() {
	var at []int
	for i := range a.Items {
		if a.Items[i].Basis == onOurExtremes {
			at = append(at, i)
		}
	}
	level := a.Alpha / float64(max(len(at), 1))
	if a.Correction == stats.Uncorrected {
		level = a.Alpha
	}
	for _, i := range at {
		if item := &a.Items[i]; item.Extreme.smallest(item.Published.N) > level {
			item.Basis = onFewExtremes
		}
	}
}

// incomparable returns the reason why numbers cannot be compared; "": they can.
func incomparable(c *Counterpart) string {
	switch {
	case math.IsNaN(c.Published.Mean):
		return "the paper gives no number"
	case c.Ours.N == 0 && c.Ours.Failed == 0:
		return "ours has no result there"
	case c.Ours.N == 0:
		return "no replicate of ours succeeded"
	case c.Extreme != nil && c.Published.N < 1:
		return "the paper's number of replicates is unknown"
	case c.Extreme != nil:
		return ""
	case c.Ours.N < 2:
		return "ours has a single replicate"
	case c.Ours.SD == 0 && !(c.Published.SD > 0):
		return "neither side varies between replicates"
	}
	return ""
}

// test sets the standard errors, Z, P, Equivalence and Basis; p-values are unadjusted.
func (a *Agreement) test(margin float64) {
	if a.Extreme != nil {
		a.P, a.Equivalence, a.Basis = a.Extreme.precedence(a.Published), 1, onOurExtremes
		return
	}
	df := a.standardErrors()
	a.SE = a.OursSE
	if math.IsNaN(a.PublishedSE) {
		a.Basis = onOurSpread + a.Published.lacks()
	} else {
		a.SE = math.Hypot(a.OursSE, a.PublishedSE)
	}
	a.Z = a.Difference / a.SE
	beyond := max(math.Abs(a.Difference)-a.Published.Rounding, 0) / a.SE
	a.P = min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(beyond))
	a.Equivalence = stats.WelchEquivalence(math.Abs(a.Difference)+a.Published.Rounding, a.SE, df, margin)
}

// standardErrors sets the standard errors of both means and returns the degrees of freedom
// of their difference. An unknown standard error of the published mean stays NaN.
func (a *Agreement) standardErrors() (df float64) {
	if a.Repeats.N >= leastRepeats && a.Repeats.SD > 0 {
		return a.errorsOfRepeats()
	}
	n, printed := float64(a.Ours.N), float64(a.Published.N)
	a.OursSE = a.Ours.SD / math.Sqrt(n)
	if !a.Published.hasSpread() {
		return n - 1
	}
	a.PublishedSE = a.Published.SD / math.Sqrt(printed)
	v1, v2 := a.OursSE*a.OursSE, a.PublishedSE*a.PublishedSE
	return (v1 + v2) * (v1 + v2) / (v1*v1/(n-1) + v2*v2/(printed-1))
}

// errorsOfRepeats is standardErrors for means over folds of one data set. A published mean over n
// folds counts as n/Folds repeats with the spread of ours.
func (a *Agreement) errorsOfRepeats() (df float64) {
	r := &a.Repeats
	a.OursSE = r.SD / math.Sqrt(float64(r.N))
	if a.Published.N > 0 {
		a.PublishedSE = r.SD * math.Sqrt(float64(r.Folds)/float64(a.Published.N))
	}
	return float64(r.N - 1)
}

// decide sets the verdict by the adjusted p-values.
func (a *Agreement) decide(p, equivalence, alpha float64) {
	a.Adjusted, a.Equivalence, a.Verdict = p, equivalence, Undecided
	switch {
	case equivalence <= alpha:
		a.Verdict = Agrees
	case p <= alpha:
		a.Verdict = Differs
	}
}

// A Tally counts the verdicts of one classifier or one block of cells.
type Tally struct {
	Key                                    string
	Agree, Differ, Undecided, Incomparable int
	MeanDifference                         float64 // mean of ours - published over all pairs of means; NaN: none

	sum   float64 // of the differences
	count int
}

// TallyBy groups agreements by a key, such as the classifier, in the order of
// first appearance.
func (a *Agreements) TallyBy(key func(*Agreement) string) []Tally {
	var tallies []Tally
	for i := range a.Items {
		name := key(&a.Items[i])
		k := slices.IndexFunc(tallies, func(t Tally) bool { return t.Key == name })
		if k < 0 {
			k = len(tallies)
			tallies = append(tallies, Tally{Key: name})
		}
		tallies[k].add(&a.Items[i])
	}
	for k := range tallies {
		t := &tallies[k]
		t.MeanDifference = t.sum / float64(t.count) // 0/0 is NaN
	}
	return tallies
}

// add counts one agreement.
func (t *Tally) add(a *Agreement) {
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
		t.sum += a.Difference
		t.count++
	}
}
