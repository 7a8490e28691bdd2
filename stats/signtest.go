package stats

import "gonum.org/v1/gonum/mathext"

// A SignResult is the outcome of a sign test.
type SignResult struct {
	Positive int     // differences above zero
	N        int     // differences other than zero: the ones counted
	P        float64 // exact
}

// SignTest is the sign test of paired differences: are positive and negative
// ones equally frequent? It equals R's binom.test(positive, n, 1/2), zeros
// dropped; without any difference other than zero P is 1.
//
// It assumes that the differences are independent, and nothing about their sizes
// or the symmetry of their distribution.
func SignTest(d []float64, alternative Alternative) (SignResult, error) {
	if err := checkDifferences("sign test", d, alternative); err != nil {
		return SignResult{}, err
	}
	var r SignResult
	for _, v := range d {
		switch {
		case v > 0:
			r.Positive++
			r.N++
		case v < 0:
			r.N++
		}
	}
	r.P = alternative.FromTails(fairTail(r.Positive, r.N), fairTail(r.N-r.Positive, r.N))
	return r, nil
}

// fairTail is P(B <= k), B being binomial of n fair draws.
func fairTail(k, n int) float64 {
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
