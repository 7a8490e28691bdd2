package verdicts

import (
	"math"

	"copse/stats"
)

// A RankAgreement says whether a cell's classifiers come in the published
// order and whether the same ones are best.
type RankAgreement struct {
	Cell        string
	Classifiers int      // with a mean on both sides
	Tau         float64  // Kendall's tau-b of the means; NaN when a side is one tie or has a single classifier
	Ours        []string // our best and those compatible with it
	Published   []string // the paper's, by the same rule
	SameBest    bool     // the smallest means belong to the same classifier; on ties, to a common one
	Tested      bool     // all on both sides have the spreads that tell who is compatible
	SameSet     bool     // Ours and Published name the same classifiers; says nothing unless Tested
}

// CompareRanks compares the order of the classifiers cell by cell; pairs of a
// cell must stand together. The paper's paired results being unknown, both
// compatible sets come from means and standard deviations alone, by the same
// Welch tests at alpha/(k-1) against the best, with the standard errors of
// CompareWithPublished; these reject less often than the paired tests of Best, so
// the sets are larger than the tables' bold face.
func CompareRanks(pairs []Counterpart, alpha float64) []RankAgreement {
	var result []RankAgreement
	for from := 0; from < len(pairs); {
		to := from + 1
		for to < len(pairs) && pairs[to].Cell == pairs[from].Cell {
			to++
		}
		var names []string
		var ours, published []Reported
		for _, p := range pairs[from:to] {
			if math.IsNaN(p.Ours.Mean) || math.IsNaN(p.Published.Mean) || p.Extreme != nil {
				continue
			}
			names = append(names, p.Classifier)
			ours = append(ours, Reported{Mean: stats.Steps(p.Ours.Mean) / stats.Grid, SD: p.Ours.SD, N: p.Ours.N})
			published = append(published, p.Published)
		}
		result = append(result, compareRanks(&pairs[from], names, ours, published, alpha))
		from = to
	}
	return result
}

// compareRanks compares the classifiers of the cell of one of its counterparts.
func compareRanks(of *Counterpart, names []string, ours, published []Reported, alpha float64) RankAgreement {
	r := RankAgreement{Cell: of.Cell, Classifiers: len(names), Tau: kendallTau(means(ours), means(published))}
	inOurs, testedOurs := compatible(ours, of.Share, alpha)
	inPublished, testedPublished := compatible(published, of.Share, alpha)
	r.Tested = testedOurs && testedPublished
	lowestOurs, lowestPublished := lowest(ours), lowest(published)
	r.SameSet = len(names) > 0
	for i, name := range names {
		if inOurs[i] {
			r.Ours = append(r.Ours, name)
		}
		if inPublished[i] {
			r.Published = append(r.Published, name)
		}
		r.SameSet = r.SameSet && inOurs[i] == inPublished[i]
		r.SameBest = r.SameBest || ours[i].Mean == lowestOurs && published[i].Mean == lowestPublished
	}
	return r
}

func means(reported []Reported) []float64 {
	m := make([]float64, len(reported))
	for i, r := range reported {
		m[i] = r.Mean
	}
	return m
}

func lowest(reported []Reported) float64 {
	low := math.Inf(1)
	for _, r := range reported {
		low = min(low, r.Mean)
	}
	return low
}

// compatible marks the smallest mean and those that Welch's test at alpha/(k-1) does not
// tell from it, with the variances of means over results that share rows (Nadeau and
// Bengio 2003): share is that of a Counterpart. What cannot be tested for want of a spread
// is compatible only when it ties with the best; tested reports whether all have one.
func compatible(reported []Reported, share, alpha float64) (in []bool, tested bool) {
	in, tested = make([]bool, len(reported)), true
	if len(reported) == 0 {
		return in, tested
	}
	best := 0
	for i, r := range reported {
		if r.Mean < reported[best].Mean {
			best = i
		}
	}
	b := widened(reported[best], share)
	for i, r := range reported {
		r = widened(r, share)
		a := Agreement{
			Counterpart: Counterpart{Ours: stats.Summary{N: r.N, Mean: r.Mean, SD: r.SD}, Published: b},
			Difference:  r.Mean - b.Mean,
		}
		spread := r.N >= 2 && !math.IsNaN(r.SD)
		tested = tested && spread
		switch {
		case r.Mean == b.Mean:
			in[i] = true
		case spread && b.N >= 2 && !math.IsNaN(b.SD) && incomparable(&a.Counterpart) == "":
			a.test(1)
			in[i] = a.P > alpha/float64(len(reported)-1)
		}
	}
	return in, tested
}

// widened returns a number with the standard deviation that, over the square root of N, is
// the standard error of a mean over results with such a share of test rows.
func widened(r Reported, share float64) Reported {
	r.SD *= math.Sqrt(1 + float64(r.N)*share)
	return r
}

// kendallTau is Kendall's tau-b of paired values,
//
//	(concordant - discordant) / sqrt((pairs - ties in x)(pairs - ties in y)),
//
// NaN when either side is one tie. It counts all pairs: n is a handful.
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

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
