package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A rowMetric returns the value of a metric for a sample, such as a bootstrap resample, in which
// row i occurs times[i] times.
type rowMetric func(times []int) float64

// eachOnce returns a slice of n ones. As an argument of a rowMetric, it counts each of n rows once.
func eachOnce(n int) []int { return slices.Repeat([]int{1}, n) }

const leastProbability = 1e-15

func logLoss(p *Predictions, _ int) rowMetric {
	return func(times []int) float64 {
		loss := 0.0
		for i, t := range p.Truth {
			loss -= float64(times[i]) * math.Log(max(p.Probabilities.At(i, t), leastProbability))
		}
		return loss / float64(stats.Sum(times))
	}
}

// brier returns a function that computes the mean over the rows of
//
//	sum_k (p_k - y_k)^2.
//
// y_k is 1 for the true class and otherwise 0. Row i occurs times[i] times.
func brier(p *Predictions, _ int) rowMetric {
	return func(times []int) float64 {
		loss := 0.0
		for i, t := range p.Truth {
			for k, v := range p.Probabilities.RawRowView(i) {
				if k == t {
					v-- // y_k is 1
				}
				loss += float64(times[i]) * (v * v)
			}
		}
		return loss / float64(stats.Sum(times))
	}
}

const calibrationBins = 15

// calibrationError returns a function that computes the expected calibration error. Row i occurs times[i]
// times.
func calibrationError(p *Predictions, _ int) rowMetric {
	return func(times []int) float64 {
		// The probability of its predicted class decides to which bin a row belongs.
		var excess [calibrationBins]float64 // sum of probabilities minus correct predictions, by bin
		for i, label := range p.Labels {
			v := p.Probabilities.At(i, label)
			b := binOf(v, calibrationBins)
			excess[b] += float64(times[i]) * v
			if label == p.Truth[i] {
				excess[b] -= float64(times[i])
			}
		}
		return floats.Norm(excess[:], 1) / float64(stats.Sum(times))
	}
}

// auc returns a function that computes the area under the ROC curve. For more than two classes, it
// is the mean over all pairs of classes (Hand and Till 2001). It is NaN if fewer than two classes
// have test rows.
func auc(p *Predictions, _ int) rowMetric {
	_, classes := p.Scores.Dims()
	if classes == 2 {
		return rankShare(p.Truth, 1, 0, difference(p.Scores, 1, 0))
	}
	var ofPair []rowMetric
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			ofPair = append(ofPair, aucOfPair(p, i, j))
		}
	}
	return meanDefined(ofPair)
}

// aucOfPair returns a function that computes the area under the ROC curve (AUC) for the classes i
// and j. The area is NaN if one of the two classes has no rows.
//
// With probabilities, the result is the mean of two areas. The first ranks the rows by the
// probability of class i. The second ranks them by the probability of class j.
func aucOfPair(p *Predictions, i, j int) rowMetric {
	if p.Probabilities == nil {
		// Scores are defined only up to a constant, so only differences are comparable.
		return rankShare(p.Truth, i, j, difference(p.Scores, i, j))
	}
	first := rankShare(p.Truth, i, j, inColumn(p.Probabilities, i))
	second := rankShare(p.Truth, j, i, inColumn(p.Probabilities, j))
	return func(times []int) float64 { return (first(times) + second(times)) / 2 }
}

// meanDefined returns a function that computes the mean of those metrics that are not NaN.
func meanDefined(metrics []rowMetric) rowMetric {
	return func(times []int) float64 {
		total, defined := 0.0, 0
		for _, metric := range metrics {
			if v := metric(times); !math.IsNaN(v) {
				total += v
				defined++
			}
		}
		return total / float64(defined)
	}
}

// averagePrecision returns a function that computes the area under the precision-recall curve of a
// class. This is the sum, over the distinct scores, of the precision times the increase in recall.
// It is NaN if the class has no rows.
func averagePrecision(p *Predictions, class int) rowMetric {
	steps := stepsDown(p, class)
	return func(times []int) float64 {
		area, hits := 0.0, 0
		for _, s := range steps(times) {
			area += float64(s.hits-hits) * float64(s.hits) / float64(s.rows)
			hits = s.hits
		}
		return area / float64(hits)
	}
}

// A rowScore returns the score by which a test row is ranked, and the size of this score. The size
// is the largest magnitude among the numbers from which the score is computed. The rounding error
// of the score is proportional to its size.
type rowScore func(row int) (value, size float64)

// classScore returns the score that ranks rows for a class against all others. With more than two
// classes, this is the probability of the class, if available. Otherwise, it is the score of the
// class minus the largest other score.
func classScore(p *Predictions, class int) rowScore {
	_, classes := p.Scores.Dims()
	if classes > 2 && p.Probabilities != nil {
		return inColumn(p.Probabilities, class)
	}
	if classes == 2 {
		return difference(p.Scores, class, 1-class)
	}
	return func(row int) (value, size float64) {
		scores := p.Scores.RawRowView(row)
		return subtract(scores[class], largestOther(scores, class))
	}
}

func largestOther(scores []float64, class int) float64 {
	other := math.Inf(-1)
	for c, v := range scores {
		if c != class {
			other = max(other, v)
		}
	}
	return other
}

// difference returns the rowScore of class i against class j: the score of class i minus the score
// of class j. For probabilities of two classes, it returns the log odds instead, because they
// distinguish probabilities near 0 and near 1.
func difference(scores *mat.Dense, i, j int) rowScore {
	if areProbabilities(scores) {
		return logOdds(scores, i, j)
	}
	return func(row int) (value, size float64) {
		return subtract(scores.At(row, i), scores.At(row, j))
	}
}

