package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
)

// An AUCDifference holds the AUCs of two rules on the same test rows of two classes.
type AUCDifference struct {
	First, Second float64 // AUC, averaged over the fits of the rule
	SE            float64 // standard error of First - Second
}

// DeLong compares the AUCs of two rules that scored the same test rows of two classes, by the
// test of DeLong, DeLong and Clarke-Pearson (1988). An AUC is the mean placement of the rows of
// one class among the rows of the other; ties count half. The covariances of the placements
// give the variance of the difference. Each rule may have several fits, which are averaged.
// The conclusion concerns these fits on new test rows.
func DeLong(first, second []*Predictions) (AUCDifference, error) {
	a, err := meanPlacements(first, first[0].Truth)
	if err != nil {
		return AUCDifference{}, err
	}
	b, err := meanPlacements(second, first[0].Truth)
	if err != nil {
		return AUCDifference{}, err
	}
	m, n := len(a.positive), len(a.negative)
	if m < 2 || n < 2 {
		return AUCDifference{}, fmt.Errorf(
			"DeLong's test: wants at least two test rows of each class, has %d and %d", n, m)
	}
	positive := floats.SubTo(make([]float64, m), a.positive, b.positive)
	negative := floats.SubTo(make([]float64, n), a.negative, b.negative)
	variance := stat.Variance(positive, nil)/float64(m) + stat.Variance(negative, nil)/float64(n)
	return AUCDifference{
		First:  stat.Mean(a.positive, nil),
		Second: stat.Mean(b.positive, nil),
		SE:     math.Sqrt(variance),
	}, nil
}

// meanPlacements returns the mean placements over the fits of one rule. It fails if a fit
// cannot be compared on test rows of the given classes.
func meanPlacements(fits []*Predictions, truth []int) (mean placements, err error) {
	for _, p := range fits {
		if err := checkScored(p, truth); err != nil {
			return placements{}, fmt.Errorf("DeLong's test: %w", err)
		}
		mean.add(placementsOf(p), 1/float64(len(fits)))
	}
	return mean, nil
}

// checkScored returns an error unless p has scores of two classes for test rows of the given
// true classes.
func checkScored(p *Predictions, truth []int) error {
	if !slices.Equal(p.Truth, truth) {
		return errors.New("the rules scored different test rows")
	}
	if p.Scores == nil {
		return errors.New("a rule has no scores")
	}
	if _, classes := p.Scores.Dims(); classes != 2 {
		return fmt.Errorf("wants two classes, the scores have %d", classes)
	}
	return nil
}

// PValue returns the normal p-value of the hypothesis First - Second = value. Where the
// difference is exactly value, both tails are 1/2, also for a zero standard error.
func (d *AUCDifference) PValue(value float64, a stats.Alternative) float64 {
	deviation := d.First - d.Second - value
	if deviation == 0 {
		return a.FromTails(0.5, 0.5)
	}
	z := deviation / d.SE
	return a.FromTails(distuv.UnitNormal.CDF(z), distuv.UnitNormal.Survival(z))
}

// Interval returns the normal confidence interval of First - Second.
func (d *AUCDifference) Interval(level float64) (low, high float64) {
	half := d.SE * distuv.UnitNormal.Quantile(1-(1-level)/2)
	return d.First - d.Second - half, d.First - d.Second + half
}

// placements holds, for each row, the share of the other class's rows that the scores order
// correctly relative to it; ties count half. Rows of class 1 are positive.
type placements struct{ positive, negative []float64 }

// add adds weight times the placements of another fit on the same rows.
func (p *placements) add(other placements, weight float64) {
	if p.positive == nil {
		p.positive = make([]float64, len(other.positive))
		p.negative = make([]float64, len(other.negative))
	}
	floats.AddScaled(p.positive, weight, other.positive)
	floats.AddScaled(p.negative, weight, other.negative)
}

// placementsOf computes placements from midranks (Sun and Xu 2014). A row's rank among all
// rows minus its rank in its own class is the number of rows of the other class below it.
func placementsOf(p *Predictions) placements {
	score := tieScores(len(p.Truth), difference(p.Scores, 1, 0))
	var own [2][]float64
	for i, class := range p.Truth {
		own[class] = append(own[class], score[i])
	}
	all, _ := stats.Midranks(score)
	var within [2][]float64
	for class := range own {
		within[class], _ = stats.Midranks(own[class])
	}
	var out placements
	var seen [2]int // rows of each class so far
	for i, class := range p.Truth {
		below := all[i] - within[class][seen[class]]
		seen[class]++
		if class == 1 {
			out.positive = append(out.positive, below/float64(len(own[0])))
		} else {
			out.negative = append(out.negative, 1-below/float64(len(own[1])))
		}
	}
	return out
}
