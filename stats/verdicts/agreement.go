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

// A Verdict says whether a measured number reproduces a published one.
type Verdict string

const (
	Agrees        Verdict = "agrees"         // shown to lie within the margin of the published one
	Differs       Verdict = "differs"        // a difference is shown, and none within the margin
	Undecided     Verdict = "undecided"      // neither is shown: too few replicates for this margin
	NotComparable Verdict = "not comparable" // one side lacks a number or its spread
)

// A Reported is a number as a paper prints it.
type Reported struct {
	Mean     float64 // NaN when not printed
	SD       float64 // over the N replicates; NaN when not printed
	N        int     // replicates behind the number; 0: unknown
	Rounding float64 // half a unit of the last printed digit: what print may hide
}

// A Counterpart sets a measured mean beside the published one.
type Counterpart struct {
	Cell       string // identity of the cell, for display and grouping
	Classifier string
	Metric     *metrics.Metric // of both
	Ours       stats.Summary   // of the losses
	Published  Reported        // as losses
	Levels     records.Levels  // of the cell
	Share      float64         // where the results are folds or splits of one data set, test rows per training row
	Repeats    Repeats         // of a cross-validation of one data set
	Extreme    *Extreme        // the printed number is no mean but a minimum or maximum
}

// Repeats are the means over each repeat of a cross-validation of one data set.
type Repeats struct {
	stats.Summary     // of these means; N is 0 where the results are not of repeats
	Folds         int // of one repeat
}

// leastRepeats is the number of repeats from which on their spread is the variance of a
// mean over redrawn folds.
const leastRepeats = 3

// NewRepeats returns the means over each repeat of a cross-validation with so many folds;
// values are the losses of all folds in order. There are none where the results are not
// whole repeats.
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

// An Agreement is the comparison of one counterpart. The numbers are NaN where
// there is nothing to compute them from.
type Agreement struct {
	Counterpart
	Difference  float64 // ours - published
	SE          float64 // joint standard error; ours alone where the paper gives no spread
	OursSE      float64 // of our mean alone
	PublishedSE float64 // of the published mean alone; NaN where it is not known
	Z           float64 // Difference / SE
	P           float64 // two-sided p-value of a difference beyond Rounding
	Adjusted    float64 // P adjusted for the family
	Equivalence float64 // p-value of the two one-sided tests at the margin, adjusted likewise
	Verdict     Verdict
	Basis       string // what the verdict rests on, if not on both sides' spread
	Reason      string // why it is not comparable
}

// Agreements are the comparisons of one table.
type Agreements struct {
	Items      []Agreement
	Family     int     // comparisons that could be made: all share the correction
	Alpha      float64 // family-wise level
	Correction stats.Correction
	Margin     float64
}

// AgreementOptions says when a number agrees and when it differs.
type AgreementOptions struct {
	Alpha      float64 // family-wise level, of differences and of agreements
	Correction stats.Correction
	Margin     float64 // numbers closer than this agree for all purposes
}

// DefaultAgreementOptions is a margin of two percentage points.
func DefaultAgreementOptions() AgreementOptions {
	return AgreementOptions{Alpha: 0.05, Correction: stats.Holm, Margin: 0.02}
}

// The words of Agreement.Basis.
const (
	onOurSpread   = "our spread and the printed precision alone: the paper gives "
	onOurExtremes = "the precedence test of our results against the printed extreme, which takes results as " +
		"independent and can show no agreement"
	onFewExtremes = onOurExtremes + "; of so few results it can show no difference either"
)

