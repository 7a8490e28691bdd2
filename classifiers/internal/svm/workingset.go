package svm

import (
	"slices"
)

// workingSet is the largest number of rows that move at once, linearSet that where
// their kernel values must be computed for the purpose.
const (
	workingSet = 256
	linearSet  = 128
)

// candidates returns the working set in ascending order: of the up rows with
// f > fLow and the low rows with f < fUp all, or the furthest of each kind in
// turn.
func (s *solver) candidates() []int {
	s.up, s.low, s.rows = s.up[:0], s.low[:0], s.rows[:0]
	for i, v := range s.f {
		up, low := s.b[i] < s.hi[i] && v > s.fLow, s.b[i] > s.lo[i] && v < s.fUp
		if up {
			s.up = append(s.up, distance{v, i})
		}
		if low {
			s.low = append(s.low, distance{-v, i})
		}
		if up || low {
			s.rows = append(s.rows, i)
		}
	}
	if most := s.k.most(); len(s.rows) > most {
		s.rows = s.inTurn(most)
	}
	return s.rows
}

// inTurn returns the furthest of the up and the low rows in turn, in ascending order.
// Half as many of each kind are among them whatever their order.
func (s *solver) inTurn(most int) []int {
	s.member = resized(s.member, len(s.b))
	clear(s.member)
	size := 0
	join := func(d distance) {
		if !s.member[d.row] && size < most {
			s.member[d.row] = true
			size++
		}
	}
	var rest [2][]distance
	for k, kind := range [][]distance{s.up, s.low} {
		half := min(most/2, len(kind))
		partition(kind, half)
		for _, d := range kind[:half] {
			join(d)
		}
		rest[k] = kind[half:]
	}
	if size < most {
		up, low := furthest(rest[0], most), furthest(rest[1], most)
		for r := range max(len(up), len(low)) {
			for _, kind := range [][]distance{up, low} {
				if r < len(kind) {
					join(kind[r])
				}
			}
		}
	}
	return appendPositions(s.rows[:0], s.member)
}

// positions returns the indices of the true entries.
func positions(member []bool) []int { return appendPositions(nil, member) }

func appendPositions(rows []int, member []bool) []int {
	for i, in := range member {
		if in {
			rows = append(rows, i)
		}
	}
	return rows
}

// A distance says how far a row is from optimality, up to a constant.
type distance struct {
	far float64
	row int
}

func (a distance) before(b distance) bool {
	return a.far > b.far || a.far == b.far && a.row < b.row
}

func (a distance) compare(b distance) int {
	switch {
	case a.before(b):
		return -1
	case b.before(a):
		return 1
	}
	return 0
}

// furthest returns the first k of v, fewer if there are fewer, in order; of equal
// ones the smaller row is first. It reorders v.
func furthest(v []distance, k int) []distance {
	partition(v, k)
	v = v[:min(k, len(v))]
	slices.SortFunc(v, distance.compare)
	return v
}

// partition brings the first k of v to the front.
func partition(v []distance, k int) {
	// Hoare's selection: everything before from belongs to the first k, nothing
	// from to on does.
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
		switch { // v[from..j] are before v[i..to-1], and what lies between is the pivot
		case k <= j:
			to = j + 1
		case k >= i:
			from = i
		default:
			from = k
		}
	}
}

// restrict returns the problem with all b outside rows held fixed.
func (s *solver) restrict(rows []int) *pairs {
	m := len(rows)
	p := newPairs(m, s.scratch)
	s.k.restrict(p.k, rows)
	for r, i := range rows {
		p.set(r, s.b[i], s.f[i], s.lo[i], s.hi[i])
	}
	return p
}

// apply takes over the solution of a working set.
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
