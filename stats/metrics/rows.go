package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// leastProbability replaces smaller probabilities, so that the log loss is finite.
const leastProbability = 1e-15

// logLoss returns the mean of -log p, where p is the probability of the true class.
func logLoss(p *Predictions, _ int) float64 {
	sum := 0.0
	for i, t := range p.Truth {
		sum -= math.Log(max(p.Probabilities.At(i, t), leastProbability))
	}
	return sum / float64(len(p.Truth))
}

// brier returns the mean squared distance of the probabilities from the true class's indicator.
func brier(p *Predictions, _ int) float64 {
	sum := 0.0
	for i, t := range p.Truth {
		for k, v := range p.Probabilities.RawRowView(i) {
			if k == t {
				v--
			}
			sum += v * v
		}
	}
	return sum / float64(len(p.Truth))
}

// calibrationBins is the number of equal-width bins of the expected calibration error.
const calibrationBins = 15

// calibrationError returns the expected calibration error of the predicted class.
func calibrationError(p *Predictions, _ int) float64 {
	var excess [calibrationBins]float64 // probability minus hits, summed over the bin
	for i, label := range p.Labels {
		v := p.Probabilities.At(i, label)
		b := binOf(v, calibrationBins)
		excess[b] += v
		if label == p.Truth[i] {
			excess[b]--
		}
	}
	sum := 0.0
	for _, v := range excess {
		sum += math.Abs(v)
	}
	return sum / float64(len(p.Labels))
}

// auc returns the area under the ROC curve. For two classes it is the share of pairs of a
// row of class 1 and a row of class 0 that the score difference orders correctly. For more
// classes it is the mean of pairAUC over the pairs of classes with test rows (Hand and Till
// 2001). It is NaN if fewer than two classes have test rows.
func auc(p *Predictions, _ int) float64 {
	_, classes := p.Scores.Dims()
	if classes == 2 {
		return rankShare(p.Truth, 1, 0, difference(p.Scores, 1, 0))
	}
	sum, pairs := 0.0, 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			if a := pairAUC(p, i, j); !math.IsNaN(a) {
				sum += a
				pairs++
			}
		}
	}
	return sum / float64(pairs)
}

// pairAUC returns (A(i|j) + A(j|i)) / 2, where A(i|j) is the share of pairs of rows of both
// classes that the probabilities of i order correctly. Without probabilities it ranks by the
// difference of the two scores: a row's scores are determined only up to a constant.
// It is NaN if a class has no test rows.
func pairAUC(p *Predictions, i, j int) float64 {
	if p.Probabilities == nil {
		return rankShare(p.Truth, i, j, difference(p.Scores, i, j))
	}
	byFirst := rankShare(p.Truth, i, j, inColumn(p.Probabilities, i))
	bySecond := rankShare(p.Truth, j, i, inColumn(p.Probabilities, j))
	return (byFirst + bySecond) / 2
}

// averagePrecision returns the area under the precision-recall curve in steps: the sum over
// the steps of precision times the increase in recall. It is NaN if the class has no rows.
func averagePrecision(p *Predictions, class int) float64 {
	sum, hits := 0.0, 0
	for _, s := range stepsDown(p, class) {
		sum += float64(s.hits-hits) * float64(s.hits) / float64(s.rows)
		hits = s.hits
	}
	return sum / float64(hits)
}

// A rowScore returns the score that ranks a test row, and the largest magnitude of the
// numbers from which it was computed; tieScores derives its tolerance from it.
type rowScore func(row int) (value, size float64)

// classScore returns the score that ranks rows for a class against all others. It is the
// class's probability if there are more than two classes and the rule has probabilities,
// else the class's score minus the largest other score.
func classScore(p *Predictions, class int) rowScore {
	_, classes := p.Scores.Dims()
	if classes > 2 && p.Probabilities != nil {
		return inColumn(p.Probabilities, class)
	}
	return func(row int) (value, size float64) {
		other := math.Inf(-1)
		for c, v := range p.Scores.RawRowView(row) {
			if c != class {
				other = max(other, v)
			}
		}
		return subtract(p.Scores.At(row, class), other)
	}
}

// difference returns the score of class i minus the score of class j.
func difference(scores *mat.Dense, i, j int) rowScore {
	return func(row int) (value, size float64) {
		return subtract(scores.At(row, i), scores.At(row, j))
	}
}

// subtract returns a - b and the larger magnitude of both. Equal scores have difference 0,
// also the -Inf of two impossible classes.
func subtract(a, b float64) (value, size float64) {
	if a == b {
		return 0, math.Abs(a)
	}
	return a - b, max(math.Abs(a), math.Abs(b))
}

// inColumn returns the entries of column j as scores.
func inColumn(m *mat.Dense, j int) rowScore {
	return func(i int) (value, size float64) { return m.At(i, j), math.Abs(m.At(i, j)) }
}

// tieTolerance is the relative difference up to which two scores count as tied, so that
// rounding does not rank rows.
const tieTolerance = 1e-10

// tieScores returns the scores of some rows. From the smallest score up, it replaces scores
// within the tie tolerance of the first of their group by that first score.
func tieScores(rows []int, score rowScore) []float64 {
	values := make([]float64, len(rows))
	sizes := make([]float64, len(rows))
	for k, row := range rows {
		values[k], sizes[k] = score(row)
	}
	order := allRows(len(rows))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	tied := make([]float64, len(rows))
	var first int // index of the smallest score of the group
	for place, k := range order {
		gap := values[k] - values[first]
		if place == 0 || gap > tieTolerance*finite(max(sizes[k], sizes[first])) {
			first = k
		}
		tied[k] = values[first]
	}
	return tied
}

// finite returns size, or 0 if it is infinite: an infinite score ties only with its equals.
func finite(size float64) float64 {
	if math.IsInf(size, 1) {
		return 0
	}
	return size
}

// rankShare returns the Mann-Whitney statistic as a share: of the pairs of a row of class
// above and a row of class below, the share in which the former has the larger score. Ties
// count half. It is NaN if either class has no rows.
func rankShare(truth []int, above, below int, score rowScore) float64 {
	var rows []int
	for i, t := range truth {
		if t == above || t == below {
			rows = append(rows, i)
		}
	}
	ranks, _ := stats.Midranks(tieScores(rows, score))
	sum, m := 0.0, 0.0 // rank sum and number of the rows of class above
	for k, row := range rows {
		if truth[row] == above {
			sum += ranks[k]
			m++
		}
	}
	n := float64(len(rows)) - m
	return (sum - m*(m+1)/2) / (m * n)
}
