package stats

import (
	"math"
)

// RankBiserialOf returns the matched-pairs rank-biserial correlation of differences d, the
// effect size that belongs to SignedRankOf:
//
//	r = (V+ - V-) / (V+ + V-),  in [-1,1],
//
// V+ and V- being the rank sums of the positive and negative differences
// (Kerby 2014, the simple difference formula). It is negative where differences tend to
// be negative, and 0 when every difference is zero.
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
