package field

import (
	"encoding/binary"
	"math"
	"slices"
)

// A Score is what leave-one-out says of one node with one set of parents.
type Score struct {
	LogLik float64 // sum_j log p^-j(x_ij | parents_j), the node's term of Eqs. 14 and 15
	H1, H2 float64 // bandwidths that Algorithm 1 chose
}

// A Scorer scores (node, parents) pairs on one sample and remembers them: every
// model that is learned from the sample shares the work.
type Scorer struct {
	x         [][]float64 // d columns of n rows
	bandwidth Bandwidths
	order     [][]int // per variable: the rows in ascending order
	scores    map[string]Score
	marginals map[string][]float64
	scratch   family
	joint     []float64 // scratch: the sums of the best bandwidths so far
}

// NewScorer returns a Scorer of the columns x, which it keeps. There must be at
// least two rows.
func NewScorer(x [][]float64, b Bandwidths) *Scorer {
	if len(x) == 0 || len(x[0]) < 2 {
		panic("field: leave-one-out needs a column and two rows")
	}
	n := len(x[0])
	s := &Scorer{x: x, bandwidth: b, scores: map[string]Score{}, marginals: map[string][]float64{}}
	s.scratch = newFamily(n)
	s.joint = make([]float64, n)
	s.order = make([][]int, len(x))
	for j, column := range x {
		s.order[j] = sortedOrder(column)
	}
	return s
}

// Score returns the score of node given parents (ascending, without node).
func (s *Scorer) Score(node int, parents []int) Score {
	k := key(node, parents, 0)
	score, ok := s.scores[k]
	if !ok {
		score = s.compute(node, parents)
		s.scores[k] = score
	}
	return score
}

// Variables returns 0, 1, ..., d-1.
func (s *Scorer) Variables() []int {
	variables := make([]int, len(s.x))
	for i := range variables {
		variables[i] = i
	}
	return variables
}

// LogLik returns the log-likelihood of Score alone.
func (s *Scorer) LogLik(node int, parents []int) float64 { return s.Score(node, parents).LogLik }

// Field returns the fitted densities of all variables given their parents.
func (s *Scorer) Field(parents [][]int) Field {
	f := make(Field, len(parents))
	for i, p := range parents {
		f[i] = s.Conditional(i, p)
	}
	return f
}

// Conditional returns the fitted density of node given parents.
func (s *Scorer) Conditional(node int, parents []int) *Conditional {
	score := s.Score(node, parents)
	c := &Conditional{Node: node, Parents: parents, H1: score.H1, H2: score.H2, floor: s.bandwidth.Floor, y: s.x[node]}
	for _, j := range parents {
		c.x = append(c.x, s.x[j])
	}
	return c
}

// compute searches the bandwidths and evaluates Eq. 7 with them, floored.
func (s *Scorer) compute(node int, parents []int) Score {
	n := len(s.x[node])
	f := s.sorted(node, parents)
	h1, h2 := s.bandwidth.search(
		func(g grid) [2][2]float64 {
			return f.cvll(g, s.bandwidth.Floor, func(h1 float64) []float64 { return s.alone(node, h1) })
		},
		func(k, l int) { copy(s.joint, f.sums(k, l)) })
	marginal := s.marginal(parents, h2)
	for t, i := range s.order[node] {
		m := float64(n - 1)
		if marginal != nil {
			m = marginal[i]
		}
		s.joint[t] = 0.75 / h1 * s.joint[t] / m
	}
	return Score{sumLogs(s.joint, 1, s.bandwidth.Floor), h1, h2}
}

// marginal returns sum_{j != i} (1 - |x_i-x_j|^2/h^2)_+ for every row i of the
// parents, nil when there are none. Nodes with the same parents share it.
func (s *Scorer) marginal(parents []int, h float64) []float64 {
	if len(parents) == 0 {
		return nil
	}
	k := key(-1, parents, h)
	sums, ok := s.marginals[k]
	if !ok {
		sums = make([]float64, len(s.x[0]))
		for t, v := range s.sorted(parents[0], parents).marginal(h) {
			sums[s.order[parents[0]][t]] = v
		}
		s.marginals[k] = sums
	}
	return sums
}

// alone returns sum_{j != i} (1 - (y_i-y_j)^2/h^2)_+ for the rows i in the order of
// node y.
func (s *Scorer) alone(node int, h float64) []float64 {
	k := key(-2, []int{node}, h)
	sums, ok := s.marginals[k]
	if !ok {
		own := s.scratch
		own.x, own.parents = own.y, 1
		sums = slices.Clone(own.marginal(h))
		s.marginals[k] = sums
	}
	return sums
}

// sorted fills the scratch family with the rows in the order of variable by.
func (s *Scorer) sorted(by int, parents []int) *family {
	f := &s.scratch
	size := len(f.y)
	fill(f.y, s.x[by], s.order[by])
	f.parents = len(parents)
	if len(f.x) < size*len(parents) {
		f.x = make([]float64, size*len(parents))
	}
	for p, j := range parents {
		fill(f.x[p*size:][:size], s.x[j], s.order[by])
	}
	return f
}

// key names (node, parents, h) in a cache.
func key(node int, parents []int, h float64) string {
	b := make([]byte, 0, 64)
	b = binary.AppendVarint(b, int64(node))
	for _, j := range parents {
		b = binary.AppendUvarint(b, uint64(j))
	}
	if node < 0 {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(h))
	}
	return string(b)
}