// areProbabilities reports whether the scores are probabilities of two classes.
func areProbabilities(scores *mat.Dense) bool {
	rows, classes := scores.Dims()
	for row := range rows {
		p := scores.RawRowView(row)
		if classes != 2 || min(p[0], p[1]) < 0 || !(math.Abs(p[0]+p[1]-1) <= sumTolerance) {
			return false
		}
	}
	return true
}

// logOdds returns the scores log(p_i / p_j) for the probabilities p of two classes. Scores that
// differ only by rounding errors become equal.
func logOdds(p *mat.Dense, i, j int) rowScore {
	n, _ := p.Dims()
	odds := make([]float64, n)
	for row := range odds {
		odds[row] = math.Log(p.At(row, i)) - math.Log(p.At(row, j))
	}
	// If a score exceeds the next smaller one by at most tieTolerance, both get the same value. A chain
	// of such scores gets the value of the smallest.
	rows, tied := stats.Ascending(odds), slices.Clone(odds)
	for k := 1; k < n; k++ {
		row, previous := rows[k], rows[k-1]
		if odds[row]-odds[previous] <= tieTolerance {
			tied[row] = tied[previous]
		}
	}
	// The function ranked treats scores as ties if they differ by at most tieTolerance times their size.
	// All ties are already equal here, so the size 0 prevents further ties.
	const size = 0
	return func(row int) (float64, float64) { return tied[row], size }
}

// subtract returns the score a - b and the size of this score (see rowScore), the larger of |a| and |b|.
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

// tieTolerance is the largest relative difference between tied scores, or between the odds of tied probabilities.
// Rounding errors must not affect the ranking of rows.
const tieTolerance = 1e-10

const sumTolerance = 1e-6 // the largest difference between 1 and the sum of the probabilities of a row

type rankedRow struct {
	index       int
	score, size float64
}

// ranked returns the rows with the given indices in ascending order of their scores. Tied rows form
// one group. Scores in a group differ from the smallest one only by rounding errors.
func ranked(indices []int, score rowScore) (ties [][]int) {
	rows := make([]rankedRow, len(indices))
	for k, index := range indices {
		value, size := score(index) // the rounding error of value is proportional to size
		rows[k] = rankedRow{index: index, score: value, size: size}
	}
	slices.SortFunc(rows, func(a, b rankedRow) int { return cmp.Compare(a.score, b.score) })
	inOrder := make([]int, len(rows))
	for k, row := range rows {
		inOrder[k] = row.index
	}
	for len(rows) > 0 {
		n := lengthOfTie(rows) // the next n rows are tied
		ties = append(ties, inOrder[:n])
		rows, inOrder = rows[n:], inOrder[n:]
	}
	return ties
}

// lengthOfTie returns the number of rows whose scores tie with the first one, including the first. The rows
// must be in ascending order.
func lengthOfTie(rows []rankedRow) int {
	first := rows[0]
	beyond := func(row rankedRow) bool { // false for two equal infinities: their difference is NaN
		size := max(row.size, first.size)
		if math.IsInf(size, 1) {
			size = 0 // otherwise an infinite score would tie with every score
		}
		return row.score-first.score > tieTolerance*size
	}
	if end := slices.IndexFunc(rows, beyond); end > 0 {
		return end
	}
	return len(rows)
}

// tieScores returns the scores of all n rows. Scores that differ only by rounding errors are replaced with the
// smallest of them.
func tieScores(n int, score rowScore) []float64 {
	tied := make([]float64, n)
	for _, tie := range ranked(stats.Indices(n), score) {
		smallest, _ := score(tie[0])
		for _, row := range tie {
			tied[row] = smallest
		}
	}
	return tied
}

// rankShare returns a function that computes the Mann-Whitney statistic of two classes as a share.
// The arguments first and second are the codes of the two classes.
//
// A pair consists of one row of each class. The share is the proportion of pairs in which the row
// of the first class has the larger score. Ties count half. The share is NaN if a class has no
// rows. The returned function counts row r times[r] times.
func rankShare(truth []int, first, second int, score rowScore) rowMetric {
	ranking := rankingOf(truth, first, second, score) // sorted only once: times does not affect the order
	return func(times []int) float64 {
		twiceWon := 0            // pairs in which the first class has the larger score count 2, and ties 1
		hits, others := 0, 0     // rows of the first and of the second class in earlier ties, with smaller scores
		tieRows, tieHits := 0, 0 // rows in the current tie: of both classes, and of the first class
		for _, p := range ranking {
			tieRows += times[p.row]
			tieHits += times[p.row] * int(p.hit) // hit is 1 for the first class, otherwise 0
			if p.last {                          // the tie ends here
				tieOthers := tieRows - tieHits
				twiceWon += tieHits * (2*others + tieOthers)
				hits += tieHits
				others += tieOthers
				tieRows, tieHits = 0, 0
			}
		}
		return float64(twiceWon) / 2 / (float64(hits) * float64(others))
	}
}

// A place is one test row in the ranking of the rows of two classes.
type place struct {
	row  int32
	hit  int8 // 1 if the row belongs to the first class, otherwise 0
	last bool // last row with this score
}

// rankingOf returns the rows of two classes in ascending order of their scores. truth[i] is the class
// of row i. The arguments first and second are the codes of the two classes.
func rankingOf(truth []int, first, second int, score rowScore) (ranking []place) {
	var rows []int // of the two classes
	for i, class := range truth {
		if class == first || class == second {
			rows = append(rows, i)
		}
	}
	for _, tie := range ranked(rows, score) {
		for _, row := range tie {
			p := place{row: int32(row)}
			if truth[row] == first {
				p.hit = 1
			}
			ranking = append(ranking, p)
		}
		ranking[len(ranking)-1].last = true
	}
	return ranking
}
