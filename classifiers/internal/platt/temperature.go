package platt

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// InverseTemperature returns the b >= 0 for which the probabilities
//
//	P(c | row) = exp(b s_c) / sum_a exp(b s_a)
//
// have the smallest cross-entropy (temperature scaling, Guo et al. 2017). The scores s are n x C
// and finite, and y contains the classes of the rows.
//
// If the class of a row has N rows, its target probability is (N + 1)/(N + 2), as in Platt (1999),
// so that b is finite. The other classes share the rest equally. If wrong classes have larger
// scores on average, the result is 0.
func InverseTemperature(scores *mat.Dense, y []int) float64 {
	n, classes := scores.Dims()
	// Dividing the scores by half their range makes the search independent of their scale.
	halfRange := (mat.Max(scores) - mat.Min(scores)) / 2
	if halfRange == 0 {
		return 0
	}
	scaled := mat.NewDense(n, classes, nil)
	scaled.Apply(func(_, _ int, s float64) float64 { return s / halfRange }, scores)
	// The derivative of the cross-entropy with respect to b is the mean expected score minus the
	// mean target score. It increases with b.
	target := meanTargetScore(scaled, y)
	isPastMinimum := func(b float64) bool { return meanExpectedScore(scaled, b) >= target }
	if isPastMinimum(0) {
		return 0
	}
	return bisect(isPastMinimum) / halfRange
}

// bisect returns the smallest b > 0 for which isPastMinimum is true, or about largestInverse if that
// is smaller. isPastMinimum must stay true for all larger b.
func bisect(isPastMinimum func(b float64) bool) float64 {
	low, high := 0.0, 1.0
	for !isPastMinimum(high) && high < largestInverse {
		low, high = high, 2*high
	}
	for high-low > bisectionTolerance*high {
		middle := low + (high-low)/2
		if isPastMinimum(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

const (
	largestInverse     = 1e12  // largest b for scores with a range of 2
	bisectionTolerance = 1e-12 // relative error of b
)

// meanTargetScore returns the mean over the rows of sum_c t_c s_c, where t_c is the target
// probability of class c.
func meanTargetScore(scores *mat.Dense, y []int) float64 {
	n, classes := scores.Dims()
	counts := make([]float64, classes)
	for _, class := range y {
		counts[class]++
	}
	sum := 0.0
	for i, class := range y {
		row := scores.RawRowView(i)
		other := 1 / (counts[class] + 2) / float64(classes-1)
		sum += other*(floats.Sum(row)-row[class]) + (counts[class]+1)/(counts[class]+2)*row[class]
	}
	return sum / float64(n)
}

// meanExpectedScore returns the mean over the rows of sum_c P(c | row) s_c.
func meanExpectedScore(scores *mat.Dense, b float64) float64 {
	n, _ := scores.Dims()
	sum := 0.0
	for i := range n {
		row := scores.RawRowView(i)
		largest := floats.Max(row)
		weights, weighted := 0.0, 0.0
		for _, s := range row {
			w := math.Exp(b * (s - largest))
			weights += w
			weighted += w * s
		}
		sum += weighted / weights
	}
	return sum / float64(n)
}
