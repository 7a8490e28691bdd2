package field

import "math"

// Bandwidths steer Algorithm 1.
type Bandwidths struct {
	Max1, Max2 float64 // the ranges (0, Max) that are searched for h1 and h2
	Iterations int     // s: each halves both ranges, at the cost of 4 evaluations
	Floor      float64 // least density, within [1e-200, 1)
}

// A grid is one iteration's candidates, h[0] < h[1] for each of h1 and h2.
type grid struct{ h1, h2 [2]float64 }

// search is Algorithm 1, the double dichotomic search: each iteration evaluates
// the midpoints of the lower and upper half of both intervals, CVLL(g) holding
// the score of (h1[k], h2[l]) at [k][l], and goes on inside the best pair of
// halves. It returns the best pair of all that were evaluated; the smaller
// bandwidths win ties. keep(k, l) is called after each evaluation whose pair
// (h1[k], h2[l]) is the best so far.
func (b Bandwidths) search(cvll func(grid) [2][2]float64, keep func(k, l int)) (h1, h2 float64) {
	maxScore := math.Inf(-1)                 // 1.
	median1, median2 := b.Max1/2, b.Max2/2   // 2.-5.
	epsilon1, epsilon2 := b.Max1/4, b.Max2/4 // 8. a quarter of the interval
	for range b.Iterations {                 // 6.
		g := grid{
			[2]float64{median1 - epsilon1, median1 + epsilon1}, // 9.-10.
			[2]float64{median2 - epsilon2, median2 + epsilon2},
		}
		scores := cvll(g)
		k, l := 0, 0 // 11.
		for a := range 2 {
			for c := range 2 {
				if scores[a][c] > scores[k][l] {
					k, l = a, c
				}
			}
		}
		median1, median2 = g.h1[k], g.h2[l] // 12.-13.
		epsilon1, epsilon2 = epsilon1/2, epsilon2/2
		if scores[k][l] > maxScore { // 17.-20.
			maxScore, h1, h2 = scores[k][l], median1, median2
			keep(k, l)
		}
	}
	return h1, h2 // 21.
}
