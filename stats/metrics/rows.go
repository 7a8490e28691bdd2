package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// leastProbability keeps the log loss of a class ruled out finite.
const leastProbability = 1e-15

func logLoss(p *Predictions, _ int) float64 {
	sum := 0.0
	for i, t := range p.Truth {
		sum -= math.Log(max(p.Probabilities.At(i, t), leastProbability))
	}
	return sum / float64(len(p.Truth))
}

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

// calibrationBins of equal width hold the probabilities of the predicted class,
// bin b those in ((b-1)/15, b/15].
const calibrationBins = 15

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

// auc is, for two classes, the share of pairs of a row of class 1 and one of
// class 0 in which the former has the larger difference of scores. For more it is
// the mean over pairs of classes i < j, both with test rows, of
//
//	(A(i|j) + A(j|i)) / 2,
//
// A(i|j) the share of pairs of their rows that the probabilities of i put in order.
// Scores alone are of a row up to a constant, so that without probabilities both are
// the share that the difference of the scores of i and j puts in order. NaN with rows
// of fewer than two classes.
func auc(p *Predictions, _ int) float64 {
	_, classes := p.Scores.Dims()
	if classes == 2 {
		return rankShare(p.Truth, 1, 0, difference(p.Scores, 1, 0))
	}
	sum, pairs := 0.0, 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			a := rankShare(p.Truth, i, j, difference(p.Scores, i, j))
			if c := p.Probabilities; c != nil {
				a = (rankShare(p.Truth, i, j, inColumn(c, i)) + rankShare(p.Truth, j, i, inColumn(c, j))) / 2
			}
			if !math.IsNaN(a) {
				sum += a
				pairs++
			}
		}
	}
	return sum / float64(pairs)
}

// averagePrecision is the sum over the values of a class's score, the largest first, of
// the precision among the rows down to it times the share of the class's rows that have
// it. NaN where the class has no row.
func averagePrecision(p *Predictions, class int) float64 {
	sum, hits := 0.0, 0
	for _, s := range stepsDown(p, class) {
		sum += float64(s.hits-hits) * float64(s.hits) / float64(s.rows)
		hits = s.hits
	}
	return sum / float64(hits)
}

// A rowScore returns the number that ranks a test row, and the size of the numbers that
// it was computed from.
type rowScore func(row int) (value, size float64)

// against returns the score that ranks rows by how much they look like those of a class: of
// more than two classes its probability, else the difference to the largest other score.
func against(p *Predictions, class int) rowScore {
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
		return lessScore(p.Scores.At(row, class), other)
	}
}

// difference returns the difference of two classes' scores.
func difference(scores *mat.Dense, i, j int) rowScore {
	return func(row int) (value, size float64) { return lessScore(scores.At(row, i), scores.At(row, j)) }
}

// lessScore returns a - b, and the size of the larger of both; 0 for equal scores, those of
// impossible classes, -Inf, among them.
func lessScore(a, b float64) (value, size float64) {
	if a == b {
		return 0, math.Abs(a)
	}
	return a - b, max(math.Abs(a), math.Abs(b))
}

func inColumn(m *mat.Dense, j int) rowScore {
	return func(i int) (value, size float64) { return m.At(i, j), math.Abs(m.At(i, j)) }
}

// sameScore is the difference, relative to the size of the numbers that scores are computed
// from, up to which scores of rows count as tied: rounding alone does not rank rows.
const sameScore = 1e-10

// scoresOf returns the scores of some rows. Scores within sameScore of the smallest one of
// their group are that one.
func scoresOf(rows []int, score rowScore) []float64 {
	values, sizes, order := make([]float64, len(rows)), make([]float64, len(rows)), make([]int, len(rows))
	for k, row := range rows {
		values[k], sizes[k] = score(row)
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	tied := make([]float64, len(rows))
	var first int // of the group
	for place, k := range order {
		apart := values[k] - values[first]
		if place == 0 || apart > sameScore*finite(max(sizes[k], sizes[first])) {
			first = k
		}
		tied[k] = values[first]
	}
	return tied
}

// finite returns 0 in place of an infinite size, whose score is apart from all others.
func finite(size float64) float64 {
	if math.IsInf(size, 1) {
		return 0
	}
	return size
}

// rankShare is the share of pairs of a row of class above and one of class below
// in which the former's score is larger, ties half: the Mann-Whitney statistic.
// NaN without a row of either.
func rankShare(truth []int, above, below int, score rowScore) float64 {
	var rows []int
	for i, t := range truth {
		if t == above || t == below {
			rows = append(rows, i)
		}
	}
	ranks, _ := stats.Midranks(scoresOf(rows, score))
	sum, m := 0.0, 0.0
	for k, row := range rows {
		if truth[row] == above {
			sum += ranks[k]
			m++
		}
	}
	n := float64(len(rows)) - m
	return (sum - m*(m+1)/2) / (m * n)
}
