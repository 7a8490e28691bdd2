package field

import (
	"math"

	"copse/stats"
)

// chooseBandwidths selects bandwidths h1 of the node and h2 of the parents for each family in list.
// It stores the best pair and its score in search, and its kernel sums in bestSums.
//
// The method is the double dichotomic search (Algorithm 1). Numbers in the comments refer to its
// lines.
func (s *Scorer) chooseBandwidths(node int, list []*family) {
	for _, c := range list {
		c.search = s.bandwidth.start() // 1.-5.
	}
	// Parents only reduce kernel sums, so the sums without parents are upper bounds. They allow
	// setScores to skip bandwidths that are certain to be worse.
	withoutParents := func(h1 float64) []float64 { return s.univariateSums(node, h1) }
	for range s.bandwidth.Iterations { // 6.
		// To save time, evaluate families with the same grid together.
		sameGrid := stats.Grouped(list, func(c *family) grid { return c.search.grid() }) // 7.-10.
		for _, group := range sameGrid {
			// setScores computes the score c.scores[k][l] of each family c in the group for the
			// bandwidths (h1[k], h2[l]). It also computes the kernel sums c.sums(l)[k].
			s.scratch.setScores(group[0].search.grid(), s.bandwidth.Floor, group, withoutParents) // 11.
		}
		for _, c := range list {
			// (h1[k], h2[l]) is the best of the four pairs in the grid. improved reports whether it
			// is better than all earlier pairs.
			k, l, improved := c.search.narrow(c.scores) // 11.-20.
			if improved {
				copy(c.bestSums, c.sums(l)[k])
			}
		}
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

// A search is the progress of Algorithm 1 for one family. It searches an interval median +- 2
// epsilon for each bandwidth, and evaluates the midpoints of both halves, median +- epsilon.
type search struct {
	median1, median2   float64 // midpoints of the intervals
	epsilon1, epsilon2 float64 // quarters of the lengths of the intervals
	maxScore           float64
	h1, h2             float64 // the best pair so far
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

// narrow finds the bandwidths (h1[k], h2[l]) with the largest scores[k][l], and halves the search
// intervals around them. Ties go to smaller bandwidths. improved reports whether this score is the
// largest so far.
func (s *search) narrow(scores [2][2]float64) (k, l int, improved bool) {
	for a := range 2 { // 11.
		for b := range 2 {
			if scores[a][b] > scores[k][l] {
				k, l = a, b
			}
		}
	}
	g := s.grid()
	s.median1, s.median2 = g.h1[k], g.h2[l]             // 12.-13.: the midpoints of the kept halves
	s.epsilon1, s.epsilon2 = s.epsilon1/2, s.epsilon2/2 // 14.-16. and 8.: half as long
	if scores[k][l] > s.maxScore {                      // 17.-20.
		s.maxScore, s.h1, s.h2 = scores[k][l], s.median1, s.median2
		improved = true
	}
	return k, l, improved
}
