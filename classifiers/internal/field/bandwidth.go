package field

import (
	"math"

	"copse/stats"
)

// chooseBandwidths sets the fields search and bestSums of each family in list. It selects two
// bandwidths: h1 of the node and h2 of the parents.
//
// The method is the double dichotomic search (Algorithm 1). Each iteration scores four pairs of
// bandwidths. In a pair, h1 and h2 are each the midpoint of the lower or upper half of their
// interval. The next iteration continues with the halves of the best pair.
func (s *Scorer) chooseBandwidths(node int, list []*family) {
	for _, c := range list {
		c.search = s.bandwidth.start()
	}
	for range s.bandwidth.Iterations {
		s.scoreGrids(node, list)
		for _, c := range list {
			k, l, improved := c.search.narrow(c.scores) // the best pair of the grid is (h1[k], h2[l])
			if improved {
				copy(c.bestSums, c.sums(k, l))
			}
		}
	}
}

// scoreGrids scores the four pairs of bandwidths (h1[k], h2[l]) in the current grid of each family
// c. It stores the scores in c.scores[k][l] and the kernel sums in c.sums(k, l). Families with the
// same grid are evaluated together, which is faster.
func (s *Scorer) scoreGrids(node int, list []*family) {
	withoutParents := func(h1 float64) []float64 { return s.univariateSums(node, h1) }
	sameGrid := stats.Grouped(list, func(c *family) grid { return c.search.grid() })
	for _, group := range sameGrid {
		s.scratch.setScores(group[0].search.grid(), s.bandwidth.Floor, group, withoutParents)
	}
}

// Bandwidths contains the settings of the search for bandwidths, Algorithm 1 of the paper.
type Bandwidths struct {
	Max1, Max2 float64 // h1 is searched in (0, Max1), and h2 in (0, Max2)
	Iterations int     // number s of iterations; each halves both ranges and evaluates 4 pairs of bandwidths
	Floor      float64 // smallest density, in [1e-200, 1)
}

// A grid contains the candidate bandwidths of one iteration in ascending order.
type grid struct{ h1, h2 [2]float64 }

// Indices of the bandwidths in a grid.
const (
	smaller = 0
	larger  = 1
)

// A search is the state of Algorithm 1 for one family. For each bandwidth, the search interval is
//
//	middle - 2 quarter  to  middle + 2 quarter.
//
// The midpoints of its halves, middle - quarter and middle + quarter, are evaluated.
type search struct {
	middle1, middle2   float64 // midpoints of the intervals
	quarter1, quarter2 float64 // quarters of the lengths of the intervals
	maxScore           float64
	h1, h2             float64 // the best pair so far
}

func (b Bandwidths) start() search {
	return search{
		maxScore: math.Inf(-1),
		middle1:  b.Max1 / 2, middle2: b.Max2 / 2,
		quarter1: b.Max1 / 4, quarter2: b.Max2 / 4,
	}
}

// grid returns the candidates to evaluate next.
func (s *search) grid() grid {
	return grid{
		h1: [2]float64{s.middle1 - s.quarter1, s.middle1 + s.quarter1},
		h2: [2]float64{s.middle2 - s.quarter2, s.middle2 + s.quarter2},
	}
}

// narrow halves both search intervals. Their new midpoints are the bandwidths (h1[k], h2[l]) of the
// grid with the largest score scores[k][l].
//
// Ties go to smaller bandwidths. If the score is the largest so far, improved is true, and narrow
// stores the score and its bandwidths.
func (s *search) narrow(scores [2][2]float64) (k, l int, improved bool) {
	for a := range 2 {
		for b := range 2 {
			if scores[a][b] > scores[k][l] {
				k, l = a, b
			}
		}
	}
	g := s.grid()
	h1, h2 := g.h1[k], g.h2[l]
	s.middle1, s.middle2 = h1, h2
	s.quarter1 /= 2 // a quarter of the interval's length
	s.quarter2 /= 2
	improved = scores[k][l] > s.maxScore
	if improved {
		s.maxScore, s.h1, s.h2 = scores[k][l], h1, h2
	}
	return k, l, improved
}
