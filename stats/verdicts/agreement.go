package verdicts

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
	"copse/stats/records"
)

// A Verdict says whether a measured number reproduces a published one.
type Verdict string

const (
	Agrees        Verdict = "agrees"         // no difference is demonstrated at the family-wise level
	Differs       Verdict = "differs"        // the difference is significant
	NotComparable Verdict = "not comparable" // one side lacks a mean or its spread
)

// A Reported is a mean as a paper prints it.
type Reported struct {
	Mean float64 // NaN when not printed
	SD   float64 // over the N replicates; NaN when not printed
	N    int     // replicates behind the mean
}

// A Counterpart sets a measured mean beside the published one.
type Counterpart struct {
	Cell       string // identity of the cell, for display and grouping
	Classifier string
	Metric     records.Metric // of both
	Ours       stats.Summary
	Published  Reported
	Levels     []string // of the cell, in the order of the records' factors
}

// An Agreement is the comparison of one counterpart. The numbers are NaN when
// the verdict is NotComparable, save Difference where both means are known.
type Agreement struct {
	Counterpart
	Difference float64 // ours - published
	SE         float64 // joint standard error
	Z          float64 // Difference / SE
	P          float64 // two-sided p-value
	Adjusted   float64 // P adjusted for the family
	Verdict    Verdict
	Reason     string // why it is not comparable
}

// Agreements are the comparisons of one table.
type Agreements struct {
	Items      []Agreement
	Family     int              // comparisons that could be made: all share the correction
	Alpha      float64          // family-wise level
	Correction stats.Correction // over the family
}

// AgreementOptions says when a number differs.
type AgreementOptions struct {
	Alpha      float64 // family-wise level
	Correction stats.Correction
	Rounding   float64 // half a unit of the last digit that the paper prints, as a share; 0 counts printed digits as exact
}

// CompareWithPublished compares each measured mean with its published
// counterpart. With standard deviations s over R replicates on either side,
//
//	SE = sqrt(s1^2/R1 + s2^2/R2),  Z = (mean1 - mean2) / SE.
//
// The p-value is that of Welch's test, Student's t with
//
//	SE^4 / (s1^4/(R1^2 (R1-1)) + s2^4/(R2^2 (R2-1)))
//
// degrees of freedom: all but normal for 100 replicates, not for 5 folds. It is
// taken of |Difference| less Rounding, since a printed digit may hide that much.
// The family of the correction is all comparisons of the table that can be made.
//
// "agrees" means that no difference is demonstrated, not that there is none: SE
// says how large a difference could hide.
func CompareWithPublished(pairs []Counterpart, o AgreementOptions) (Agreements, error) {
	if !(o.Alpha > 0 && o.Alpha < 1) || !(o.Rounding >= 0 && o.Rounding < 1) {
		return Agreements{}, fmt.Errorf("compare with published: alpha %v must lie in (0,1), rounding %v in [0,1)", o.Alpha, o.Rounding)
	}
	result := Agreements{Alpha: o.Alpha, Correction: o.Correction}
	var p []float64
	var at []int
	for i, pair := range pairs {
		a := Agreement{Counterpart: pair, Difference: pair.Ours.Mean - pair.Published.Mean,
			SE: math.NaN(), Z: math.NaN(), P: math.NaN(), Adjusted: math.NaN(), Verdict: NotComparable}
		if a.Reason = incomparable(pair); a.Reason == "" {
			a.test(o.Rounding)
			p, at = append(p, a.P), append(at, i)
		}
		result.Items = append(result.Items, a)
	}
	result.Family = len(p)
	for k, adjusted := range o.Correction.Adjust(p, len(p)) {
		a := &result.Items[at[k]]
		a.Adjusted, a.Verdict = adjusted, Agrees
		if adjusted <= o.Alpha {
			a.Verdict = Differs
		}
	}
	return result, nil
}

// incomparable returns what a comparison lacks, or nothing.
func incomparable(c Counterpart) string {
	switch {
	case math.IsNaN(c.Published.Mean):
		return "the paper gives no number"
	case c.Ours.N == 0:
		return "no replicate of ours succeeded"
	case math.IsNaN(c.Published.SD):
		return "the paper gives no standard deviation"
	case c.Published.N < 2:
		return "the paper's number of replicates is unknown or below two"
	case c.Ours.N < 2:
		return "ours has a single replicate"
	case c.Ours.SD == 0 && c.Published.SD == 0:
		return "neither side varies between replicates"
	}
	return ""
}

// test sets SE, Z and P.
func (a *Agreement) test(rounding float64) {
	v1 := a.Ours.SD * a.Ours.SD / float64(a.Ours.N)
	v2 := a.Published.SD * a.Published.SD / float64(a.Published.N)
	a.SE = math.Sqrt(v1 + v2)
	a.Z = a.Difference / a.SE
	df := (v1 + v2) * (v1 + v2) / (v1*v1/float64(a.Ours.N-1) + v2*v2/float64(a.Published.N-1))
	beyond := max(math.Abs(a.Difference)-rounding, 0) / a.SE
	a.P = min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(beyond))
}

// A Tally sums up the agreements of one classifier or one block of cells.
type Tally struct {
	Key                         string
	Agree, Differ, Incomparable int
	MeanDifference              float64 // ours - published, over all with both means; NaN without any
	Share                       float64 // Agree / (Agree + Differ); NaN when nothing is comparable
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
		default:
			tallies[k].Incomparable++
		}
		if !math.IsNaN(item.Difference) {
			sums[k] += item.Difference
			counts[k]++
		}
	}
	for k := range tallies {
		t := &tallies[k]
		t.MeanDifference = sums[k] / float64(counts[k]) // 0/0 is NaN
		t.Share = float64(t.Agree) / float64(t.Agree+t.Differ)
	}
	return tallies
}
