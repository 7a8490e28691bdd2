package chebyshev

import "context"

// Missing is the code of a missing feature value.
const Missing = -1

// nearEnough is the distance of one table at which a projection may stop.
const nearEnough = 1e-6

// CountIncomplete returns consistent marginals of rows with missing values (section 8.3 of the
// paper). It counts each feature and each pair, in each class, in the rows that have them, and
// projects the tables onto the local polytope: the sum of absolute changes is the smallest, up
// to the share tolerance. mu(y) comes from all rows. Features that a class never shows together
// count as independent, and one that it never shows as uniform. proved is false if maxIter
// iterations do not prove that the changes are the smallest.
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

// countPresent returns the tables of pairs and of single features, each from the rows that
// have its values. These tables need not agree.
func (s *Sample) countPresent() (m *Marginals, singles [][]float64) {
	m = newMarginals(s.Levels, s.Classes, s.Pairs)
	for _, label := range s.Y {
		m.Prior[label] += 1 / float64(len(s.Y))
	}
	for i := range s.Levels {
		singles = append(singles, s.countSingle(i, m.Prior))
	}
	for e := range s.Pairs {
		s.countPair(m, e, singles)
	}
	return m, singles
}

// countSingle returns mu_i(x_i, y) of feature i, classes x d_i. It is uniform in a class
// without any value.
func (s *Sample) countSingle(i int, prior []float64) []float64 {
	d := s.Levels[i]
	single := make([]float64, s.Classes*d)
	for r, v := range s.Columns[i] {
		if v != Missing {
			single[s.Y[r]*d+v]++
		}
	}
	for label, p := range prior {
		values := single[label*d:][:d]
		if !normalise(values, p) {
			for v := range values {
				values[v] = p / float64(d)
			}
		}
	}
	return single
}

// countPair fills in the table of pair e. The features are independent in a class that
// never shows both of them.
func (s *Sample) countPair(m *Marginals, e int, singles [][]float64) {
	p := s.Pairs[e]
	di, dj := s.Levels[p.I], s.Levels[p.J]
	table := m.Table(e)
	for r, label := range s.Y {
		a, b := s.Columns[p.I][r], s.Columns[p.J][r]
		if a != Missing && b != Missing {
			table[(label*di+a)*dj+b]++
		}
	}
	for label, prior := range m.Prior {
		cells := table[label*di*dj:][:di*dj]
		if !normalise(cells, prior) {
			for c := range cells {
				cells[c] = singles[p.I][label*di+c/dj] * singles[p.J][label*dj+c%dj] / prior
			}
		}
	}
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
