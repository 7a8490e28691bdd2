package chebyshev

import "context"

// Missing is the code of a missing feature value.
const Missing = -1

// A table's share of the distance below which a projection is near enough.
const nearEnough = 1e-6

// CountIncomplete returns consistent marginals of rows with missing values
// (section 8.3 of the paper): each feature's and each pair's, in each class, from
// the rows that have it, then moved into the local polytope with the smallest
// change of both in l1. mu(y) is that of all rows. What a class never shows together
// counts as independent, a feature that it never shows as uniform. The change
// is smallest up to the share tolerance, unless maxIter iterations do not
// suffice to show it; then proved is false.
func CountIncomplete(ctx context.Context, columns [][]int, y []int, levels []int, classes int, pairs []Pair, tolerance float64, maxIter int) (m *Marginals, proved bool, err error) {
	m, singles := countPresent(columns, y, levels, classes, pairs)
	p := newProjector(m, singles)
	near := func() bool { return p.closed(tolerance, nearEnough*float64(len(pairs))) }
	if _, err := p.run(ctx, maxIter, near); err != nil {
		return nil, false, err
	}
	p.repair(p.bestX, m.Mu)
	return m, near(), nil
}

// countPresent returns the tables of pairs and of single features from the rows
// that have them. These need not agree.
func countPresent(columns [][]int, y []int, levels []int, classes int, pairs []Pair) (m *Marginals, singles [][]float64) {
	m, singles = newMarginals(levels, classes, pairs), make([][]float64, len(levels))
	for _, label := range y {
		m.Prior[label] += 1 / float64(len(y))
	}
	for i, d := range levels {
		singles[i] = make([]float64, classes*d)
		for r, v := range columns[i] {
			if v != Missing {
				singles[i][y[r]*d+v]++
			}
		}
		for label, prior := range m.Prior {
			if block := singles[i][label*d:][:d]; !normalise(block, prior) {
				for v := range block {
					block[v] = prior / float64(d)
				}
			}
		}
	}
	for e, p := range pairs {
		di, dj := levels[p.I], levels[p.J]
		table := m.Table(e)
		for r, label := range y {
			if a, b := columns[p.I][r], columns[p.J][r]; a != Missing && b != Missing {
				table[(label*di+a)*dj+b]++
			}
		}
		for label, prior := range m.Prior {
			if block := table[label*di*dj:][:di*dj]; !normalise(block, prior) {
				for c := range block {
					block[c] = singles[p.I][label*di+c/dj] * singles[p.J][label*dj+c%dj] / prior
				}
			}
		}
	}
	return m, singles
}

// normalise scales nonnegative values to the given sum; it reports false when
// they are all zero.
func normalise(v []float64, sum float64) bool {
	total := 0.0
	for _, x := range v {
		total += x
	}
	if total == 0 {
		return false
	}
	for c := range v {
		v[c] *= sum / total
	}
	return true
}
