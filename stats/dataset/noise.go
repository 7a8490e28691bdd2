package dataset

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
)

// withValueCopy returns a copy of s whose values can be changed.
func (s *Set) withValueCopy() *Set {
	c := s.WithoutDerived()
	c.X = mat.DenseCopyOf(s.X)
	return c
}

// RemoveValues returns a copy of s in which each row loses k of its d values, drawn independently
// of the values: missing completely at random. A value that was missing before may be among the
// k. It panics unless 0 <= k <= d.
func (s *Set) RemoveValues(k int, rng *rand.Rand) *Set {
	c := s.withValueCopy()
	columns := make([]int, s.D())
	for j := range columns {
		columns[j] = j
	}
	for i := range s.N() {
		row := c.X.RawRowView(i)
		for a := range k { // the first k steps of a shuffle
			b := a + rng.Intn(len(columns)-a)
			columns[a], columns[b] = columns[b], columns[a]
			row[columns[a]] = math.NaN()
		}
	}
	return c
}

// RemoveAtRandom returns a copy of s in which each value is missing with probability p,
// independently of all values: missing completely at random.
func (s *Set) RemoveAtRandom(p float64, rng *rand.Rand) *Set {
	c := s.withValueCopy()
	for i := range s.N() {
		row := c.X.RawRowView(i)
		for j := range row {
			if rng.Float64() < p {
				row[j] = math.NaN()
			}
		}
	}
	return c
}

// RemoveDependent returns a copy of s with values missing at random: the probability that a row
// loses a value grows with its value v of attribute on, which stays. The probability is 2pF(v),
// where F is the midrank distribution of that attribute in the training set ref. The mean
// probability over ref is p. A row without v loses its values with probability p. It panics
// unless 0 <= p <= 1/2.
func (s *Set) RemoveDependent(p float64, on int, ref *Set, rng *rand.Rand) *Set {
	if p < 0 || p > 0.5 {
		panic("dataset: a share outside 0..1/2 cannot depend on ranks")
	}
	sorted := slices.Sorted(slices.Values(Present(ref, on)))
	c := s.withValueCopy()
	for i := range s.N() {
		row := c.X.RawRowView(i)
		rate := p
		if v := row[on]; !math.IsNaN(v) && len(sorted) > 0 {
			rate = p * float64(twiceRank(sorted, v)) / float64(len(sorted)) // 2pF(v)
		}
		for j := range row {
			if rng.Float64() < rate && j != on {
				row[j] = math.NaN()
			}
		}
	}
	return c
}

// twiceRank returns twice the midrank of v among sorted values: the number of values below v plus
// the number of values up to v.
func twiceRank(sorted []float64, v float64) int {
	below, _ := slices.BinarySearch(sorted, v)
	upTo, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
	return below + upTo
}

// WithIrrelevant returns s with k more numeric attributes, irrelevant1 and so on, whose values are
// independent and standard normal. It draws one attribute after the other, so that the first
// attributes do not depend on k. It fails if s has an attribute with such a name.
func (s *Set) WithIrrelevant(k int, rng *rand.Rand) (*Set, error) {
	if k == 0 {
		return s, nil
	}
	n, d := s.N(), s.D()
	out := &Set{
		X:          mat.NewDense(max(n, 1), d+k, nil),
		Y:          s.Y,
		Attributes: slices.Clone(s.Attributes),
		Classes:    s.Classes,
	}
	for i := range n {
		copy(out.X.RawRowView(i), s.X.RawRowView(i))
	}
	for j := range k {
		name := fmt.Sprintf("irrelevant%d", j+1)
		if slices.ContainsFunc(s.Attributes, func(a Attribute) bool { return a.Name == name }) {
			return nil, fmt.Errorf("the data have an attribute %q of their own beside the %d that are appended",
				name, k)
		}
		out.Attributes = append(out.Attributes, Attribute{Name: name})
		for i := range n {
			out.X.Set(i, d+j, rng.NormFloat64())
		}
	}
	return out, nil
}

// FlipLabels returns a copy of s in which each label is replaced, with probability p, by one of the
// other classes, each equally likely. It panics if there is no other class.
func (s *Set) FlipLabels(p float64, rng *rand.Rand) *Set {
	c := s.WithoutDerived()
	c.Y = slices.Clone(s.Y)
	for i, y := range c.Y {
		if rng.Float64() < p {
			c.Y[i] = (y + 1 + rng.Intn(s.C()-1)) % s.C()
		}
	}
	return c
}
