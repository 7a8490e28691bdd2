package svm

import (
	"cmp"
	"slices"
)

const (
	// workingSet is the largest number of rows that move at once.
	workingSet = 256
	// linearSet is that number where the kernel values of each set are computed anew.
	linearSet = 128
)

// candidates returns the working set in ascending order: the up rows with f > fLow and
// the low rows with f < fUp. If these are more than the matrix allows, it returns the
// furthest of both kinds. The result is valid until the next call.
func (s *solver) candidates() []int {
	s.up, s.low, s.rows = s.up[:0], s.low[:0], s.rows[:0]
	for i, f := range s.f {
		up := s.b[i] < s.hi[i] && f > s.fLow
		if up {
			s.up = append(s.up, distance{f, i})
		}
		low := s.b[i] > s.lo[i] && f < s.fUp
		if low {
			s.low = append(s.low, distance{-f, i})
		}
		if up || low {
			s.rows = append(s.rows, i)
		}
	}
	if most := s.k.most(); len(s.rows) > most {
		s.rows = s.alternate(most)
	}
	return s.rows
}

// alternate returns that many of the candidates, in ascending order. It takes the up and
// the low rows by turns, the furthest of each kind first; a row of both kinds counts once.
func (s *solver) alternate(most int) []int {
	s.member = resized(s.member, len(s.b))
	clear(s.member)
	up, low := furthest(s.up, most), furthest(s.low, most)
	size := 0
	for r := 0; size < most; r++ {
		for _, kind := range [][]distance{up, low} {
			if r < len(kind) && size < most && !s.member[kind[r].row] {
				s.member[kind[r].row] = true
				size++
			}
		}
	}
	return positions(s.rows[:0], s.member)
}

// positions appends the indices of the true entries of member to rows.
func positions(rows []int, member []bool) []int {
	for i, in := range member {
		if in {
			rows = append(rows, i)
		}
	}
	return rows
}

// A distance measures how far a row is from optimality, up to a constant that all rows
// of its kind share.
type distance struct {
	far float64
	row int
}

// before reports whether a row is further than another. Of equally distant rows the
// smaller one is first.
func (a distance) before(b distance) bool {
	return a.far > b.far || a.far == b.far && a.row < b.row
}

func (a distance) compare(b distance) int {
	return cmp.Or(cmp.Compare(b.far, a.far), cmp.Compare(a.row, b.row))
}

// furthest returns the first k distances in the order of before, or all of them if there
// are fewer. It reorders v and returns a part of it.
func furthest(v []distance, k int) []distance {
	partition(v, k)
	v = v[:min(k, len(v))]
	slices.SortFunc(v, distance.compare)
	return v
}

// partition moves the first k distances in the order of before to the front of v: Hoare's
// selection. All distances before from belong there, none from to on does.
func partition(v []distance, k int) {
	for from, to := 0, len(v); from < k && k < to; {
		pivot := v[from+(to-from)/2]
		i, j := from, to-1
		for i <= j {
			for v[i].before(pivot) {
				i++
			}
			for pivot.before(v[j]) {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch { // v[from..j] are before v[i..to-1]; the pivot lies between
		case k <= j:
			to = j + 1
		case k >= i:
			from = i
		default:
			from = k
		}
	}
}

// restrict returns the problem of the given rows while all other b stay fixed.
func (s *solver) restrict(rows []int) *pairs {
	m := len(rows)
	p := newPairs(m, s.scratch)
	s.k.restrict(p.k, rows)
	for r, i := range rows {
		p.set(r, s.b[i], s.f[i], s.lo[i], s.hi[i])
	}
	return p
}

// apply copies the solution p of the working set rows to s and updates f everywhere.
func (s *solver) apply(rows []int, p *pairs) {
	s.moved, s.delta = s.moved[:0], s.delta[:0]
	for r, i := range rows {
		if change := p.b[r] - s.b[i]; change != 0 {
			s.moved, s.delta = append(s.moved, i), append(s.delta, change)
		}
		s.b[i] = p.b[r]
	}
	s.k.subtract(s.f, s.moved, s.delta)
	for r, i := range rows {
		s.f[i] = p.f[r] // the sum above, rounded differently; keeps the gap that p reached
	}
}
