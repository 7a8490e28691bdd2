package chebyshev

import (
	"context"

	"copse/classifiers/internal/columns"
)

// nearEnough is a gap per pair of features at which CountIncomplete stops, however small the
// tolerance is.
const nearEnough = 1e-6

// CountIncomplete returns consistent marginals of rows with missing values (section 8.3 of the
// paper).
//
// It counts the values that are present and then makes the tables consistent. The sum of the
// absolute changes is minimal, up to the relative tolerance. CountIncomplete returns false if
// maxIter iterations were not enough to prove this.
//
// In a class without data, the features of a pair count as independent, and single features as
// uniform.
func (s *Sample) CountIncomplete(ctx context.Context, tolerance float64,
	maxIter int) (m *Marginals, proved bool, err error) {
	m, singles := s.countPresent()
	p := newProjector(m, singles)
	isMinimal := func() bool { return p.closed(tolerance, nearEnough*float64(len(s.Pairs))) }
	if _, err := p.run(ctx, maxIter, isMinimal); err != nil {
		return nil, false, err
	}
	copy(m.Mu, p.repair(p.bestX)) // the tables of pairs, which precede the single features
	return m, isMinimal(), nil
}

// countPresent returns the tables of pairs and of single features. They need not be consistent,
// because each table counts only the rows in which its features are present.
func (s *Sample) countPresent() (m *Marginals, singles [][]float64) {
	m = s.countLabels()
	for i := range s.Levels {
		singles = append(singles, s.countSingle(i, m.Prior))
	}
	for e := range s.Pairs {
		s.countPair(m, e, singles)
	}
	return m, singles
}

// countSingle estimates the joint probabilities of feature i and the class.
//
// Element y*d + v belongs to class y and value v, where d is the number of values. The
// probabilities of class y sum to prior[y]. They are equal if the class has no values.
func (s *Sample) countSingle(i int, prior []float64) []float64 {
	d := s.Levels[i]
	single := make([]float64, s.Classes*d)
	for r, v := range s.Columns[i] {
		if v != columns.MissingCode {
			single[s.Y[r]*d+v]++
		}
	}
	for label, p := range prior {
		values := single[label*d:][:d]
		hasValues := normalise(values, p)
		if !hasValues {
			for v := range values {
				values[v] = p / float64(d)
			}
		}
	}
	return single
}

// countPair fills the tables of edge e from the rows in which neither feature is missing. In a class
// without such rows, it treats the features as independent. singles[i] contains the probabilities
// p(x_i,y) of feature i, as countSingle returns them.
func (s *Sample) countPair(m *Marginals, e int, singles [][]float64) {
	p := s.Pairs[e]
	di, dj := m.dims(e)
	for r, label := range s.Y {
		xi, xj := s.Columns[p.I][r], s.Columns[p.J][r]
		if xi != columns.MissingCode && xj != columns.MissingCode {
			m.labelTable(m.Mu, e, label)[xi*dj+xj]++
		}
	}
	for label, prior := range m.Prior {
		table := m.labelTable(m.Mu, e, label)
		hasRows := normalise(table, prior)
		if !hasRows {
			ofI, ofJ := singles[p.I][label*di:], singles[p.J][label*dj:]
			for c := range table { // c = x_i*d_j + x_j; p(x_i,x_j,y) = p(x_i,y) p(x_j,y) / p(y)
				table[c] = ofI[c/dj] * ofJ[c%dj] / prior
			}
		}
	}
}

// normalise scales nonnegative values to the given sum. If all are zero, it returns false and
// changes nothing.
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
