package stats

import "gonum.org/v1/gonum/mathext"

// signTest returns the exact p-value of the sign test, like R's binom.test(positive, n, 1/2).
// Differences of 0 are dropped. P is 1 if all differences are 0.
func signTest(s Differences, alternative Alternative) (float64, error) {
	if err := checkDifferences("sign test", s.D); err != nil {
		return 0, err
	}
	positive, negative := 0, 0
	for _, v := range s.D {
		switch {
		case v > 0:
			positive++
		case v < 0:
			negative++
		}
	}
	n := positive + negative
	// For X ~ Binomial(n, 1/2), lower is P(X <= positive) and, by symmetry, upper is P(X >=
	// positive).
	lower, upper := fairTail(positive, n), fairTail(negative, n)
	return alternative.FromTails(lower, upper), nil
}

// fairTail returns P(B <= k), where B is the number of heads in n tosses of a fair coin.
func fairTail(k, n int) float64 {
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
