package verdicts

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
)

// A Likeness sets our losses, one per replicate, beside the number that they should
// repeat.
type Likeness struct {
	Published Reported // with a standard deviation and its number of replicates
	Ours      []float64
}

// A Distance says how far several numbers lie from the published ones.
type Distance struct {
	// Squared is the mean over the numbers of
	//
	//	((m - M)^2 + (s - S)^2 - b) / S^2,
	//
	// m and s being our mean and standard deviation over R replicates, M and S the
	// published ones over N: the squared Wasserstein distance of two normal
	// distributions, in published standard deviations. The standard deviations of the
	// differences are made unbiased by c(R) and c(N), c(n) = E[s]/sigma of n normal
	// losses. b = (1/R + 1/c(R)^2 - 1) s^2 + (1/N + 1/c(N)^2 - 1) S^2 is what chance
	// alone contributes, so that equal distributions have a distance of 0 in the mean,
	// and sometimes a negative one.
	Squared float64
	// SE is the jackknife's standard error of Squared over our replicates.
	SE     float64
	pseudo []float64 // the jackknife's values, by replicate
}

// RMS is the distance in published standard deviations, 0 where Squared is negative.
func (d *Distance) RMS() float64 { return math.Sqrt(max(0, d.Squared)) }

// leastReplicates is the number of ours that a distance needs: its jackknife leaves
// one out, and what is left has a standard deviation.
const leastReplicates = 3

// NewDistance computes the distance of numbers with as many replicates each.
func NewDistance(numbers []Likeness) (Distance, error) {
	if len(numbers) == 0 {
		return Distance{}, errors.New("distance: no published numbers")
	}
	r := len(numbers[0].Ours)
	for _, n := range numbers {
		switch p := n.Published; {
		case len(n.Ours) != r || r < leastReplicates:
			return Distance{}, fmt.Errorf("distance: want as many replicates for each number, at least %d, got %d and "+
				"%d", leastReplicates, r, len(n.Ours))
		case math.IsNaN(p.Mean) || !(p.SD > 0) || p.N < 2:
			return Distance{}, fmt.Errorf("distance: the published mean %v needs a standard deviation and its "+
				"replicates, has %v over %d", p.Mean, p.SD, p.N)
		}
	}
	d := Distance{Squared: squared(numbers, -1), pseudo: make([]float64, r)}
	for i := range d.pseudo {
		d.pseudo[i] = float64(r)*d.Squared - float64(r-1)*squared(numbers, i)
	}
	d.SE = stats.Summarize(d.pseudo).MCSE
	return d, nil
}

// squared is Distance.Squared without one replicate; -1: with all.
func squared(numbers []Likeness, without int) float64 {
	total := 0.0
	for _, number := range numbers {
		ours := number.Ours
		if without >= 0 {
			ours = append(append([]float64(nil), ours[:without]...), ours[without+1:]...)
		}
		s := stats.Summarize(ours)
		p, r, n := number.Published, float64(len(ours)), float64(number.Published.N)
		c, cp := shrinkage(r), shrinkage(n)
		dm, ds := s.Mean-p.Mean, s.SD/c-p.SD/cp
		chance := (1/r+1/(c*c)-1)*s.SD*s.SD + (1/n+1/(cp*cp)-1)*p.SD*p.SD
		total += (dm*dm + ds*ds - chance) / (p.SD * p.SD)
	}
	return total / float64(len(numbers))
}

// shrinkage is E[s]/sigma of n normal values.
func shrinkage(n float64) float64 {
	upper, _ := math.Lgamma(n / 2)
	lower, _ := math.Lgamma((n - 1) / 2)
	return math.Sqrt(2/(n-1)) * math.Exp(upper-lower)
}

// Nearest returns the index of the smallest of some distances over the same
// replicates, and for each the p-value of the hypothesis that it is not larger: of
// the one-sided t test on paired jackknife values, times the number of others
// (Bonferroni), since any of them might be the smallest by chance.
func Nearest(distances []Distance) (best int, p []float64) {
	for i := range distances {
		if distances[i].Squared < distances[best].Squared {
			best = i
		}
	}
	p = make([]float64, len(distances))
	for i := range distances {
		p[i] = 1
		if i == best {
			continue
		}
		r := len(distances[i].pseudo)
		difference := make([]float64, r)
		for k := range difference {
			difference[k] = distances[i].pseudo[k] - distances[best].pseudo[k]
		}
		if se := stats.Summarize(difference).MCSE; se > 0 {
			t := (distances[i].Squared - distances[best].Squared) / se
			p[i] = min(1, float64(len(distances)-1)*distuv.StudentsT{Sigma: 1, Nu: float64(r - 1)}.Survival(t))
		}
	}
	return best, p
}
