package verdicts

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
)

// A Likeness pairs a published number with our losses for the same quantity.
type Likeness struct {
	Published Reported  // must have a standard deviation and a number of replicates
	Ours      []float64 // one per replicate
}

// A Distance measures how far several of our results are from the published numbers.
type Distance struct {
	// Squared estimates the squared Wasserstein distance of two normal distributions, in units of
	// the published standard deviation. It is the mean of one term per published number:
	//
	//	((m - M)^2 + (s/c(R) - S/c(N))^2 - b) / S^2,
	//	b = (1/R + 1/c(R)^2 - 1) s^2 + (1/N + 1/c(N)^2 - 1) S^2.
	//
	// m and s are our mean and standard deviation over R replicates. M and S are the published ones
	// over N replicates. Division by c(n), which is shrinkage(n), removes the bias of the standard
	// deviation of n normal losses. The term b corrects for chance, so Squared can be negative.
	Squared float64
	// SE is the jackknife standard error of Squared. The jackknife leaves out each replicate of our study in turn.
	SE     float64
	pseudo []float64 // jackknife pseudo-values of Squared, one per replicate
}

// RMS returns the square root of Squared, or 0 if Squared is negative.
func (d *Distance) RMS() float64 { return math.Sqrt(max(0, d.Squared)) }

// leastReplicates is the smallest number of our replicates for the jackknife: after one replicate is left out,
// a standard deviation needs at least two.
const leastReplicates = 3

// NewDistance returns a single distance between our results and all given published numbers (see
// Distance.Squared). The number of our replicates must be the same for each published number.
func NewDistance(numbers []Likeness) (Distance, error) {
	if len(numbers) == 0 {
		return Distance{}, errors.New("distance: no published numbers")
	}
	r := len(numbers[0].Ours) // the number of our replicates
	for i := range numbers {
		if err := numbers[i].check(r); err != nil {
			return Distance{}, err
		}
	}
	d := Distance{Squared: squared(numbers, noReplicate), pseudo: make([]float64, r)}
	// Pseudo-value i is r times the full distance, minus r-1 times the distance without replicate
	// i.
	for i := range d.pseudo {
		d.pseudo[i] = float64(r)*d.Squared - float64(r-1)*squared(numbers, i)
	}
	d.SE = stats.Summarize(d.pseudo).MCSE
	return d, nil
}

// check returns an error unless our study has r replicates and r is large enough for the jackknife.
// It also returns an error unless the paper gives a mean, a positive standard deviation and at
// least two replicates.
func (l *Likeness) check(r int) error {
	if len(l.Ours) != r || r < leastReplicates {
		return fmt.Errorf(
			"distance: every published number needs at least %d replicates of our study, and all of them need "+
				"the same number; two published numbers have %d and %d",
			leastReplicates, r, len(l.Ours))
	}
	p := &l.Published
	if math.IsNaN(p.Mean) || !(p.SD > 0) || p.N < 2 {
		return fmt.Errorf("distance: the published mean %v needs a standard deviation above 0 and at least two "+
			"replicates; the paper gives %v and %d", p.Mean, p.SD, p.N)
	}
	return nil
}

const noReplicate = -1

// squared computes Distance.Squared from all our replicates except Ours[omitted] or, if omitted is
// noReplicate, from all of them.
func squared(numbers []Likeness, omitted int) float64 {
	total := 0.0
	for _, number := range numbers {
		ours := number.Ours
		if omitted != noReplicate {
			ours = slices.Concat(ours[:omitted], ours[omitted+1:])
		}
		s, p := stats.Summarize(ours), number.Published
		meanDifference := s.Mean - p.Mean
		sdDifference := s.SD/shrinkage(float64(s.N)) - p.SD/shrinkage(float64(p.N))
		chance := chanceFactor(s.N)*s.SD*s.SD + chanceFactor(p.N)*p.SD*p.SD // b of Distance.Squared
		total += (meanDifference*meanDifference + sdDifference*sdDifference - chance) / (p.SD * p.SD)
	}
	return total / float64(len(numbers))
}

// chanceFactor returns 1/n + 1/c(n)^2 - 1, where c(n) is shrinkage(n).
//
// It occurs twice in the term b of Distance.Squared, with n = R and with n = N.
func chanceFactor(n int) float64 {
	c := shrinkage(float64(n))
	return 1/float64(n) + 1/(c*c) - 1
}

// shrinkage returns c(n) = E[s]/sigma, where s is the standard deviation of n normal values.
func shrinkage(n float64) float64 {
	upper, _ := math.Lgamma(n / 2)
	lower, _ := math.Lgamma((n - 1) / 2)
	return math.Sqrt(2/(n-1)) * math.Exp(upper-lower)
}

// Nearest returns the index of the smallest distance, best, and a p-value for each distance. The
// null hypothesis is that the true distance i is at most the true distance best. p[best] is 1.
//
// The tests are one-sided t tests of paired jackknife pseudo-values. Bonferroni's correction counts
// all comparisons with the smallest distance, because the data determine which distance is
// smallest.
func Nearest(distances []Distance) (best int, p []float64) {
	for i := range distances {
		if distances[i].Squared < distances[best].Squared {
			best = i
		}
	}
	p = make([]float64, len(distances))
	for i := range distances {
		p[i] = 1
		if i != best {
			p[i] = min(1, float64(len(distances)-1)*distances[i].largerP(&distances[best]))
		}
	}
	return best, p
}

// largerP returns the p-value of a one-sided t test of two distances. The alternative is that the
// distance d has the larger true value. The p-value is 1 if the differences of the pseudo-values do
// not vary.
func (d *Distance) largerP(other *Distance) float64 {
	differences := floats.SubTo(make([]float64, len(d.pseudo)), d.pseudo, other.pseudo)
	se := stats.Summarize(differences).MCSE
	if !(se > 0) {
		return 1
	}
	t := stats.Student(float64(len(differences) - 1))
	return t.Survival((d.Squared - other.Squared) / se)
}
