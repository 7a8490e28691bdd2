package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Equivalence returns the p-value of two one-sided tests (Schuirmann 1987). The null hypothesis is
// that the location of the differences d lies outside (-margin, margin).
//
// The function test returns the one-sided p-value of a sample of differences. The margin must be
// chosen before the data are seen.
func Equivalence(d []float64, margin float64, test func(d []float64, a Alternative) (float64, error)) (float64, error) {
	if !(margin > 0) || math.IsInf(margin, 1) {
		return 0, fmt.Errorf("equivalence test: the margin is %v; it must be positive and finite", margin)
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

// WelchEquivalence returns the p-value of two one-sided tests. The null hypothesis is that two
// independent means differ by at least the margin.
//
// The argument se is the standard error of their difference, with df degrees of freedom.
func WelchEquivalence(difference, se, df, margin float64) float64 {
	if se == 0 {
		if math.Abs(difference) < margin {
			return 0
		}
		return 1
	}
	t := Student(df)
	return t.Survival((margin - math.Abs(difference)) / se)
}
