// Package chebyshev solves the minimax problem of discrete Chebyshev
// classifiers: given the marginals mu_ij(x_i, x_j, y) of pairs of discrete
// features with the label, find the label costs nu(x, y), a sum of functions of
// pairs, whose largest expected hinge loss over all distributions with these
// marginals is smallest (Eban, Mezuman, Globerson, ICML 2014).
package chebyshev

import "fmt"

// A Pair is an edge of the graph E: two features whose joint marginal with the
// label is known.
type Pair struct{ I, J int }

// AllPairs returns the d(d-1)/2 pairs i < j in lexicographic order.
func AllPairs(d int) []Pair {
	pairs := make([]Pair, 0, d*(d-1)/2)
	for i := range d {
		for j := i + 1; j < d; j++ {
			pairs = append(pairs, Pair{i, j})
		}
	}
	return pairs
}

// Marginals are the statistics mu_ij(x_i, x_j, y) of the pairs ij in E, a
// probability each: nonnegative, and the tables of all pairs agree on what they
// have in common (the local polytope). Feature i takes the codes
// 0..Levels[i]-1, the label 0..Classes-1.
type Marginals struct {
	Levels  []int
	Classes int
	Pairs   []Pair
	Prior   []float64 // mu(y)
	Mu      []float64 // pair e at Start[e]: Mu[Start[e] + (y*d_i+x_i)*d_j + x_j]
	Start   []int     // len(Pairs)+1 offsets
}

// newMarginals returns zero tables for the pairs.
func newMarginals(levels []int, classes int, pairs []Pair) *Marginals {
	m := &Marginals{Levels: levels, Classes: classes, Pairs: pairs, Prior: make([]float64, classes)}
	m.Start = make([]int, len(pairs)+1)
	for e, p := range pairs {
		m.Start[e+1] = m.Start[e] + classes*levels[p.I]*levels[p.J]
	}
	m.Mu = make([]float64, m.Start[len(pairs)])
	return m
}

// A Sample is n labelled rows of discrete features, as columns, and the pairs whose
// tables are counted.
type Sample struct {
	Columns [][]int // Columns[i][r] is feature i of row r, in 0..Levels[i]-1, or Missing
	Y       []int   // labels in 0..Classes-1
	Levels  []int
	Classes int
	Pairs   []Pair
}

// Count returns the empirical marginals of rows without missing values.
func (s *Sample) Count() *Marginals {
	if len(s.Columns) != len(s.Levels) {
		panic(fmt.Sprintf("chebyshev: %d columns but %d features", len(s.Columns), len(s.Levels)))
	}
	m := newMarginals(s.Levels, s.Classes, s.Pairs)
	weight := 1 / float64(len(s.Y))
	for _, label := range s.Y {
		m.Prior[label] += weight
	}
	for e, p := range s.Pairs {
		di, dj := s.Levels[p.I], s.Levels[p.J]
		table, xi, xj := m.Table(e), s.Columns[p.I], s.Columns[p.J]
		for r, label := range s.Y {
			table[(label*di+xi[r])*dj+xj[r]]++
		}
		for c := range table {
			table[c] *= weight
		}
	}
	return m
}

// Table returns mu_ij of pair e, classes x d_i x d_j; it aliases m.
func (m *Marginals) Table(e int) []float64 { return m.Mu[m.Start[e]:m.Start[e+1]] }

// Restrict returns the marginals of the given pairs, numbers into m.Pairs.
func (m *Marginals) Restrict(edges []int) *Marginals {
	pairs := make([]Pair, len(edges))
	for k, e := range edges {
		pairs[k] = m.Pairs[e]
	}
	r := newMarginals(m.Levels, m.Classes, pairs)
	copy(r.Prior, m.Prior)
	for k, e := range edges {
		copy(r.Table(k), m.Table(e))
	}
	return r
}

// Singles returns the marginals mu_i(x_i, y) of single features: singles[i] is classes x d_i.
// A feature without pairs has zeros.
func (m *Marginals) Singles() [][]float64 {
	singles := make([][]float64, len(m.Levels))
	done := make([]bool, len(m.Levels)) // whether an earlier pair gave the feature
	for i, d := range m.Levels {
		singles[i] = make([]float64, m.Classes*d)
	}
	for e, p := range m.Pairs {
		di, dj := m.Levels[p.I], m.Levels[p.J]
		for c, v := range m.Table(e) { // c = (y*di+xi)*dj + xj
			if !done[p.I] {
				singles[p.I][c/dj] += v
			}
			if !done[p.J] {
				singles[p.J][c/(dj*di)*dj+c%dj] += v
			}
		}
		done[p.I], done[p.J] = true, true
	}
	return singles
}
