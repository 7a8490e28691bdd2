// Package chebyshev solves the minimax problem of discrete Chebyshev classifiers (Eban, Mezuman and
// Globerson, ICML 2014). Its inputs are the marginals mu_ij(x_i, x_j, y): the joint distributions
// of two discrete features and the label. The solution is the classifier with the smallest
// worst-case expected hinge loss. It predicts the label y with the smallest cost nu(x, y), a sum of
// functions of pairs of features.
package chebyshev

import (
	"slices"

	"copse/stats"
	"copse/stats/dataset"
)

// Marginals contains the probabilities mu_ij(x_i, x_j, y) of the edges ij of a graph E, whose nodes
// are the features. Tables with a common feature agree on its marginals (the local polytope).
// Features and labels have the codes 0, 1, ...
type Marginals struct {
	Levels  []int
	Classes int
	Pairs   []stats.Pair // the edges
	Prior   []float64    // mu(y)
	Mu      []float64    // pair e at Start[e]: Mu[Start[e] + (y*d_i+x_i)*d_j + x_j]
	Start   []int        // len(Pairs)+1 offsets
}

// newMarginals returns marginals in which all tables of the pairs are zero.
func newMarginals(levels []int, classes int, pairs []stats.Pair) *Marginals {
	m := &Marginals{Levels: levels, Classes: classes, Pairs: pairs, Prior: make([]float64, classes)}
	m.Start = make([]int, len(pairs)+1)
	for e, p := range pairs {
		m.Start[e+1] = m.Start[e] + classes*levels[p.I]*levels[p.J]
	}
	m.Mu = make([]float64, m.Start[len(pairs)])
	return m
}

// A Sample contains labelled rows of discrete features, stored by column.
type Sample struct {
	Columns [][]int // Columns[i][r] is feature i of row r, in 0..Levels[i]-1, or columns.MissingCode
	Y       []int   // labels in 0..Classes-1
	Levels  []int
	Classes int
	Pairs   []stats.Pair // the pairs of features to count
}

// countLabels returns marginals with the relative frequencies of the labels. The caller must fill the
// tables of the pairs, which are zero.
func (s *Sample) countLabels() *Marginals {
	m := newMarginals(s.Levels, s.Classes, s.Pairs)
	for _, label := range s.Y {
		m.Prior[label] += 1 / float64(len(s.Y))
	}
	return m
}

// Frequencies returns the relative frequencies in a sample without missing values.
func (s *Sample) Frequencies() *Marginals {
	m := s.countLabels()
	for e, p := range s.Pairs {
		di, dj := m.dims(e)
		table, xi, xj := m.Table(e), s.Columns[p.I], s.Columns[p.J]
		for r, label := range s.Y {
			table[(label*di+xi[r])*dj+xj[r]]++
		}
	}
	for c := range m.Mu { // the counts in all tables
		m.Mu[c] *= 1 / float64(len(s.Y))
	}
	return m
}

// Table returns the marginals mu_ij of edge e, whose features have d_i and d_j values. Element
// (y*d_i + x_i)*d_j + x_j is mu_ij(x_i, x_j, y). The result shares memory with m.
func (m *Marginals) Table(e int) []float64 { return m.Mu[m.Start[e]:m.Start[e+1]] }

// dims returns the numbers of values of both features of edge e.
func (m *Marginals) dims(e int) (di, dj int) { return m.Levels[m.Pairs[e].I], m.Levels[m.Pairs[e].J] }

// size returns the number of cells of edge e. A cell is a pair of values (x_i, x_j).
func (m *Marginals) size(e int) int {
	di, dj := m.dims(e)
	return di * dj
}

// labelTable returns the elements for edge e and label y from a slice with the layout of m.Mu.
// There is one element for each cell.
func (m *Marginals) labelTable(values []float64, e, y int) []float64 {
	size := m.size(e)
	return values[m.Start[e]+y*size:][:size]
}

// labelTables returns the result of labelTable for each of two labels y and z.
func (m *Marginals) labelTables(values []float64, e int, labels stats.Pair) (ofY, ofZ []float64) {
	return m.labelTable(values, e, labels.I), m.labelTable(values, e, labels.J)
}

// smallerMass sets out[c] to min(mu(y), mu(z)) for each cell c of edge e. In this cell, an
// adversary has at most this mass of either label (see the type adversary).
func (m *Marginals) smallerMass(e int, labels stats.Pair, out []float64) {
	muY, muZ := m.labelTables(m.Mu, e, labels)
	for c := range out {
		out[c] = min(muY[c], muZ[c])
	}
}

// Restrict returns a copy of m with only the given edges, which are indices of m.Pairs.
func (m *Marginals) Restrict(edges []int) *Marginals {
	r := newMarginals(m.Levels, m.Classes, dataset.At(m.Pairs, edges))
	copy(r.Prior, m.Prior)
	for k, e := range edges {
		copy(r.Table(k), m.Table(e))
	}
	return r
}

// Singles returns the marginals of single features. Element y*d_i + v of slice i is the joint
// probability of class y and value v of feature i. Features without a pair have zeros.
func (m *Marginals) Singles() [][]float64 {
	singles := make([][]float64, len(m.Levels))
	for i, d := range m.Levels {
		singles[i] = make([]float64, m.Classes*d)
	}
	// All tables with a feature agree on its marginal up to rounding. Because of the reverse order, the
	// first of them determines the result.
	for e, p := range slices.Backward(m.Pairs) {
		di, dj := m.dims(e)
		ofI, ofJ := singles[p.I], singles[p.J]
		clear(ofI)
		clear(ofJ)
		for k, v := range m.Table(e) { // k = (y*d_i + x_i)*d_j + x_j
			ofI[k/dj] += v // k/dj = y*d_i + x_i
			y, xj := k/(di*dj), k%dj
			ofJ[y*dj+xj] += v
		}
	}
	return singles
}
