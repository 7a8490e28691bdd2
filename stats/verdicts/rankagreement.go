package verdicts

import (
	"math"
	"slices"

	"copse/stats"
)

// A RankAgreement compares our ranking of the classifiers in one cell with the paper's ranking.
type RankAgreement struct {
	Cell        string
	Classifiers int      // number of classifiers with a mean in our results and in the paper
	Tau         float64  // Kendall's tau-b of our means and the paper's; NaN if all means of one are equal
	Ours        []string // our best classifier and those not shown to be worse
	Published   []string // the paper's best classifier and those not shown to be worse
	SameBest    bool     // whether a classifier has the smallest mean in both
	Tested      bool     // whether all numbers have the spreads that the tests need
	SameSet     bool     // whether Ours equals Published; meaningless unless Tested
}

// CompareRanks compares our ranking of the classifiers with the paper's ranking in each cell. The
// pairs of a cell must be consecutive. Ours and Published use Welch tests against the best classifier
// at level alpha/(k-1), because papers print no paired results. Welch tests reject less often than the
// paired tests of Best, so these sets are larger than the sets of bold numbers in tables.
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

// compareRanks compares our ranking of the classifiers in one cell with the paper's ranking. pairs has all
// numbers of the cell, which is one combination of factor levels.
func compareRanks(pairs []Counterpart, alpha float64) RankAgreement {
	names, ours, published := commonMeans(pairs)
	share := pairs[0].Share
	inOurs, inPublished := compatible(ours, share, alpha), compatible(published, share, alpha) // not shown worse
	lacksSpread := func(r Reported) bool { return !r.hasSpread() }
	r := RankAgreement{
		Cell:        pairs[0].Cell,
		Classifiers: len(names),
		Tau:         kendallTau(means(ours), means(published)),
		Tested:      !slices.ContainsFunc(ours, lacksSpread) && !slices.ContainsFunc(published, lacksSpread),
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

// commonMeans returns the classifiers that have a mean in our results and in the paper, with our mean
// and the published mean of each. It omits minima and maxima. Our means are rounded to the Grid, so
// that rounding errors do not break ties.
func commonMeans(pairs []Counterpart) (names []string, ours, published []Reported) {
	for _, p := range pairs {
		if math.IsNaN(p.Ours.Mean) || math.IsNaN(p.Published.Mean) || p.Extreme != nil {
			continue
		}
		names = append(names, p.Classifier)
		ours = append(ours, Reported{Mean: stats.Steps(p.Ours.Mean) / stats.Grid, SD: p.Ours.SD, N: p.Ours.N})
		published = append(published, p.Published)
	}
	return names, ours, published
}

// means returns the mean of each number.
func means(reported []Reported) []float64 {
	m := make([]float64, len(reported))
	for i, r := range reported {
		m[i] = r.Mean
	}
	return m
}

// lowest returns the smallest mean; +Inf if reported is empty.
func lowest(reported []Reported) float64 {
	low := math.Inf(1)
	for _, r := range reported {
		low = min(low, r.Mean)
	}
	return low
}

// compatible marks the smallest of k means, and all means that Welch's test at level alpha/(k-1) does
// not show to be larger. A mean without a spread is marked only if it equals the smallest mean. share
// is Counterpart.Share.
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

// hasSpread reports whether r has a standard deviation over at least two replicates.
func (r *Reported) hasSpread() bool { return r.N >= 2 && !math.IsNaN(r.SD) }

// welchP returns the two-sided p-value of Welch's test of two means; 0 if one of them has no spread.
// share corrects the variances for results that share rows (see widened).
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

// widened returns r with the standard deviation SD sqrt(1 + N share). Divided by sqrt(N), it is the
// standard error of a mean over results that share rows (Nadeau and Bengio 2003).
func widened(r Reported, share float64) Reported {
	r.SD *= math.Sqrt(1 + float64(r.N)*share)
	return r
}

// kendallTau returns Kendall's tau-b of paired values,
//
//	(concordant - discordant) / sqrt((pairs - ties in x)(pairs - ties in y)).
//
// It is NaN if all x or all y are equal.
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

// sign returns -1, 0 or 1 for negative, zero and positive v.
func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
