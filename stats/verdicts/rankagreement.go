package verdicts

import (
	"cmp"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/records"
)

// A RankAgreement compares our ranking of the classifiers in one cell with the paper's ranking.
type RankAgreement struct {
	Levels      records.Levels // Counterpart.Levels
	Classifiers int            // with a mean in both
	Tau         float64        // Kendall's tau-b of the means; NaN if all of ours or all of theirs are equal
	Ours        []string       // our best classifier, and others not shown to be worse
	Published   []string       // the same for the paper
	SameBest    bool           // one classifier is best in both rankings
	Tested      bool           // all numbers have the spreads that tests need
	SameSet     bool           // Ours equals Published; only valid if Tested
}

// CompareRanks compares our rankings with the paper's, separately for each value of Counterpart.Levels.
//
// In each ranking of k classifiers, Welch tests at level alpha/(k-1) determine the best ones. Papers print no
// paired results, so paired tests are impossible.
func CompareRanks(pairs []Counterpart, alpha float64) []RankAgreement {
	cells := stats.Grouped(pairs, func(p Counterpart) records.Levels { return p.Levels })
	return stats.Map(cells, func(ofCell []Counterpart) RankAgreement { return compareRanks(ofCell, alpha) })
}

// compareRanks compares our ranking of the classifiers in one cell with the paper's. pairs contains
// the published numbers for the cell, together with ours. Only classifiers with a mean in both
// rankings are compared.
func compareRanks(pairs []Counterpart, alpha float64) RankAgreement {
	names, ours, published := commonMeans(pairs)
	lacksSpread := func(r Reported) bool { return !r.hasSpread() }
	r := RankAgreement{
		Levels: pairs[0].Levels, Classifiers: len(names), Tau: math.NaN(),
		Tested: !slices.ContainsFunc(slices.Concat(ours, published), lacksSpread),
	}
	if len(names) == 0 {
		return r
	}
	ourMeans, theirMeans := means(ours), means(published)
	r.Tau = kendallTau(ourMeans, theirMeans)
	share := pairs[0].Share // positive for folds of one data set, whose results are correlated
	isOurBest, isTheirBest := markBest(ours, share, alpha), markBest(published, share, alpha)
	r.SameSet = slices.Equal(isOurBest, isTheirBest)
	ourSmallest, theirSmallest := slices.Min(ourMeans), slices.Min(theirMeans)
	for i, name := range names {
		if isOurBest[i] {
			r.Ours = append(r.Ours, name)
		}
		if isTheirBest[i] {
			r.Published = append(r.Published, name)
		}
		if ourMeans[i] == ourSmallest && theirMeans[i] == theirSmallest {
			r.SameBest = true
		}
	}
	return r
}

// commonMeans returns the classifiers that have a mean both in our results and in the paper, with
// these means. It omits minima, maxima and variants (see Counterpart.Variant).
//
// Our means are rounded to multiples of 1/stats.Grid. Otherwise, rounding errors would break ties.
func commonMeans(pairs []Counterpart) (names []string, ours, published []Reported) {
	for _, p := range pairs {
		if math.IsNaN(p.Ours.Mean) || math.IsNaN(p.Published.Mean) || p.Extreme != nil || p.Variant {
			continue
		}
		names = append(names, p.Classifier)
		ours = append(ours, Reported{Mean: stats.RoundedSteps(p.Ours.Mean) / stats.Grid, SD: p.Ours.SD, N: p.Ours.N})
		published = append(published, p.Published)
	}
	return names, ours, published
}

func means(list []Reported) []float64 {
	return stats.Map(list, func(r Reported) float64 { return r.Mean })
}

// markBest marks the smallest mean and all means that are not significantly larger. It uses Welch's
// test with Bonferroni's correction.
//
// A mean without a standard deviation is marked only if it equals the smallest. The argument share
// is Counterpart.Share. If it is positive, the means are over folds that have rows in common, and
// the test uses larger standard deviations (see widened).
func markBest(reported []Reported, share, alpha float64) []bool {
	marks := make([]bool, len(reported))
	best := slices.MinFunc(reported, func(a, b Reported) int { return cmp.Compare(a.Mean, b.Mean) })
	level := alpha / float64(len(reported)-1)
	for i, r := range reported {
		marks[i] = r.Mean == best.Mean || welchP(r, best, share) > level
	}
	return marks
}

func (r *Reported) hasSpread() bool { return r.N >= 2 && !math.IsNaN(r.SD) }

// welchP returns the two-sided p-value of Welch's test of two means. It returns 0 if one of the
// spreads is unknown, or if both are 0.
func welchP(r, other Reported, share float64) float64 {
	r, other = widened(r, share), widened(other, share)
	a := Agreement{
		Counterpart: Counterpart{Ours: stats.Summary{N: r.N, Mean: r.Mean, SD: r.SD}, Published: other},
		Difference:  r.Mean - other.Mean,
	}
	if !r.hasSpread() || !other.hasSpread() || whyIncomparable(&a.Counterpart) != "" {
		return 0
	}
	a.test(1)
	return a.P
}

// widened returns r with its standard deviation multiplied by sqrt(1 + N*share), where share is
// Counterpart.Share. The N results have rows in common (Nadeau and Bengio 2003).
func widened(r Reported, share float64) Reported {
	r.SD *= math.Sqrt(1 + float64(r.N)*share)
	return r
}

// kendallTau returns Kendall's tau-b of paired values:
//
//	(concordant - discordant) / sqrt((pairs - ties in x)(pairs - ties in y)).
//
// It is NaN if all x or all y are equal.
func kendallTau(x, y []float64) float64 {
	score, untiedX, untiedY := 0, 0, 0
	for i := range x {
		for j := range i {
			dx, dy := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			score += dx * dy
			untiedX += dx * dx
			untiedY += dy * dy
		}
	}
	return float64(score) / math.Sqrt(float64(untiedX)*float64(untiedY))
}
