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
func (s *Sample) CountIncomplete(ctx context.Context, tolerance float64,
	maxIter int) (m *Marginals, proved bool, err error) {
	m, singles := s.countPresent()
	p := newProjector(m, singles)
	near := func() bool { return p.closed(tolerance, nearEnough*float64(len(s.Pairs))) }
	if _, err := p.run(ctx, maxIter, near); err != nil {
		return nil, false, err
	}
	p.repair(p.bestX, m.Mu)
	return m, near(), nil
}

// countPresent returns the tables of pairs and of single features from the rows
// that have them. These need not agree.
func (s *Sample) countPresent() (m *Marginals, singles [][]float64) {
	m, singles = newMarginals(s.Levels, s.Classes, s.Pairs), make([][]float64, len(s.Levels))
	for _, label := range s.Y {
		m.Prior[label] += 1 / float64(len(s.Y))
	}
	for i, d := range s.Levels {
		singles[i] = make([]float64, s.Classes*d)
		for r, v := range s.Columns[i] {
			if v != Missing {
				singles[i][s.Y[r]*d+v]++
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
	for e, p := range s.Pairs {
		di, dj := s.Levels[p.I], s.Levels[p.J]
		table, ci, cj := m.Table(e), s.Columns[p.I], s.Columns[p.J]
		for r, label := range s.Y {
			if a, b := ci[r], cj[r]; a != Missing && b != Missing {
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
