package verdicts

import (
	"math"
	"slices"

	"copse/stats"
)

// A RankAgreement compares the order and the best classifiers of a cell with the paper's.
type RankAgreement struct {
	Cell        string
	Classifiers int      // with a mean on both sides
	Tau         float64  // Kendall's tau-b of the means; NaN: all means of a side are equal
	Ours        []string // our best and the classifiers compatible with it
	Published   []string // the paper's, by the same rule
	SameBest    bool     // some classifier has the smallest mean on both sides
	Tested      bool     // all numbers on both sides have spreads, which the tests need
	SameSet     bool     // Ours and Published are equal; meaningless unless Tested
}

// CompareRanks compares the order of the classifiers cell by cell; the pairs of a cell must
// be consecutive. The paper's paired results are unknown. Both compatible sets therefore
// use means and standard deviations: Welch tests against the best at alpha/(k-1). These
// reject less often than the paired tests of Best, so the sets are larger than the bold
// face of tables.
func CompareRanks(pairs []Counterpart, alpha float64) []RankAgreement {
	var result []RankAgreement
	for from := 0; from < len(pairs); {
		to := from + 1
		for to < len(pairs) && pairs[to].Cell == pairs[from].Cell {
			to++
		}
		result = append(result, compareRanks(pairs[from:to], alpha))
		from = to
	}
	return result
}

// compareRanks compares the classifiers of one cell that have a mean on both sides.
func compareRanks(pairs []Counterpart, alpha float64) RankAgreement {
	var names []string
	var ours, published []Reported
	for _, p := range pairs {
		if math.IsNaN(p.Ours.Mean) || math.IsNaN(p.Published.Mean) || p.Extreme != nil {
			continue // no mean on one side
		}
		names = append(names, p.Classifier)
		onGrid := stats.Steps(p.Ours.Mean) / stats.Grid // so that means tie that are equal but for rounding
		ours = append(ours, Reported{Mean: onGrid, SD: p.Ours.SD, N: p.Ours.N})
		published = append(published, p.Published)
	}
	share := pairs[0].Share
	inOurs, inPublished := compatible(ours, share, alpha), compatible(published, share, alpha)
	noSpread := func(r Reported) bool { return !r.hasSpread() }
	r := RankAgreement{
		Cell:        pairs[0].Cell,
		Classifiers: len(names),
		Tau:         kendallTau(means(ours), means(published)),
		Tested:      !slices.ContainsFunc(ours, noSpread) && !slices.ContainsFunc(published, noSpread),
		SameSet:     len(names) > 0 && slices.Equal(inOurs, inPublished),
	}
	lowestOurs, lowestPublished := lowest(ours), lowest(published)
	for i, name := range names {
		if inOurs[i] {
			r.Ours = append(r.Ours, name)
		}
		if inPublished[i] {
			r.Published = append(r.Published, name)
		}
		if ours[i].Mean == lowestOurs && published[i].Mean == lowestPublished {
			r.SameBest = true
		}
	}
	return r
}

// means returns the means of the numbers.
func means(reported []Reported) []float64 {
	m := make([]float64, len(reported))
	for i, r := range reported {
		m[i] = r.Mean
	}
	return m
}

// lowest returns the smallest mean; +Inf if there is none.
func lowest(reported []Reported) float64 {
	low := math.Inf(1)
	for _, r := range reported {
		low = min(low, r.Mean)
	}
	return low
}

// compatible marks the smallest mean and all means that Welch's test at alpha/(k-1) does not
// show to be larger. Share is Counterpart.Share. A mean without a spread is compatible only if
// it equals the smallest.
func compatible(reported []Reported, share, alpha float64) []bool {
	marks := make([]bool, len(reported))
	best := lowest(reported)
	at := slices.IndexFunc(reported, func(r Reported) bool { return r.Mean == best })
	level := alpha / float64(len(reported)-1)
	for i, r := range reported {
		marks[i] = r.Mean == best || welchP(r, reported[at], share) > level
	}
	return marks
}

// hasSpread reports whether a standard error can be computed.
func (r *Reported) hasSpread() bool { return r.N >= 2 && !math.IsNaN(r.SD) }

// welchP returns the two-sided p-value of the difference of two means; 0 if Welch's test is not
// possible. Variances allow for results that share rows (Nadeau and Bengio 2003).
func welchP(r, other Reported, share float64) float64 {
	r, other = widened(r, share), widened(other, share)
	a := Agreement{
		Counterpart: Counterpart{Ours: stats.Summary{N: r.N, Mean: r.Mean, SD: r.SD}, Published: other},
		Difference:  r.Mean - other.Mean,
	}
	if !r.hasSpread() || !other.hasSpread() || incomparable(&a.Counterpart) != "" {
		return 0
	}
	a.test(1)
	return a.P
}

// widened returns r with a larger standard deviation. Divided by the square root of N, it is
// the standard error of a mean over results that share rows.
func widened(r Reported, share float64) Reported {
	r.SD *= math.Sqrt(1 + float64(r.N)*share)
	return r
}

// kendallTau returns Kendall's tau-b of paired values,
//
//	(concordant - discordant) / sqrt((pairs - ties in x)(pairs - ties in y)),
//
// NaN if all values of a side are equal. It loops over all pairs: n is small.
func kendallTau(x, y []float64) float64 {
	score, untiedX, untiedY := 0, 0, 0
	for i := range x {
		for j := range i {
			dx, dy := sign(x[i]-x[j]), sign(y[i]-y[j])
			score += dx * dy
			untiedX += dx * dx
			untiedY += dy * dy
		}
	}
	return float64(score) / math.Sqrt(float64(untiedX)*float64(untiedY))
}

// sign returns -1, 0 or 1.
func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
