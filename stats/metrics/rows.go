package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
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
// classes it is the mean of (A(i|j) + A(j|i)) / 2 over the pairs of classes with test rows
// (Hand and Till 2001); A(i|j) is the share of pairs of rows of both classes that the
// probabilities of i order correctly. Without probabilities the difference of the two scores
// ranks the rows, since a row's scores are determined only up to a constant. auc returns NaN
// if fewer than two classes have test rows.
func auc(p *Predictions, _ int) float64 {
	_, classes := p.Scores.Dims()
	if classes == 2 {
		return rankShare(p.Truth, 1, 0, difference(p.Scores, 1, 0))
	}
	pair := func(i, j int) float64 { return rankShare(p.Truth, i, j, difference(p.Scores, i, j)) }
	if p.Probabilities != nil {
		shares := sharesByProbability(p, classes)
		pair = func(i, j int) float64 { return (shares.At(i, j) + shares.At(j, i)) / 2 }
	}
	sum, pairs := 0.0, 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			if a := pair(i, j); !math.IsNaN(a) {
				sum += a
				pairs++
			}
		}
	}
	return sum / float64(pairs)
}

// sharesByProbability returns A(i|j) of auc for all classes i and j; NaN where a class has no
// rows. It sorts the rows once by each class's probability.
func sharesByProbability(p *Predictions, classes int) *mat.Dense {
	shares := mat.NewDense(classes, classes, nil)
	for i := range classes {
		ofClass := make([][]rankedRow, classes) // each ascending
		for _, row := range sortedRows(allRows(len(p.Truth)), inColumn(p.Probabilities, i)) {
			truth := p.Truth[row.index]
			ofClass[truth] = append(ofClass[truth], row)
		}
		for j := range classes {
			if j != i {
				shares.Set(i, j, shareAbove(merged(ofClass[i], ofClass[j]), p.Truth, i))
			}
		}
	}
	return shares
}

// merged returns the rows of two ascending lists in ascending order.
func merged(a, b []rankedRow) []rankedRow {
	all := make([]rankedRow, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].score <= b[0].score {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
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

// A rankedRow is a test row with the values of its rowScore.
type rankedRow struct {
	index       int
	score, size float64
}

// sortedRows returns the rows of some indices with their scores, ascending.
func sortedRows(indices []int, score rowScore) []rankedRow {
	rows := make([]rankedRow, len(indices))
	for k, index := range indices {
		value, size := score(index)
		rows[k] = rankedRow{index, value, size}
	}
	slices.SortFunc(rows, func(a, b rankedRow) int { return cmp.Compare(a.score, b.score) })
	return rows
}

// firstTie returns the number of ascending rows whose scores lie within the tie tolerance of
// the smallest; at least 1.
func firstTie(rows []rankedRow) int {
	first := rows[0]
	beyond := func(row rankedRow) bool { // false for two equal infinities, whose difference is NaN
		return row.score-first.score > tieTolerance*finite(max(row.size, first.size))
	}
	if end := slices.IndexFunc(rows, beyond); end > 0 {
		return end
	}
	return len(rows)
}

// tieScores returns the scores of all n rows. It replaces the scores of each tie, from the
// smallest score up, by the smallest one of the tie.
func tieScores(n int, score rowScore) []float64 {
	tied := make([]float64, n)
	for rows := sortedRows(allRows(n), score); len(rows) > 0; {
		tie := rows[:firstTie(rows)]
		for _, row := range tie {
			tied[row.index] = tie[0].score
		}
		rows = rows[len(tie):]
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
	var indices []int
	for i, t := range truth {
		if t == above || t == below {
			indices = append(indices, i)
		}
	}
	return shareAbove(sortedRows(indices, score), truth, above)
}

// shareAbove returns the rankShare of the ascending rows of two classes, one of them above. The
// rows of a tie share its mean rank. With rank sum s of the m rows of class above and n rows of
// the other class the share is (s - m(m+1)/2) / (m n).
func shareAbove(rows []rankedRow, truth []int, above int) float64 {
	rankSum, m := 0.0, 0.0
	for from := 0; from < len(rows); {
		to := from + firstTie(rows[from:])
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
