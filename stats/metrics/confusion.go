package metrics

import (
	"fmt"
	"math"
	"strings"
)

// A Confusion is a C x C confusion matrix, row by row: entry t*C+p counts the
// test rows of class t that were given to class p.
type Confusion []int

// NewConfusion counts the labels given to rows of known classes.
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

// class returns the true positives of a class, its rows and those given to it; none of
// one that is not there.
func (c Confusion) class(k int) (hits, rows, given int) {
	n := c.Classes()
	if k < 0 || k >= n {
		return 0, 0, 0
	}
	for j := range n {
		rows += c[k*n+j]
		given += c[j*n+k]
	}
	return c[k*n+k], rows, given
}

// LacksClass says whether some class has no test rows.
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

// Add adds the counts of another matrix of as many classes.
func (c Confusion) Add(other Confusion) {
	for i, v := range other {
		c[i] += v
	}
}

func errorRate(c Confusion, _ int) float64 { return float64(c.Errors()) / float64(c.Rows()) }

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

func sensitivity(c Confusion, k int) float64 {
	hits, rows, _ := c.class(k)
	return float64(hits) / float64(rows)
}

func precision(c Confusion, k int) float64 {
	hits, _, given := c.class(k)
	if given == 0 {
		return 0
	}
	return float64(hits) / float64(given)
}

// macroF1 leaves out classes that have no row and are given to none.
func macroF1(c Confusion, _ int) float64 {
	sum, present := 0.0, 0
	for k := range c.Classes() {
		if hits, rows, given := c.class(k); rows+given > 0 {
			sum += 2 * float64(hits) / float64(rows+given)
			present++
		}
	}
	return sum / float64(present)
}

// margins returns the number of rows n, that of right ones s, and the sums over
// classes of rows times given, rows squared and given squared.
func (c Confusion) margins() (n, s, both, rows2, given2 float64) {
	for k := range c.Classes() {
		hits, rows, given := c.class(k)
		n += float64(rows)
		s += float64(hits)
		both += float64(rows) * float64(given)
		rows2 += float64(rows) * float64(rows)
		given2 += float64(given) * float64(given)
	}
	return n, s, both, rows2, given2
}

// matthews is Gorodkin's correlation (2004, Eq. 8) of truth and prediction.
func matthews(c Confusion, _ int) float64 {
	n, s, both, rows2, given2 := c.margins()
	spread := (n*n - rows2) * (n*n - given2)
	if spread == 0 {
		return 0
	}
	return (n*s - both) / math.Sqrt(spread)
}

// kappa is NaN when truth and prediction are the same one class: agreement by
// chance is then certain.
func kappa(c Confusion, _ int) float64 {
	n, s, both, _, _ := c.margins()
	return (n*s - both) / (n*n - both)
}
