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

// An AUCDifference compares the AUC of two rules on the same test rows of two classes.
type AUCDifference struct {
	First, Second float64 // AUC
	SE            float64 // standard error of First - Second
}

// DeLong compares the AUC of two rules that scored the same test rows of two classes, by
// the test of DeLong, DeLong and Clarke-Pearson (1988): the AUC are means of placements,
// those of the rows of class 1 among the rows of class 0 and the reverse, whose
// covariances give the variance of the difference. Ties count half. Of several fits of each
// rule it compares the mean AUC, since means of placements are placements of the mean. The
// conclusion concerns these fits on further test rows.
func DeLong(first, second []*Predictions) (AUCDifference, error) {
	var placed [2]placements
	for k, fits := range [][]*Predictions{first, second} {
		for _, p := range fits {
			if err := checkScored(p, first[0].Truth); err != nil {
				return AUCDifference{}, fmt.Errorf("DeLong's test: %w", err)
			}
			placed[k].add(placementsOf(p), 1/float64(len(fits)))
		}
	}
	m, n := len(placed[0].positive), len(placed[0].negative)
	if m < 2 || n < 2 {
		return AUCDifference{}, fmt.Errorf("DeLong's test: wants at least two test rows of each class, has %d and %d",
			n, m)
	}
	d := AUCDifference{First: stat.Mean(placed[0].positive, nil), Second: stat.Mean(placed[1].positive, nil)}
	variance := stat.Variance(difference2(placed[0].positive, placed[1].positive), nil)/float64(m) +
		stat.Variance(difference2(placed[0].negative, placed[1].negative), nil)/float64(n)
	d.SE = math.Sqrt(variance)
	return d, nil
}

// checkScored refuses predictions without scores of two classes, and of other rows.
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

// PValue returns the normal p-value of the hypothesis that First - Second is value; 1 for that
// very difference without spread.
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

// placements are, for each row of one class, the share of the other class's rows that the
// scores put in order with it, ties half.
type placements struct{ positive, negative []float64 }

// add adds the placements of another fit on the same rows with a weight.
func (p *placements) add(other placements, weight float64) {
	if p.positive == nil {
		p.positive, p.negative = make([]float64, len(other.positive)), make([]float64, len(other.negative))
	}
	floats.AddScaled(p.positive, weight, other.positive)
	floats.AddScaled(p.negative, weight, other.negative)
}

// placementsOf computes placements from midranks (Sun and Xu 2014): the number of the other
// class's rows below a row is its rank among all rows less its rank among its own class.
func placementsOf(p *Predictions) placements {
	score := scoresOf(allRows(len(p.Truth)), difference(p.Scores, 1, 0))
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
	var seen [2]int
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

func difference2(x, y []float64) []float64 {
	d := make([]float64, len(x))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	return d
}
