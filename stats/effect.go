package stats

import (
	"math"
)

// RankBiserial returns the matched-pairs rank-biserial correlation of the
// differences x - y, the effect size that belongs to SignedRank:
//
//	r = (V+ - V-) / (V+ + V-),  in [-1,1],
//
// V+ and V- being the rank sums of the positive and negative differences
// (Kerby 2014, the simple difference formula). It is negative where x tends to
// be smaller, and 0 when every difference is zero. It is for programs that import
// this package: copse pairs records, and has differences.
func RankBiserial(x, y []float64) (float64, error) {
	d, err := differences(x, y)
	if err != nil {
		return 0, err
	}
	return RankBiserialOf(d), nil
}

// RankBiserialOf is RankBiserial of differences d.
func RankBiserialOf(d []float64) float64 {
	nonzero := dropZeros(d)
	if len(nonzero) == 0 {
		return 0
	}
	ranks, _ := Midranks(absolute(nonzero))
	signed, all := 0.0, 0.0
	for i, r := range ranks {
		signed += math.Copysign(r, nonzero[i])
		all += r
	}
	return signed / all
}
