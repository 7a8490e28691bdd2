package metrics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate"

	"copse/stats"
)

// A ROC is the receiver operating characteristic curve of one class against all others. Point i has
// the false positive rate False[i] and the true positive rate True[i]. Both ascend from 0 to 1.
// Tied rows form a single straight segment, so the area under the curve is the AUC.
type ROC struct{ False, True []float64 }

// NewROC returns the receiver operating characteristic curve of a class against all others. It
// returns nil if there are no scores, or if all or none of the rows belong to the class.
func NewROC(p *Predictions, class int) *ROC {
	n := len(p.Truth)
	positives := float64(rowsOfClass(p, class))
	negatives := float64(n) - positives
	if p.Scores == nil || positives == 0 || negatives == 0 {
		return nil
	}
	c := &ROC{False: []float64{0}, True: []float64{0}}
	// A step counts the rows whose score is at least a threshold. The thresholds are the distinct
	// scores, in descending order.
	stepsOf := stepsDown(p, class)
	for _, s := range stepsOf(eachOnce(n)) { // each row counts once, as there is no resampling
		c.False = append(c.False, float64(s.rows-s.hits)/negatives)
		c.True = append(c.True, float64(s.hits)/positives)
	}
	return c
}

// Over returns the true positive rate at each of the given false positive rates. These rates must
// be ascending.
//
// It interpolates linearly, as in vertical averaging (Fawcett 2006, algorithm 3). At a vertical
// segment of the curve, it returns the upper end.
func (c *ROC) Over(rates []float64) []float64 {
	heights := make([]float64, len(rates))
	i := 0 // index of the last point (c.False[i], c.True[i]) whose false positive rate is at most rate
	for k, rate := range rates {
		for i+1 < len(c.False) && c.False[i+1] <= rate {
			i++
		}
		heights[k] = c.True[i]
		if i+1 < len(c.False) {
			heights[k] += (rate - c.False[i]) / (c.False[i+1] - c.False[i]) * (c.True[i+1] - c.True[i])
		}
	}
	return heights
}

// Area returns the area under the curve, by the trapezoidal rule.
func (c *ROC) Area() float64 { return integrate.Trapezoidal(c.False, c.True) }

// A Bin of a reliability diagram represents the rows with probabilities in an interval.
type Bin struct {
	Rows, Hits int     // all, and of the class
	Predicted  float64 // sum of the predicted probabilities
}

// Reliability groups the rows into n bins of equal width by the probability of a class. If class is
// negative, it uses the probability of the predicted class. It returns nil without probabilities.
func Reliability(p *Predictions, class, n int) []Bin {
	if p.Probabilities == nil {
		return nil
	}
	bins := make([]Bin, n)
	for i, truth := range p.Truth {
		rated := class // the class whose probability determines the bin
		if class < 0 {
			rated = p.Labels[i]
		}
		v := p.Probabilities.At(i, rated)
		b := &bins[binOf(v, n)]
		b.Rows++
		b.Predicted += v
		if truth == rated {
			b.Hits++
		}
	}
	return bins
}

// binOf returns the bin of probability v. Bin b of n covers (b/n, (b+1)/n]; bin 0 also covers 0.
func binOf(v float64, n int) int {
	const rounding = 1e-9 // a share of votes on an edge stays in the lower bin
	return min(max(int(math.Ceil(v*float64(n)-rounding))-1, 0), n-1)
}

// A step describes a curve at one threshold. rows is the number of rows whose score reaches the
// threshold. hits is the number of these rows that belong to the class.
type step struct{ rows, hits int }

// stepsDown returns a function that computes the steps of the ROC and precision-recall curves.
// There is one step for each distinct score, in descending order. Row i occurs times[i] times. If
// no row belongs to the class, there are no steps.
func stepsDown(p *Predictions, class int) func(times []int) []step {
	if !slices.Contains(p.Truth, class) { // the scores may also lack the class
		return func([]int) []step { return nil }
	}
	// ranked only once, so that bootstrap resamples need no new ranking
	ties := ranked(stats.Indices(len(p.Truth)), classScore(p, class)) // ascending
	return func(times []int) (steps []step) {
		var reached step // rows of this tie and of larger scores
		for _, tie := range slices.Backward(ties) {
			before := reached.rows
			for _, row := range tie {
				reached.rows += times[row]
				if p.Truth[row] == class {
					reached.hits += times[row]
				}
			}
			if reached.rows > before { // the resample contains rows of the tie
				steps = append(steps, reached)
			}
		}
		return steps
	}
}
