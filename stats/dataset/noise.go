package dataset

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

func (s *Set) withValueCopy() *Set { return s.WithValues(mat.DenseCopyOf(s.X)) }

// RemoveValues returns a copy of s with k <= s.D() values of each row removed, completely at
// random. Some of them may already be missing.
func (s *Set) RemoveValues(k int, rng *rand.Rand) *Set {
	c := s.withValueCopy()
	columns := stats.Indices(s.D())
	for i := range s.N() {
		row := c.X.RawRowView(i)
		for a := range k { // k steps of a Fisher-Yates shuffle draw k columns without replacement
			b := a + rng.Intn(len(columns)-a)
			columns[a], columns[b] = columns[b], columns[a]
			row[columns[a]] = math.NaN()
		}
	}
	return c
}

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

// RemoveDependent returns a copy of s from which random values are removed. The probability of
// removal grows with the value of attribute number cause, which keeps its values. The mean of this
// probability over the training set ref is p <= 1/2.
func (s *Set) RemoveDependent(p float64, cause int, ref *Set, rng *rand.Rand) *Set {
	if p < 0 || p > 0.5 {
		panic("dataset: the mean probability of missing values must be between 0 and 1/2")
	}
	sorted := slices.Sorted(slices.Values(Present(ref, cause)))
	// The probability is 2pF(v) for the value v of the attribute. F(v) is the share of smaller
	// values in ref, plus half the share of equal values.
	c := s.withValueCopy()
	for i := range s.N() {
		row := c.X.RawRowView(i)
		rate := p // if the value of the attribute is missing
		if v := row[cause]; !math.IsNaN(v) && len(sorted) > 0 {
			below, upTo := stats.Position(sorted, v)              // their sum is twice the midrank of v
			rate = p * float64(below+upTo) / float64(len(sorted)) // 2pF(v)
		}
		for j := range row {
			if rng.Float64() < rate && j != cause {
				row[j] = math.NaN()
			}
		}
	}
	return c
}

// WithIrrelevant returns a copy of s with k additional, independent, standard normal attributes,
// whose values do not depend on k. It returns an error if s already has an attribute irrelevant1,
// irrelevant2, ...
func (s *Set) WithIrrelevant(k int, rng *rand.Rand) (*Set, error) {
	if k == 0 {
		return s, nil
	}
	n, d := s.N(), s.D()
	out := &Set{
		X:          mat.NewDense(max(n, 1), d+k, nil), // NewDense panics for 0 rows
		Y:          s.Y,
		Groups:     s.Groups,
		Attributes: slices.Clone(s.Attributes),
		Classes:    s.Classes,
	}
	for i := range n {
		copy(out.X.RawRowView(i), s.X.RawRowView(i))
	}
	for j := range k {
		name := fmt.Sprintf("irrelevant%d", j+1)
		if slices.ContainsFunc(s.Attributes, func(a Attribute) bool { return a.Name == name }) {
			return nil, fmt.Errorf("rename the attribute %q, because one of the %d appended attributes gets this name",
				name, k)
		}
		out.Attributes = append(out.Attributes, Attribute{Name: name})
		for i := range n {
			out.X.Set(i, d+j, rng.NormFloat64())
		}
	}
	return out, nil
}

// FlipLabels returns a copy of s in which each label is changed with probability p to a uniformly
// drawn other class. It panics if a label is to be changed and s has only one class.
func (s *Set) FlipLabels(p float64, rng *rand.Rand) *Set {
	c := s.WithoutDerived()
	c.Y = slices.Clone(s.Y)
	for i, y := range c.Y {
		if rng.Float64() < p {
			c.Y[i] = (y + 1 + rng.Intn(s.C()-1)) % s.C() // 1 to C-1 classes further, cyclically
		}
	}
	return c
}
