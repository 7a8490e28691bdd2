package verdicts

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
)

// A Likeness pairs a published number with our losses, one per replicate.
type Likeness struct {
	Published Reported // with a standard deviation and its number of replicates
	Ours      []float64
}

// A Distance measures how far several numbers lie from the published ones.
type Distance struct {
	// Squared is the mean over the numbers of
	//
	//	((m - M)^2 + (s - S)^2 - b) / S^2,
	//
	// the squared Wasserstein distance of two normal distributions in published standard
	// deviations. m and s are our mean and standard deviation over R replicates, M and S
	// the published ones over N. In (s - S), s is divided by c(R) and S by c(N), which
	// makes them unbiased: c(n) = E[s]/sigma of n normal losses.
	// b = (1/R + 1/c(R)^2 - 1) s^2 + (1/N + 1/c(N)^2 - 1) S^2 is the expected contribution
	// of chance. Equal distributions thus have an expected value of 0; it can be negative.
	Squared float64
	// SE is the jackknife standard error of Squared over our replicates.
	SE     float64
	pseudo []float64 // jackknife pseudo-values of Squared, by replicate
}

// RMS returns the distance in published standard deviations; 0 if Squared is negative.
func (d *Distance) RMS() float64 { return math.Sqrt(max(0, d.Squared)) }

// leastReplicates is the smallest number of our replicates: the jackknife leaves one out
// and needs a standard deviation of the rest.
const leastReplicates = 3

// NewDistance computes the distance of numbers that all have the same number of our
// replicates, with a jackknife over these replicates.
func NewDistance(numbers []Likeness) (Distance, error) {
	if len(numbers) == 0 {
		return Distance{}, errors.New("distance: no published numbers")
	}
	r := len(numbers[0].Ours)
	for i := range numbers {
		if err := numbers[i].check(r); err != nil {
			return Distance{}, err
		}
	}
	d := Distance{Squared: squared(numbers, -1), pseudo: make([]float64, r)}
	for i := range d.pseudo {
		d.pseudo[i] = float64(r)*d.Squared - float64(r-1)*squared(numbers, i)
	}
	d.SE = stats.Summarize(d.pseudo).MCSE
	return d, nil
}

// check returns an error unless ours has r replicates, enough for the jackknife, and the
// paper gives a standard deviation.
func (l *Likeness) check(r int) error {
	if len(l.Ours) != r || r < leastReplicates {
		return fmt.Errorf("distance: want the same number of replicates for each number, at least %d, got %d and %d",
			leastReplicates, r, len(l.Ours))
	}
	p := &l.Published
	if math.IsNaN(p.Mean) || !(p.SD > 0) || p.N < 2 {
		return fmt.Errorf("distance: the published mean %v needs a standard deviation and a number of replicates, "+
			"has %v over %d", p.Mean, p.SD, p.N)
	}
	return nil
}

// squared returns Distance.Squared without the replicate of the given index; -1: with all.
func squared(numbers []Likeness, without int) float64 {
	total := 0.0
	for _, number := range numbers {
		ours := number.Ours
		if without >= 0 {
			ours = append(append([]float64(nil), ours[:without]...), ours[without+1:]...)
		}
		s, p := stats.Summarize(ours), number.Published
		ourShrinkage, printedShrinkage := shrinkage(float64(s.N)), shrinkage(float64(p.N))
		dm, ds := s.Mean-p.Mean, s.SD/ourShrinkage-p.SD/printedShrinkage
		chance := chanceFactor(s.N)*s.SD*s.SD + chanceFactor(p.N)*p.SD*p.SD
		total += (dm*dm + ds*ds - chance) / (p.SD * p.SD)
	}
	return total / float64(len(numbers))
}

// chanceFactor returns 1/n + 1/c(n)^2 - 1, see Distance.Squared.
func chanceFactor(n int) float64 {
	c := shrinkage(float64(n))
	return 1/float64(n) + 1/(c*c) - 1
}

// shrinkage returns E[s]/sigma for the standard deviation s of n normal values.
func shrinkage(n float64) float64 {
	upper, _ := math.Lgamma(n / 2)
	lower, _ := math.Lgamma((n - 1) / 2)
	return math.Sqrt(2/(n-1)) * math.Exp(upper-lower)
}

// Nearest returns the index of the smallest distance and, for each distance, the p-value
// of the hypothesis that it is not larger than the smallest; 1 for the smallest itself. All
// distances must be over the same replicates. The test is a one-sided t test on paired
// pseudo-values. Its p-value is multiplied by the number of other distances (Bonferroni),
// since any of them may be the smallest by chance.
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
			p[i] = min(1, float64(len(distances)-1)*distances[i].notLarger(&distances[best]))
		}
	}
	return best, p
}

// notLarger returns the one-sided p-value of the hypothesis that d is not larger than
// other; 1 if their pseudo-values differ by a constant.
func (d *Distance) notLarger(other *Distance) float64 {
	differences := make([]float64, len(d.pseudo))
	for k := range differences {
		differences[k] = d.pseudo[k] - other.pseudo[k]
	}
	se := stats.Summarize(differences).MCSE
	if !(se > 0) {
		return 1
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(differences) - 1)}
	return t.Survival((d.Squared - other.Squared) / se)
}