// lacks says what keeps a printed number from having a standard error.
func (r *Reported) lacks() string {
	switch known := !math.IsNaN(r.SD); {
	case r.N == 1:
		return "a single replicate"
	case known:
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
// Where the replicates are folds of one data set, both means are of that data set, and
// differ by the folds that were drawn. The correlation of folds, within one side and
// between the sides, then cancels from the variance of the difference. With three repeats
// of ours or more the standard deviation of their means, s, is that of any mean over as
// many folds of these data, and with m repeats of ours and n folds in print, k to a repeat,
//
//	SE = s sqrt(1/m + k/n),  on m-1 degrees of freedom.
//
// A difference is tested by Welch's test, Student's t on
//
//	SE^4 / (v1^2/(R1-1) + v2^2/(R2-1)),  v the two terms of SE^2,
//
// degrees of freedom, of |Difference| less Rounding, since a printed digit may
// hide that much; equivalence by two one-sided tests of |Difference| plus
// Rounding at the margin. Where the paper prints no spread the published number
// counts as exact but for its rounding, which the agreement's Basis says.
//
// A number agrees when equivalence is shown, else differs when a difference is,
// else is undecided. Each family of p-values, of differences and of
// equivalences, is that of all numbers of the table that can be compared.
func CompareWithPublished(pairs []Counterpart, o AgreementOptions) (Agreements, error) {
	if !(o.Alpha > 0 && o.Alpha < 1) || !(o.Margin > 0 && o.Margin < 1) {
		return Agreements{}, fmt.Errorf("compare with published: alpha %v and the margin %v must lie in (0,1)",
			o.Alpha, o.Margin)
	}
	result := Agreements{Alpha: o.Alpha, Correction: o.Correction, Margin: o.Margin}
	var p, equivalence []float64
	var at []int
	for i, pair := range pairs {
		a := newAgreement(pair)
		if a.Reason = incomparable(&pair); a.Reason == "" {
			a.test(o.Margin)
			p, equivalence, at = append(p, a.P), append(equivalence, a.Equivalence), append(at, i)
		}
		result.Items = append(result.Items, a)
	}
	result.Family = len(p)
	p, equivalence = o.Correction.Adjust(p, len(p)), o.Correction.Adjust(equivalence, len(p))
	for k, i := range at {
		result.Items[i].decide(p[k], equivalence[k], o.Alpha)
	}
	result.sayFew()
	return result, nil
}

// newAgreement returns the comparison of a counterpart without tests.
func newAgreement(c Counterpart) Agreement {
	none := math.NaN()
	return Agreement{Counterpart: c, Difference: c.Measured() - c.Published.Mean, Verdict: NotComparable,
		SE: none, OursSE: none, PublishedSE: none, Z: none, P: none, Adjusted: none, Equivalence: none}
}

// sayFew marks the extremes whose replicates are too few for any difference. Of m
// extremes Holm's correction multiplies the first p-value by m at least.
func (a *Agreements) sayFew() {
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

// incomparable returns what a comparison lacks, or nothing.
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

// test sets SE, Z, P, Equivalence and Basis.
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
// of their difference.
func (a *Agreement) standardErrors() (df float64) {
	n, printed := float64(a.Ours.N), float64(a.Published.N)
	a.PublishedSE = math.NaN()
	if r := &a.Repeats; r.N >= leastRepeats && r.SD > 0 {
		a.OursSE = r.SD / math.Sqrt(float64(r.N))
		if a.Published.N > 0 {
			a.PublishedSE = r.SD * math.Sqrt(float64(r.Folds)/printed)
		}
		return float64(r.N - 1)
	}
	a.OursSE = a.Ours.SD / math.Sqrt(n)
	if a.Published.N < 2 || math.IsNaN(a.Published.SD) {
		return n - 1
	}
	a.PublishedSE = a.Published.SD / math.Sqrt(printed)
	v1, v2 := a.OursSE*a.OursSE, a.PublishedSE*a.PublishedSE
	return (v1 + v2) * (v1 + v2) / (v1*v1/(n-1) + v2*v2/(printed-1))
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

// A Tally sums up the agreements of one classifier or one block of cells.
type Tally struct {
	Key                                    string
	Agree, Differ, Undecided, Incomparable int
	MeanDifference                         float64 // ours - published, over all with both means; NaN without any
}

// TallyBy groups agreements by a key, such as the classifier, in the order of
// first appearance.
func (a *Agreements) TallyBy(key func(*Agreement) string) []Tally {
	var tallies []Tally
	var sums []float64
	var counts []int
	at := make(map[string]int)
	for i := range a.Items {
		item := &a.Items[i]
		k, ok := at[key(item)]
		if !ok {
			k = len(tallies)
			at[key(item)] = k
			tallies, sums, counts = append(tallies, Tally{Key: key(item)}), append(sums, 0), append(counts, 0)
		}
		switch item.Verdict {
		case Agrees:
			tallies[k].Agree++
		case Differs:
			tallies[k].Differ++
		case Undecided:
			tallies[k].Undecided++
		default:
			tallies[k].Incomparable++
		}
		if !math.IsNaN(item.Difference) && item.Extreme == nil {
			sums[k] += item.Difference
			counts[k]++
		}
	}
	for k := range tallies {
		tallies[k].MeanDifference = sums[k] / float64(counts[k]) // 0/0 is NaN
	}
	return tallies
}
