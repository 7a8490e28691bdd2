package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

const leastProbability = 1e-15

func logLoss(p *Predictions, _ int) float64 {
	sum := 0.0
	for i, t := range p.Truth {
		sum -= math.Log(max(p.Probabilities.At(i, t), leastProbability))
	}
	return sum / float64(len(p.Truth))
}

// brier returns the mean over the rows of sum_k (p_k - y_k)^2, where y_k is 1 for the true class
// and otherwise 0.
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

const calibrationBins = 15

// calibrationError returns the expected calibration error. It groups the rows into bins by the
// probability of the predicted class, and sums over the bins
//
//	|sum of probabilities - number of correct predictions| / number of all rows.
func calibrationError(p *Predictions, _ int) float64 {
	var excess [calibrationBins]float64 // sum of probabilities minus correct predictions, by bin
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

// auc returns the area under the ROC curve. For two classes it is the rankShare of class 1 over class 0
// by the score difference. For more than two, it is the mean of (A(i|j) + A(j|i)) / 2 over all pairs of
// classes with test rows (Hand and Till 2001), where A(i|j) is the rankShare of class i over class j by
// the probability of class i. Without probabilities, rows are ranked by the score difference of the two
// classes, because scores are defined only up to a constant. auc is NaN if fewer than two classes have
// test rows.
func auc(p *Predictions, _ int) float64 {
	_, classes := p.Scores.Dims()
	byScore := func(i, j int) float64 { return rankShare(p.Truth, i, j, difference(p.Scores, i, j)) }
	byProbability := func(i, j int) float64 { return rankShare(p.Truth, i, j, inColumn(p.Probabilities, i)) }
	if classes == 2 {
		return byScore(1, 0)
	}
	sum, pairs := 0.0, 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			share := byScore(i, j)
			if p.Probabilities != nil {
				share = (byProbability(i, j) + byProbability(j, i)) / 2
			}
			if !math.IsNaN(share) {
				sum += share
				pairs++
			}
		}
	}
	return sum / float64(pairs)
}

// averagePrecision returns the area under the precision-recall curve of a class: the sum, over the
// distinct scores, of the precision times the increase in recall. It is NaN if the class has no rows.
func averagePrecision(p *Predictions, class int) float64 {
	sum, hits := 0.0, 0
	for _, s := range stepsDown(p, class) {
		sum += float64(s.hits-hits) * float64(s.hits) / float64(s.rows)
		hits = s.hits
	}
	return sum / float64(hits)
}

// A rowScore returns the score by which a test row is ranked. size is the largest magnitude among the numbers
// from which the score is computed; firstTie derives its tolerance from it.
type rowScore func(row int) (value, size float64)

// classScore returns the score that ranks rows for a class against all others. With more than two
// classes this is the probability of the class, if available. Otherwise it is the score of the class
// minus the largest other score. size is the magnitude of the operands, for the tolerance of ties.
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

// subtract returns a - b and the larger of |a| and |b|.
func subtract(a, b float64) (value, size float64) {
	if a == b { // a - b is NaN if both are -Inf, the score of an impossible class
		return 0, math.Abs(a)
	}
	return a - b, max(math.Abs(a), math.Abs(b))
}

// inColumn returns a rowScore that reads column j of m.
func inColumn(m *mat.Dense, j int) rowScore {
	return func(i int) (value, size float64) { return m.At(i, j), math.Abs(m.At(i, j)) }
}

// tieTolerance is the largest relative difference between tied scores. Rounding errors must not affect
// the ranking of rows.
const tieTolerance = 1e-10

type rankedRow struct {
	index       int
	score, size float64
}

func sortedRows(indices []int, score rowScore) []rankedRow {
	rows := make([]rankedRow, len(indices))
	for k, index := range indices {
		value, size := score(index)
		rows[k] = rankedRow{index: index, score: value, size: size}
	}
	slices.SortFunc(rows, func(a, b rankedRow) int { return cmp.Compare(a.score, b.score) })
	return rows
}

// lengthOfTie returns the number of rows whose scores tie with the first one, including the first. The rows
// must be in ascending order.
func lengthOfTie(rows []rankedRow) int {
	first := rows[0]
	beyond := func(row rankedRow) bool { // false for two equal infinities: their difference is NaN
		return row.score-first.score > tieTolerance*finite(max(row.size, first.size))
	}
	if end := slices.IndexFunc(rows, beyond); end > 0 {
		return end
	}
	return len(rows)
}

// tieScores returns the scores of all n rows, replacing tied scores with the smallest of them. Ties are
// formed from the smallest score upwards.
func tieScores(n int, score rowScore) []float64 {
	tied := make([]float64, n)
	for rows := sortedRows(stats.Indices(n), score); len(rows) > 0; {
		tie := rows[:lengthOfTie(rows)]
		for _, row := range tie {
			tied[row.index] = tie[0].score
		}
		rows = rows[len(tie):]
	}
	return tied
}

// finite returns 0 for an infinite size, so that an infinite score ties only with itself.
func finite(size float64) float64 {
	if math.IsInf(size, 1) {
		return 0
	}
	return size
}

// rankShare returns the share of pairs, each with one row of class above and one of class below, in
// which the first row has the larger score (Mann-Whitney). Ties count half. It is NaN if a class has no
// rows. If s is the sum of the midranks of the m rows of class above, and there are n rows of class
// below, the share is
//
//	(s - m(m+1)/2) / (m n).
func rankShare(truth []int, above, below int, score rowScore) float64 {
	var indices []int
	for i, t := range truth {
		if t == above || t == below {
			indices = append(indices, i)
		}
	}
	rows := sortedRows(indices, score) // ascending
	rankSum, m := 0.0, 0.0             // s, and the number of rows of class above
	for from := 0; from < len(rows); {
		to := from + lengthOfTie(rows[from:]) // rows[from:to] have equal scores
		meanRank := float64(from+1+to) / 2
		for _, row := range rows[from:to] {
			if truth[row.index] == above {
				rankSum += meanRank
				m++
			}
		}
		from = to
	}
	n := float64(len(rows)) - m
	return (rankSum - m*(m+1)/2) / (m * n)
}
