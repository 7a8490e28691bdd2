package metrics

import (
	"fmt"
	"math"
	"strings"
)

// A Confusion is a C x C confusion matrix in row-major order: entry t*C+p counts the
// test rows of class t that were predicted as class p.
type Confusion []int

// NewConfusion counts test rows by true class and predicted label; both are codes below classes.
func NewConfusion(classes int, truth, labels []int) Confusion {
	c := make(Confusion, classes*classes)
	for i, t := range truth {
		c[t*classes+labels[i]]++
	}
	return c
}

// Classes returns C.
func (c Confusion) Classes() int { return int(math.Round(math.Sqrt(float64(len(c))))) }

// String writes the counts row by row with spaces between them.
func (c Confusion) String() string { return strings.Trim(fmt.Sprint([]int(c)), "[]") }

// class returns the number of true positives of class k, of its test rows, and of the rows
// predicted as k. All are 0 if the matrix has no class k.
func (c Confusion) class(k int) (hits, rows, predicted int) {
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

// LacksClass reports whether some class has no test rows.
func (c Confusion) LacksClass() bool {
	for k := range c.Classes() {
		if _, rows, _ := c.class(k); rows == 0 {
			return true
		}
	}
	return false
}

// Rows returns the number of test rows.
func (c Confusion) Rows() int {
	sum := 0
	for _, v := range c {
		sum += v
	}
	return sum
}

// ClassRows returns the number of test rows of each class.
func (c Confusion) ClassRows() []int {
	counts := make([]int, c.Classes())
	for k := range counts {
		_, counts[k], _ = c.class(k)
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

// Add adds the counts of other, a matrix with the same classes, to c.
func (c Confusion) Add(other Confusion) {
	for i, v := range other {
		c[i] += v
	}
}

// errorRate returns the misclassified share of the test rows.
func errorRate(c Confusion, _ int) float64 { return float64(c.Errors()) / float64(c.Rows()) }

// balancedError returns the mean error rate of the classes that have test rows.
func balancedError(c Confusion, _ int) float64 {
	sum, present := 0.0, 0
	for k := range c.Classes() {
		if hits, rows, _ := c.class(k); rows > 0 {
			sum += float64(rows-hits) / float64(rows)
			present++
		}
	}
	return sum / float64(present)
}

// sensitivity returns the share of class k that is predicted as k; NaN if k has no rows.
func sensitivity(c Confusion, k int) float64 {
	hits, rows, _ := c.class(k)
	return float64(hits) / float64(rows)
}

// precision returns the share of class k in the rows predicted as k; 0 without such rows.
func precision(c Confusion, k int) float64 {
	hits, _, predicted := c.class(k)
	if predicted == 0 {
		return 0
	}
	return float64(hits) / float64(predicted)
}

// macroF1 returns the mean F1 score of the classes that occur as a true or predicted class.
func macroF1(c Confusion, _ int) float64 {
	sum, present := 0.0, 0
	for k := range c.Classes() {
		if hits, rows, predicted := c.class(k); rows+predicted > 0 {
			sum += 2 * float64(hits) / float64(rows+predicted)
			present++
		}
	}
	return sum / float64(present)
}

// margins are the sums behind matthews and kappa. A class has rows with this true class and rows
// with this prediction.
type margins struct {
	n, correct        float64 // test rows, and correctly predicted ones
	products          float64 // sum over the classes of true rows times predicted rows
	squares           float64 // of true rows squared
	predictionSquares float64 // of predicted rows squared
}

// margins returns the sums over the classes.
func (c Confusion) margins() (m margins) {
	for k := range c.Classes() {
		hits, rows, predicted := c.class(k)
		m.n += float64(rows)
		m.correct += float64(hits)
		m.products += float64(rows) * float64(predicted)
		m.squares += float64(rows) * float64(rows)
		m.predictionSquares += float64(predicted) * float64(predicted)
	}
	return m
}

// matthews returns Gorodkin's correlation (2004, Eq. 8) of truth and prediction; 0 if
// either is constant.
func matthews(c Confusion, _ int) float64 {
	m := c.margins()
	spread := (m.n*m.n - m.squares) * (m.n*m.n - m.predictionSquares)
	if spread == 0 {
		return 0
	}
	return (m.n*m.correct - m.products) / math.Sqrt(spread)
}

// kappa returns Cohen's kappa. It is NaN if all true and predicted classes are the same:
// chance agreement is then certain.
func kappa(c Confusion, _ int) float64 {
	m := c.margins()
	return (m.n*m.correct - m.products) / (m.n*m.n - m.products)
}
