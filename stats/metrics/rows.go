package metrics

import (
	"math"

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

// against is what ranks rows by how much they look like those of a class: of more than
// two classes its probability, else the difference to the largest other score.
func against(p *Predictions, class int) func(row int) float64 {
	_, classes := p.Scores.Dims()
	if classes > 2 && p.Probabilities != nil {
		return inColumn(p.Probabilities, class)
	}
	return func(row int) float64 {
		other := math.Inf(-1)
		for c, v := range p.Scores.RawRowView(row) {
			if c != class {
				other = max(other, v)
			}
		}
		own := p.Scores.At(row, class)
		if own == other {
			return 0 // -Inf - -Inf, too
		}
		return own - other
	}
}

// difference of two classes' scores, 0 where neither class is possible.
func difference(scores *mat.Dense, i, j int) func(row int) float64 {
	return func(row int) float64 {
		if scores.At(row, i) == scores.At(row, j) {
			return 0 // -Inf - -Inf, too
		}
		return scores.At(row, i) - scores.At(row, j)
	}
}

func inColumn(m *mat.Dense, j int) func(i int) float64 {
	return func(i int) float64 { return m.At(i, j) }
}

// rankShare is the share of pairs of a row of class above and one of class below
// in which the former's value is larger, ties half: the Mann-Whitney statistic.
// NaN without a row of either.
func rankShare(truth []int, above, below int, value func(row int) float64) float64 {
	var values []float64
	var up []bool
	for i, t := range truth {
		if t == above || t == below {
			values, up = append(values, value(i)), append(up, t == above)
		}
	}
	ranks, _ := stats.Midranks(values)
	sum, m := 0.0, 0.0
	for i, r := range ranks {
		if up[i] {
			sum += r
			m++
		}
	}
	n := float64(len(values)) - m
	return (sum - m*(m+1)/2) / (m * n)
}
