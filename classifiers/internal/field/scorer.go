package field

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/dataset"
)

// A Score rates one node, given one set of parents, by its leave-one-out likelihood.
type Score struct {
	LogLik float64 // sum_j log p^-j(x_ij | parents_j), the term of the node in Eqs. 14 and 15
	H1, H2 float64 // bandwidths from Algorithm 1
}

// A Scorer computes and caches the scores of nodes given their parents, for one sample.
type Scorer struct {
	x         [][]float64 // d columns of n rows
	bandwidth Bandwidths
	order     [][]int              // order[j] lists the rows in ascending order of variable j
	scores    map[string]Score     // cache, by key of node and parents
	sums      map[string][]float64 // cache of the results of parentSums and univariateSums, by key
	scratch   families
}

// NewScorer returns a Scorer for the columns x. They must not change and must have at least two
// rows.
func NewScorer(x [][]float64, b Bandwidths) *Scorer {
	s := &Scorer{x: x, bandwidth: b, scores: map[string]Score{}, sums: map[string][]float64{}}
	s.scratch = newFamilies(len(x[0]), atOnce)
	for _, column := range x {
		s.order = append(s.order, stats.Ascending(column))
	}
	return s
}

// Score returns the score of node given parents. These must be in ascending order, without node.
func (s *Scorer) Score(node int, parents []int) Score {
	k := key(node, parents)
	if _, ok := s.scores[k]; !ok {
		common, last := splitLast(parents)
		s.compute(node, common, last)
	}
	return s.scores[k]
}

// Prepare implements the method of Scores. It is faster than a call of Score for each variable,
// because it evaluates the common parents only once. Its scores may differ from the results of
// Score by rounding errors.
func (s *Scorer) Prepare(ctx context.Context, node int, parents, more []int) error {
	unknown := slices.DeleteFunc(slices.Clone(more), func(j int) bool {
		_, ok := s.scores[key(node, withParent(parents, j))]
		return ok
	})
	for some := range slices.Chunk(unknown, atOnce) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.compute(node, parents, some)
	}
	return ctx.Err()
}

// Variables returns the numbers of all variables, 0, 1, ..., d-1.
func (s *Scorer) Variables() []int { return stats.Indices(len(s.x)) }

// LogLik implements Scores.
func (s *Scorer) LogLik(node int, parents []int) float64 { return s.Score(node, parents).LogLik }

// Field returns the densities of all variables given their parents, with a kernel at each row of x.
func (s *Scorer) Field(parents [][]int, x [][]float64) Field {
	var f Field
	for i, p := range parents {
		f = append(f, s.conditional(i, p, x))
	}
	return f
}

func (s *Scorer) conditional(node int, parents []int, x [][]float64) *Conditional {
	score := s.Score(node, parents)
	return &Conditional{
		Node: node, Parents: parents, H1: score.H1, H2: score.H2, floor: s.bandwidth.Floor,
		y: x[node], x: dataset.At(x, parents),
	}
}

// noParent is the value of family.extra in a family without parents.
const noParent = -1

// splitLast splits off the last parent. Without parents, last contains only noParent.
func splitLast(parents []int) (common, last []int) {
	if len(parents) == 0 {
		return nil, []int{noParent}
	}
	n := len(parents) - 1
	return parents[:n], parents[n:]
}

// withParent returns parents with j inserted in order. If j is noParent, it returns parents.
func withParent(parents []int, j int) []int {
	if j == noParent {
		return parents
	}
	at, _ := slices.BinarySearch(parents, j)
	return slices.Insert(slices.Clone(parents), at, j)
}

// compute caches a score of node for each j in more. The parents of the node are the given parents
// and j.
func (s *Scorer) compute(node int, parents, more []int) {
	list := s.families(node, parents, more)
	s.chooseBandwidths(node, list)
	sameH2 := stats.Grouped(list, func(c *family) float64 { return c.search.h2 })
	for _, group := range sameH2 {
		sums := s.parentSums(parents, group)
		for m, c := range group {
			score := s.leaveOneOut(node, c, sums[m])
			s.scores[key(node, withParent(parents, c.extra))] = score
		}
	}
}

// leaveOneOut returns the score of node given the parents in c: the sum of the log densities at all
// rows, each estimated without its row (Eq. 7). The argument marginal contains the kernel sums for
// the parents alone. leaveOneOut overwrites c.bestSums, the sums for node and parents.
func (s *Scorer) leaveOneOut(node int, c *family, marginal []float64) Score {
	h1, densities := c.search.h1, c.bestSums[:s.scratch.n]
	for t, i := range s.order[node] {
		densities[t] = 0.75 / h1 * densities[t] / marginal[i]
	}
	return Score{sumLogs(densities, 1, s.bandwidth.Floor), h1, c.search.h2}
}

