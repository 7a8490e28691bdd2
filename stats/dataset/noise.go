package dataset

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
)

// RemoveValues returns a copy of s in which each row lacks k of its d values,
// drawn at random without regard to the values: missing completely at random.
// A value that was missing before may be among the k. It panics unless
// 0 <= k <= d.
func (s *Set) RemoveValues(k int, rng *rand.Rand) *Set {
	c := s.WithoutDerived()
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

// RemoveAtRandom returns a copy of s in which each value is missing with
// probability p, whatever it and the others are: missing completely at random.
func (s *Set) RemoveAtRandom(p float64, rng *rand.Rand) *Set {
	c := s.WithoutDerived()
	c.X = mat.DenseCopyOf(s.X)
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

// RemoveDependent returns a copy of s in which the values of a row are missing
// with a probability that grows with the row's value v of attribute on, which
// stays itself: missing at random. The probability is 2pF(v), where F is the
// midrank distribution of that attribute in ref, the training set, so that a
// share p of ref's values goes on average; a row without v loses its values with
// probability p. It panics unless 0 <= p <= 1/2.
func (s *Set) RemoveDependent(p float64, on int, ref *Set, rng *rand.Rand) *Set {
	if p < 0 || p > 0.5 {
		panic("dataset: a share outside 0..1/2 cannot depend on ranks")
	}
	sorted := present(ref, on)
	slices.Sort(sorted)
	c := s.WithoutDerived()
	c.X = mat.DenseCopyOf(s.X)
	for i := range s.N() {
		row := c.X.RawRowView(i)
		rate := p
		if v := row[on]; !math.IsNaN(v) && len(sorted) > 0 {
			below, _ := slices.BinarySearch(sorted, v)
			upTo, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
			rate = p * float64(below+upTo) / float64(len(sorted))
		}
		for j := range row {
			if rng.Float64() < rate && j != on {
				row[j] = math.NaN()
			}
		}
	}
	return c
}

// WithIrrelevant returns s with k more numeric attributes, irrelevant1 and so on,
// whose values are independent and standard normal. They are drawn one attribute
// after the other, so that fewer are the first of more. It is an error if s has an
// attribute of such a name.
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

// FlipLabels returns a copy of s in which each label is, with probability p, one
// of the other classes, all alike. It panics when there is no other class.
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
