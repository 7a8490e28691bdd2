package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
)

// An AUCDifference compares the AUC of two rules on the same test rows of two classes.
type AUCDifference struct {
	First, Second float64 // AUC
	SE            float64 // standard error of First - Second
	P             float64 // two-sided, normal; 1 for equal AUC without spread
}

// DeLong compares the AUC of two rules that scored the same test rows of two classes, by
// the test of DeLong, DeLong and Clarke-Pearson (1988): the AUC are means of placements,
// those of the rows of class 1 among the rows of class 0 and the reverse, whose
// covariances give the variance of the difference. Ties count half. The conclusion
// concerns these two fits on further test rows.
func DeLong(first, second *Predictions) (AUCDifference, error) {
	if !slices.Equal(first.Truth, second.Truth) {
		return AUCDifference{}, errors.New("DeLong's test: the rules scored different test rows")
	}
	var placed [2]placements
	for k, p := range []*Predictions{first, second} {
		if p.Scores == nil {
			return AUCDifference{}, errors.New("DeLong's test: a rule has no scores")
		}
		if _, classes := p.Scores.Dims(); classes != 2 {
			return AUCDifference{}, fmt.Errorf("DeLong's test: wants two classes, the scores have %d", classes)
		}
		placed[k] = placementsOf(p)
	}
	m, n := len(placed[0].positive), len(placed[0].negative)
	if m < 2 || n < 2 {
		return AUCDifference{}, fmt.Errorf("DeLong's test: wants at least two test rows of each class, has %d and %d",
			n, m)
	}
	d := AUCDifference{First: stat.Mean(placed[0].positive, nil), Second: stat.Mean(placed[1].positive, nil), P: 1}
	variance := stat.Variance(difference2(placed[0].positive, placed[1].positive), nil)/float64(m) +
		stat.Variance(difference2(placed[0].negative, placed[1].negative), nil)/float64(n)
	d.SE = math.Sqrt(variance)
	if d.SE > 0 {
		d.P = 2 * distuv.UnitNormal.Survival(math.Abs(d.First-d.Second)/d.SE)
	}
	return d, nil
}

// Interval returns the normal confidence interval of First - Second.
func (d *AUCDifference) Interval(level float64) (low, high float64) {
	half := d.SE * distuv.UnitNormal.Quantile(1-(1-level)/2)
	return d.First - d.Second - half, d.First - d.Second + half
}

// placements are, for each row of one class, the share of the other class's rows that the
// scores put in order with it, ties half.
type placements struct{ positive, negative []float64 }

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
