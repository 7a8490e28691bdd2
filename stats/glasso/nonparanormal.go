package glasso

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/stats"
)

// Nonparanormal returns the normal scores Phi^-1(F(x_i)) of at least two values (Liu, Lafferty and
// Wasserman, JMLR 10 (2009), section 4). F is the empirical distribution function, truncated to
// [delta, 1-delta]:
//
//	delta = 1/(4 n^(1/4) sqrt(pi log n)).
func Nonparanormal(x []float64) []float64 {
	n := float64(len(x))
	delta := 1 / (4 * math.Pow(n, 0.25) * math.Sqrt(math.Pi*math.Log(n)))
	scores := make([]float64, len(x))
	ranks, _ := stats.Midranks(x)
	for i, r := range ranks {
		scores[i] = distuv.UnitNormal.Quantile(min(max(r/n, delta), 1-delta))
	}
	return scores
}
