package metrics

import (
	"math"
	"slices"
	"strconv"

	"copse/stats"
)

// A Confusion is a confusion matrix of C classes. Entry t*C+p is the number of test rows of class t
// that were predicted as class p.
type Confusion []int

// NewConfusion counts test rows by true and predicted class, given as codes 0..classes-1.
func NewConfusion(classes int, truth, labels []int) Confusion {
	c := make(Confusion, classes*classes)
	for i, t := range truth {
		c[t*classes+labels[i]]++
	}
	return c
}

// Classes returns the number of classes.
func (c Confusion) Classes() int { return int(math.Round(math.Sqrt(float64(len(c))))) }

// String writes the counts row by row with spaces between them.
func (c Confusion) String() string {
	var text []byte
	for i, v := range c {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(v), 10)
	}
	return string(text)
}

// countsOf returns three counts for class k: its correctly predicted rows, all its rows, and all
// rows predicted as k. The counts are 0 if there is no class k.
func (c Confusion) countsOf(k int) (hits, rows, predicted int) {
	n := c.Classes()
	if k < 0 || k >= n {
		return 0, 0, 0
	}
	for j := range n {
		rows += c[k*n+j]
		predicted += c[j*n+k]
	}
	return c[k*n+k], rows, predicted
}

// LacksClass reports whether a class has no test rows.
func (c Confusion) LacksClass() bool { return slices.Contains(c.ClassRows(), 0) }

// Rows returns the number of test rows.
func (c Confusion) Rows() int {
	return stats.Sum(c)
}

// ClassRows returns the number of test rows of each class.
func (c Confusion) ClassRows() []int {
	counts := make([]int, c.Classes())
	for k := range counts {
		_, counts[k], _ = c.countsOf(k)
	}
	return counts
}

// Errors returns the number of misclassified test rows.
func (c Confusion) Errors() int {
	wrong, n := c.Rows(), c.Classes()
	for k := range n {
		wrong -= c[k*n+k]
	}
	return wrong
}

// Add adds the counts of a matrix with the same classes.
func (c Confusion) Add(other Confusion) {
	for i, v := range other {
		c[i] += v
	}
}

func errorRate(c Confusion, _ int) float64 { return float64(c.Errors()) / float64(c.Rows()) }

// balancedError returns the mean error rate of the classes that have test rows.
func balancedError(c Confusion, _ int) float64 {
	sum, present := 0.0, 0
	for k := range c.Classes() {
		if hits, rows, _ := c.countsOf(k); rows > 0 {
			sum += float64(rows-hits) / float64(rows)
			present++
		}
	}
	return sum / float64(present)
}

// sensitivity returns the share of the rows of class k that are predicted as k, or NaN if there are
// none.
func sensitivity(c Confusion, k int) float64 {
	hits, rows, _ := c.countsOf(k)
	return float64(hits) / float64(rows)
}

// precision returns the share of rows of class k among the rows predicted as class k. It returns 0
// if no row is predicted as class k.
func precision(c Confusion, k int) float64 {
	hits, _, predicted := c.countsOf(k)
	return float64(hits) / float64(max(predicted, 1))
}

// macroF1 returns the mean F1 score of the classes that occur as a true or predicted class.
func macroF1(c Confusion, _ int) float64 {
	sum, present := 0.0, 0
	for k := range c.Classes() {
		if hits, rows, predicted := c.countsOf(k); rows+predicted > 0 {
			sum += 2 * float64(hits) / float64(rows+predicted)
			present++
		}
	}
	return sum / float64(present)
}

// margins contains the sums from which matthews and kappa are computed. r_k is the number of test
// rows of class k. p_k is the number of rows predicted as class k.
type margins struct {
	n, correct        float64 // number of test rows, and number of correctly predicted ones
	products          float64 // sum over k of r_k p_k
	squares           float64 // sum over k of r_k^2
	predictionSquares float64 // sum over k of p_k^2
}

func (c Confusion) margins() (m margins) {
	for k := range c.Classes() {
		hits, rows, predicted := c.countsOf(k)
		m.n += float64(rows)
		m.correct += float64(hits)
		m.products += float64(rows) * float64(predicted)
		m.squares += float64(rows) * float64(rows)
		m.predictionSquares += float64(predicted) * float64(predicted)
	}
	return m
}

// matthews returns the correlation between true and predicted classes (Gorodkin 2004, Eq. 8). It is 0 if all
// rows have the same true class or the same predicted class.
func matthews(c Confusion, _ int) float64 {
	m := c.margins()
	spread := (m.n*m.n - m.squares) * (m.n*m.n - m.predictionSquares)
	if spread == 0 {
		return 0
	}
	return (m.n*m.correct - m.products) / math.Sqrt(spread)
}

// kappa returns Cohen's kappa. It is NaN if all true and predicted classes are the same, because chance
// agreement is then certain.
func kappa(c Confusion, _ int) float64 {
	m := c.margins()
	return (m.n*m.correct - m.products) / (m.n*m.n - m.products)
}
