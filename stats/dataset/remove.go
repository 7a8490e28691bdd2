package dataset

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
)

// RemoveValues returns a copy of s in which each row lacks k of its d values,
// drawn at random without regard to the values: missing completely at random.
// A value that was missing before may be among the k. It panics unless
// 0 <= k <= d.
func (s *Set) RemoveValues(k int, rng *rand.Rand) *Set {
	c := s.Anew()
	c.X = mat.DenseCopyOf(s.X)
	columns := make([]int, s.D())
	for j := range columns {
		columns[j] = j
	}
	for i := range s.N() {
		row := c.X.RawRowView(i)
		for a := range k { // the head of a shuffle
			b := a + rng.Intn(len(columns)-a)
			columns[a], columns[b] = columns[b], columns[a]
			row[columns[a]] = math.NaN()
		}
	}
	return c
}
