package stats

import (
	"math"
)

// RankBiserialOf returns the matched-pairs rank-biserial correlation of the differences d (Kerby
// 2014):
//
//	r = (V+ - V-) / (V+ + V-),  in [-1,1].
//
// V+ and V- are the rank sums of the positive and negative differences. r is 0 if all differences
// are 0.
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
