package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Equivalence is the two one-sided tests procedure (Schuirmann 1987) on paired
// differences: each is tested, by the given one-sided test, against a shift of
// -margin (Greater) and of margin (Less), and P is the larger p-value. P <= alpha
// shows at level alpha that the differences lie within the margin, which must be
// stated before the data are seen. What the test assumes holds here too.
func Equivalence(d []float64, margin float64, test func(d []float64, a Alternative) (float64, error)) (float64, error) {
	if !(margin > 0) || math.IsInf(margin, 1) {
		return 0, fmt.Errorf("equivalence: the margin is %v, must be positive and finite", margin)
	}
	shifted := func(by float64, a Alternative) (float64, error) {
		s := make([]float64, len(d))
		for i, v := range d {
			s[i] = v + by
		}
		return test(s, a)
	}
	above, err := shifted(margin, Greater)
	if err != nil {
		return 0, err
	}
	below, err := shifted(-margin, Less)
	return max(above, below), err
}

// WelchEquivalence is the same for two independent means whose difference has
// the given standard error with df degrees of freedom (see CompareWithPublished).
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
