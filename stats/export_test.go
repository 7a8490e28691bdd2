package stats

import (
	"fmt"
	"math"
)

// SignedRank is SignedRankOf of the differences x - y.
func SignedRank(x, y []float64, alternative Alternative) (SignedRankResult, error) {
	d, err := differences(x, y)
	if err != nil {
		return SignedRankResult{}, err
	}
	return SignedRankOf(d, alternative, false)
}

// SignedRankExact is SignedRank with the exact distribution of V.
func SignedRankExact(x, y []float64, alternative Alternative) (SignedRankResult, error) {
	d, err := differences(x, y)
	if err != nil {
		return SignedRankResult{}, err
	}
	return SignedRankOf(d, alternative, true)
}

// HodgesLehmann is HodgesLehmannOf of the differences x - y.
func HodgesLehmann(x, y []float64, level float64) (Shift, error) {
	d, err := differences(x, y)
	if err != nil {
		return Shift{}, err
	}
	return HodgesLehmannOf(d, level), nil
}

// RankBiserial is RankBiserialOf of the differences x - y.
func RankBiserial(x, y []float64) (float64, error) {
	d, err := differences(x, y)
	if err != nil {
		return 0, err
	}
	return RankBiserialOf(d), nil
}

// differences returns x - y, or an error with the reason why they cannot be paired.
func differences(x, y []float64) ([]float64, error) {
	if len(x) != len(y) {
		return nil, fmt.Errorf("signed-rank test: samples of unequal length, %d and %d", len(x), len(y))
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("signed-rank test: the samples are empty")
	}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
		if math.IsNaN(d[i]) || math.IsInf(d[i], 0) {
			return nil, fmt.Errorf("signed-rank test: pair %d is not finite: %v and %v", i+1, x[i], y[i])
		}
	}
	return d, nil
}

// A PairComparison is the comparison of classifier i with classifier j.
type PairComparison struct {
	Difference, SE float64 // of the mean losses
	P, Adjusted    float64 // PValues
}

// Compare compares classifier i with classifier j.
func (a *AllPairs) Compare(i, j int) PairComparison {
	p, adjusted := a.PValues(i, j)
	return PairComparison{a.mean[i] - a.mean[j], a.se[i][j], p, adjusted}
}
