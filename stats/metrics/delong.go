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

// An AUCDifference compares the AUCs of two rules on the same test rows of two classes.
type AUCDifference struct {
	First, Second float64 // averaged over the fits of the rule
	SE            float64 // of First - Second
}

// DeLong compares the areas under the ROC curve (AUC) of two rules (DeLong, DeLong and
// Clarke-Pearson 1988). The conclusion applies to the given fits of the rules on new test rows.
//
// The lists first and second contain the fits of the two rules. All fits must be scored on the same
// test rows of two classes.
func DeLong(first, second []*Predictions) (AUCDifference, error) {
	a, err := meanPlacements(first, first[0].Truth)
	if err != nil {
		return AUCDifference{}, err
	}
	b, err := meanPlacements(second, first[0].Truth)
	if err != nil {
		return AUCDifference{}, err
	}
	// a[class] and b[class] contain one placement per row of the class (see placements). Their means are
	// the AUCs.
	variance := 0.0 // of the difference of the AUCs
	for class := range a {
		n := len(a[class])
		if n < 2 {
			return AUCDifference{}, fmt.Errorf(
				"DeLong's test: needs at least two test rows of each class, got %d and %d",
				len(a[0]), len(a[1]))
		}
		differences := floats.SubTo(make([]float64, n), a[class], b[class])
		variance += stat.Variance(differences, nil) / float64(n)
	}
	return AUCDifference{First: stat.Mean(a[1], nil), Second: stat.Mean(b[1], nil), SE: math.Sqrt(variance)}, nil
}

// meanPlacements returns the placements averaged over the fits of one rule. Each fit must have scores
// for two classes, and its true classes must equal truth.
func meanPlacements(fits []*Predictions, truth []int) (mean placements, err error) {
	for _, p := range fits {
		if err := checkScored(p, truth); err != nil {
			return placements{}, fmt.Errorf("DeLong's test: %w", err)
		}
		for class, values := range placementsOf(p) {
			if mean[class] == nil {
				mean[class] = make([]float64, len(values))
			}
			floats.AddScaled(mean[class], 1/float64(len(fits)), values)
		}
	}
	return mean, nil
}

// checkScored returns an error unless p has scores for two classes and its true classes equal truth.
func checkScored(p *Predictions, truth []int) error {
	if !slices.Equal(p.Truth, truth) {
		return errors.New("the classifiers were scored on different test rows")
	}
	if p.Scores == nil {
		return errors.New("a classifier has no scores")
	}
	if _, classes := p.Scores.Dims(); classes != 2 {
		return fmt.Errorf("needs scores of two classes, got %d classes", classes)
	}
	return nil
}

// PValue returns the p-value of the hypothesis that the AUC difference has the given value. It uses
// the normal approximation.
func (d *AUCDifference) PValue(value float64, a stats.Alternative) float64 {
	deviation := d.First - d.Second - value
	if deviation == 0 { // z would be NaN if the standard error is 0, too
		return a.FromTails(0.5, 0.5)
	}
	z := deviation / d.SE
	return a.FromTails(distuv.UnitNormal.CDF(z), distuv.UnitNormal.Survival(z))
}

// Shift returns First - Second with its confidence interval by the normal approximation. The field Level of the
// result is 0.
func (d *AUCDifference) Shift(level float64) stats.Shift {
	half := d.SE * distuv.UnitNormal.Quantile(1-(1-level)/2)
	return stats.Shift{Estimate: d.First - d.Second, Low: d.First - d.Second - half, High: d.First - d.Second + half}
}

// placements contains the placement of each row of class 0 (negative) and of class 1 (positive).
// The placement of a row of class 1 is the share of rows of class 0 with a smaller score. The
// placement of a row of class 0 is the share of rows of class 1 with a larger score. Ties count
// half.
type placements [2][]float64

// placementsOf returns the placements of the rows of each class, in the order of the rows (Sun and
// Xu 2014). It subtracts the midrank of a row in its class from its midrank among all rows. The
// difference is the number of rows of the other class with smaller scores.
func placementsOf(p *Predictions) placements {
	// The score of a row is the score of class 1 minus the score of class 0. Scores that differ
	// only by rounding become equal in tieScores.
	score := tieScores(len(p.Truth), difference(p.Scores, 1, 0))
	var scoresOf [2][]float64 // by class
	for i, class := range p.Truth {
		scoresOf[class] = append(scoresOf[class], score[i])
	}
	inAll, _ := stats.Midranks(score)
	var inClass [2][]float64 // ranks by class; the rows of a class are in the order of all rows
	for class := range scoresOf {
		inClass[class], _ = stats.Midranks(scoresOf[class])
	}
	var out placements
	for i, class := range p.Truth {
		place := len(out[class])
		below := inAll[i] - inClass[class][place] // number of rows of the other class with smaller scores
		share := below / float64(len(scoresOf[1-class]))
		if class == 0 {
			share = 1 - share // class 0 needs the share of larger scores
		}
		out[class] = append(out[class], share)
	}
	return out
}
