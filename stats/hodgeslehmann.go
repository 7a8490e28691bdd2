package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// A Shift is an estimate of the location of paired differences.
type Shift struct {
	Estimate  float64
	Low, High float64 // confidence interval
	Level     float64 // confidence of the interval, which small samples may reduce; 0: no interval
}

// OffGrid converts a shift from steps of size 1/Grid to the unit of the losses.
func (s Shift) OffGrid() Shift {
	s.Estimate, s.Low, s.High = s.Estimate/Grid, s.Low/Grid, s.High/Grid
	return s
}

// Times multiplies the estimate and the interval by a factor, as if all differences were multiplied by it. A
// negative factor exchanges the ends of the interval.
func (s Shift) Times(factor float64) Shift {
	if factor < 0 {
		s.Low, s.High = s.High, s.Low
	}
	s.Estimate, s.Low, s.High = s.Estimate*factor, s.Low*factor, s.High*factor
	return s
}

// Reconciled returns s with an interval that does not contradict a test of the shift 0. The argument
// rejectsZero is the decision of the test.
//
// With ties or random draws, the interval can exclude 0 although the test does not reject it, or
// contain 0 although the test rejects it. The end on the side of 0 then becomes 0. If the estimate
// is 0, it lies on neither side, and s does not change.
func (s Shift) Reconciled(rejectsZero bool) Shift {
	excludesZero := s.Low > 0 || s.High < 0
	switch {
	case excludesZero == rejectsZero:
		return s
	case s.Estimate > 0:
		s.Low = 0
	case s.Estimate < 0:
		s.High = 0
	}
	return s
}

// HodgesLehmannOf estimates the shift of at least one paired difference d by the median of their Walsh
// averages, (d_i + d_j)/2 with i <= j.
//
// The interval contains the shifts that SignedRankOf does not reject after they are subtracted from d, as in
// R's wilcox.test. Differences of 0 count, although SignedRankOf drops them when it tests a shift of 0.
//
// The interval is exact for fewer than 50 differences. For more differences, R computes the ends with a
// tolerance of 1e-4.
//
// If there is no interval, Level is 0 and both ends are the median of the differences.
func HodgesLehmannOf(d []float64, level float64) Shift {
	sorted := sortedDifferences(slices.Clone(d))
	slices.Sort(sorted)
	m := sorted.averageCount()
	median := (sorted.kthAverage((m+1)/2) + sorted.kthAverage(m/2+1)) / 2 // both are the same average if m is odd
	shift := Shift{Estimate: median}
	allEqual := sorted[0] == sorted[len(sorted)-1]
	switch {
	case allEqual: // no interval
		shift.Low, shift.High = median, median
	case len(sorted) < normalFrom:
		shift.exactInterval(sorted, 1-level)
	default:
		shift.normalInterval(sorted, 1-level)
	}
	return shift
}

// exactInterval sets the interval from the exact distribution of the signed-rank statistic V. The
// distribution assumes that there are no ties.
func (s *Shift) exactInterval(d sortedDifferences, alpha float64) {
	const fuzz = 0x1p-48 // so that alpha/2 = 1/32 equals a tail of 1/32, as in R
	p := signedRankProbabilities(len(d))
	// The interval extends from the q-th smallest to the q-th largest Walsh average. q >= 1 is the
	// smallest number with P(V <= q) >= alpha/2.
	q := 1
	below := p[0] // P(V < q)
	for below+p[q] < alpha/2-fuzz {
		below += p[q]
		q++
	}
	s.Low, s.High = d.kthAverage(q), d.kthAverage(d.averageCount()+1-q)
	s.Level = 1 - 2*below
}

// signedRankProbabilities returns P(V = v), v = 0..n(n+1)/2, for the signed-rank statistic V of n
// differences without ties.
func signedRankProbabilities(n int) []float64 {
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	counts := flipCounts(ranks) // counts[2v] of the 2^n sign vectors have V = v
	p := make([]float64, n*(n+1)/2+1)
	for v := range p {
		p[v] = math.Ldexp(counts[2*v], -n)
	}
	return p
}

// normalInterval sets the interval from the normal approximation of the signed-rank statistic V.
//
// If the signed-rank test rejects no shift at any level, both ends are the median of d, and Level
// remains 0.
func (s *Shift) normalInterval(d sortedDifferences, alpha float64) {
	alpha = attainableAlpha(d, alpha) // larger if no shift could be rejected at this level
	if alpha >= 1 {
		s.Low = Quantile(d, 0.5)
		s.High = s.Low
		return
	}
	n := float64(len(d))
	_, ties := Midranks(d) // sum of t^3 - t over groups of t equal differences
	sd := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
	m := d.averageCount()
	// After a shift is subtracted, V is the number of positive Walsh averages among all m. The test
	// rejects the shift if V is too large.
	z := -mathext.NormalQuantile(alpha / 2)                // positive
	largestV := int(math.Floor(float64(m)/2 + 0.5 + z*sd)) // that is not rejected; 0.5: continuity correction
	// A shift that exceeds exactly k averages has V = m - k. It is not rejected if m - k <= largestV.
	// For the smallest such k >= 1, the interval begins at the k-th smallest average. By symmetry, it
	// ends at the k-th largest one.
	k := max(m-largestV, 1)
	s.Low, s.High = d.kthAverage(k), d.kthAverage(m+1-k)
	s.Level = 1 - alpha
}

// attainableAlpha returns a level at which the signed-rank test rejects the most extreme shifts:
// the smallest and the largest difference. Like R, it doubles alpha until both are rejected. The
// result is at least 1 if no level is enough.
func attainableAlpha(d sortedDifferences, alpha float64) float64 {
	smallerZ := min(zOfExtremeShift(d, d[0]), zOfExtremeShift(d, d[len(d)-1]))
	for alpha < 1 && smallerZ < -mathext.NormalQuantile(alpha/2) {
		alpha *= 2
	}
	return alpha
}

// zOfExtremeShift returns the absolute standardised signed-rank statistic after extreme is
// subtracted from every value of the sample. The argument extreme must be the smallest or the
// largest of these values.
func zOfExtremeShift(sample []float64, extreme float64) float64 {
	rest := make([]float64, 0, len(sample))
	for _, v := range sample {
		if v != extreme {
			rest = append(rest, math.Abs(v-extreme))
		}
	}
	n := float64(len(rest))
	_, ties := Midranks(rest)
	// All other values lie on the same side of extreme, so the n differences have the same sign, and V
	// differs from its mean by n(n+1)/4.
	return (n*(n+1)/4 - 0.5) / math.Sqrt(n*(n+1)*(2*n+1)/24-ties/48)
}