// families returns one family for each j in more. A family is a candidate set of parents of node.
// Here, it consists of the argument parents and j. The list more contains either variables or, for
// one family without a further parent, only noParent. The families use the scorer's scratch memory.
func (s *Scorer) families(node int, parents, more []int) []*family {
	f := &s.scratch
	f.load(s.x, s.order[node], node, parents) // with the rows in ascending order of node
	f.parents = len(parents)
	hasExtra := more[0] != noParent
	if hasExtra {
		f.parents++ // each family has a further parent
	}
	list := make([]*family, len(more))
	for m, extra := range more {
		c := &f.list[m]
		list[m] = c
		c.extra = extra
		if hasExtra {
			fill(c.extraValues, s.x[extra], s.order[node])
		} else {
			clear(c.extraValues) // if all values are 0, the distances between rows depend only on parents
		}
	}
	return list
}

// parentSums returns the result of newParentSums, from the cache if possible. Nodes with the same
// parents share these sums. All families must have the same h2.
func (s *Scorer) parentSums(parents []int, list []*family) [][]float64 {
	h2 := list[0].search.h2
	keyOf := func(c *family) string { return sumsKey(parentsKey, withParent(parents, c.extra), h2) }
	known := func(c *family) bool { return s.sums[keyOf(c)] != nil }
	unknown := slices.DeleteFunc(slices.Clone(list), known)
	for m, sums := range s.newParentSums(parents, unknown, h2) {
		s.sums[keyOf(unknown[m])] = sums
	}
	all := make([][]float64, len(list))
	for m, c := range list {
		all[m] = s.sums[keyOf(c)]
	}
	return all
}

// newParentSums returns the kernel sums of the parents without the node, for each family and row. If
// x_i contains the values of all parents in row i, the sum is
//
//	all[m][i] = sum_{j != i} (1 - |x_i-x_j|^2/h2^2)_+,  (z)_+ = max(z, 0).
func (s *Scorer) newParentSums(parents []int, list []*family, h2 float64) [][]float64 {
	if len(list) == 0 {
		return nil
	}
	if len(parents) > 0 {
		return s.multivariateSums(parents, list, h2)
	}
	all := make([][]float64, len(list))
	for m, c := range list {
		all[m] = s.sumsOfOnly(c.extra, h2)
	}
	return all
}

// sumsOfOnly implements newParentSums for a single parent. If parent is noParent, all kernels are 1.
func (s *Scorer) sumsOfOnly(parent int, h2 float64) []float64 {
	if parent == noParent {
		others := float64(s.scratch.n - 1)
		return slices.Repeat([]float64{others}, s.scratch.n)
	}
	return byRow(s.univariateSums(parent, h2), s.order[parent])
}

// multivariateSums implements newParentSums for at least one common parent. The parents of family c
// are the common parents and c.extra.
func (s *Scorer) multivariateSums(parents []int, list []*family, h2 float64) [][]float64 {
	// Sort the rows by the first parent, because only rows within h2 of each other have a positive
	// kernel.
	order := s.order[parents[0]]
	s.scratch.load(s.x, order, parents[0], parents)
	for _, c := range list {
		fill(c.extraValues, s.x[c.extra], order)
	}
	// sumUpOne multiplies each term by a kernel of the first parent. A kernel that is 1 up to the
	// distance h2 changes nothing, because the kernel of all parents is 0 beyond h2.
	one := kernelY{h: h2}
	all := s.scratch.sumUpOne(one, h2, list)
	for m := range all {
		all[m] = byRow(all[m], order)
	}
	return all
}

// univariateSums returns the kernel sums sum_{j != i} (1 - (y_i-y_j)^2/h^2)_+ of the given node
// alone, whose values are y. The rows i are in ascending order of y. Results are cached in s.sums.
func (s *Scorer) univariateSums(node int, h float64) []float64 {
	k := sumsKey(univariateKey, []int{node}, h)
	sums, ok := s.sums[k]
	if !ok {
		f := newFamilies(len(s.x[0]), 1)
		f.load(s.x, s.order[node], node, nil)
		sums = f.sumUpOne(bump(h), math.Inf(1), []*family{&f.list[0]})[0]
		s.sums[k] = sums
	}
	return sums
}

// byRow returns the values in the order of rows. values[t] belongs to row order[t].
func byRow(values []float64, order []int) []float64 {
	rows := make([]float64, len(order))
	for t, i := range order {
		rows[i] = values[t]
	}
	return rows
}

// Keys in Scorer.sums contain one of these numbers instead of a node.
const (
	parentsKey    = -1
	univariateKey = -2
)

// sumsKey returns the key in Scorer.sums for some variables with bandwidth h. kind is parentsKey or
// univariateKey.
func sumsKey(kind int, variables []int, h float64) string {
	return key(kind, variables) + string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(h)))
}

// key returns the cache key for node given parents.
func key(node int, parents []int) string {
	b := make([]byte, 0, 64)
	b = binary.AppendVarint(b, int64(node))
	for _, j := range parents {
		b = binary.AppendUvarint(b, uint64(j))
	}
	return string(b)
}
