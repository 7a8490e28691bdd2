package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Equivalence is the two one-sided tests procedure (Schuirmann 1987) on paired
// differences. A given one-sided test compares them with a shift of -margin (Greater) and of margin
// (Less); the result is the larger p-value. At most alpha shows at level alpha that the differences
// are within the margin, which must be chosen before the data are seen. The assumptions are the
// assumptions of the test.
func Equivalence(d []float64, margin float64, test func(d []float64, a Alternative) (float64, error)) (float64, error) {
	if !(margin > 0) || math.IsInf(margin, 1) {
		return 0, fmt.Errorf("equivalence: the margin is %v, must be positive and finite", margin)
	}
	testShifted := func(by float64, a Alternative) (float64, error) {
		shifted := slices.Clone(d)
		floats.AddConst(by, shifted)
		return test(shifted, a)
	}
	above, err := testShifted(margin, Greater)
	if err != nil {
		return 0, err
	}
	below, err := testShifted(-margin, Less)
	return max(above, below), err
}

// WelchEquivalence returns the p-value of the two one-sided tests for two independent means. Their
// difference has the given standard error on df degrees of freedom.
func WelchEquivalence(difference, se, df, margin float64) float64 {
	if se == 0 {
		if math.Abs(difference) < margin {
			return 0
		}
		return 1
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	return t.Survival((margin - math.Abs(difference)) / se)
}
