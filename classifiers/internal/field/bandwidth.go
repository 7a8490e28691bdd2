package field

import "math"

// chooseBandwidths is Algorithm 1, the double dichotomic search, for families of one node.
// The numbers in comments are its lines. Families with the same candidate bandwidths are
// evaluated together.
func (s *Scorer) chooseBandwidths(node int, list []*family) {
	for _, c := range list {
		c.search = s.bandwidth.start() // 1.-5.
	}
	for range s.bandwidth.Iterations { // 6.
		for _, same := range groups(list, func(c *family) grid { return c.search.grid() }) { // 7.-10.
			alone := func(h1 float64) []float64 { return s.alone(node, h1) }
			s.scratch.cvll(same[0].search.grid(), s.bandwidth.Floor, same, alone) // 11.
		}
		for _, c := range list {
			k, l, best := c.search.narrow(c.scores) // 11.-20.
			if best {
				copy(c.best, c.sums(l)[k])
			}
		}
	}
}

// Bandwidths steer Algorithm 1.
type Bandwidths struct {
	Max1, Max2 float64 // h1 and h2 are searched in (0, Max1) and (0, Max2)
	Iterations int     // s: each halves both ranges and costs 4 evaluations
	Floor      float64 // least density, within [1e-200, 1)
}

// A grid is one iteration's candidates, h[0] < h[1] for each of h1 and h2.
type grid struct{ h1, h2 [2]float64 }

// A search is the state of Algorithm 1. Each iteration evaluates the midpoints of the lower and
// upper half of both intervals and continues inside the best pair of halves.
type search struct {
	median1, median2   float64
	epsilon1, epsilon2 float64 // a quarter of the interval
	maxScore           float64
	h1, h2             float64 // the best pair of all that were evaluated
}

func (b Bandwidths) start() search {
	return search{
		maxScore: math.Inf(-1),                    // 1.
		median1:  b.Max1 / 2, median2: b.Max2 / 2, // 2.-5.
		epsilon1: b.Max1 / 4, epsilon2: b.Max2 / 4, // 8.
	}
}

// grid returns the candidates to evaluate next.
func (s *search) grid() grid { // 9.-10.
	return grid{
		[2]float64{s.median1 - s.epsilon1, s.median1 + s.epsilon1},
		[2]float64{s.median2 - s.epsilon2, s.median2 + s.epsilon2},
	}
}

// narrow halves both ranges around the best pair of the grid. scores[k][l] is the score of
// (h1[k], h2[l]). It returns the best pair and whether it is the best so far. Of equal scores
// the smaller bandwidths win.
func (s *search) narrow(scores [2][2]float64) (k, l int, best bool) {
	for a := range 2 { // 11.
		for b := range 2 {
			if scores[a][b] > scores[k][l] {
				k, l = a, b
			}
		}
	}
	g := s.grid()
	s.median1, s.median2 = g.h1[k], g.h2[l]             // 12.-13.
	s.epsilon1, s.epsilon2 = s.epsilon1/2, s.epsilon2/2 // 14.-16. and 8.
	if scores[k][l] > s.maxScore {                      // 17.-20.
		s.maxScore, s.h1, s.h2 = scores[k][l], s.median1, s.median2
		best = true
	}
	return k, l, best
}
