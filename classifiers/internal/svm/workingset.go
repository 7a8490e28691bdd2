package svm

import (
	"cmp"
	"slices"

	"copse/stats"
	"copse/stats/dataset"
)

const (
	// workingSet is the usual limit on the number of rows in a working set (see largestSet).
	workingSet = 256
	// linearSet is this limit for linear problems, where the kernel values are computed anew for
	// every working set.
	linearSet = 128
)

// candidates returns the rows that violate optimality, in ascending order. If these are more rows
// than a working set may have, it returns only the rows furthest from optimality.
//
// Let f be the negative gradient of the objective. The dual variable b can increase in up rows and
// decrease in low rows. Let fUp be the largest f of the up rows and fLow the smallest f of the low
// rows. At the optimum, fUp <= fLow. So up rows with f > fLow and low rows with f < fUp violate
// optimality.
func (s *solver) candidates() []int {
	n := len(s.f)
	up, low, rows := make([]distance, 0, n), make([]distance, 0, n), make([]int, 0, n)
	for i, f := range s.f {
		isUp, isLow := s.b[i] < s.hi[i], s.b[i] > s.lo[i]
		violatesUp := isUp && f > s.fLow
		if violatesUp { // a larger f is further from optimality
			up = append(up, distance{f, i})
		}
		violatesLow := isLow && f < s.fUp
		if violatesLow { // a smaller f is further from optimality
			low = append(low, distance{-f, i})
		}
		if violatesUp || violatesLow {
			rows = append(rows, i)
		}
	}
	maxRows := max(s.kernel.largestSet(), s.enlargedSet) // the solver may allow larger sets than the kernel
	if len(rows) > maxRows {
		return furthestRows(up, low, maxRows, n)
	}
	return rows
}

// furthestRows returns the given number of rows in ascending order, of n rows in total. It takes the
// rows furthest from optimality from the slices up and low, in turn. The slices must contain enough
// different rows.
func furthestRows(up, low []distance, count, n int) []int {
	member := make([]bool, n)
	up, low = furthest(up, count), furthest(low, count)
	size := 0
	for r := 0; size < count; r++ {
		for _, kind := range [][]distance{up, low} {
			if r < len(kind) && size < count && !member[kind[r].row] {
				member[kind[r].row] = true
				size++
			}
		}
	}
	return positions(member)
}

// positions returns the indices i for which member[i] is true.
func positions(member []bool) (rows []int) {
	for i, in := range member {
		if in {
			rows = append(rows, i)
		}
	}
	return rows
}

// A distance ranks rows by how far they are from optimality. It is f for an up row and -f for a low
// row. Distances of up rows and of low rows are not comparable, because different constants are
// left out.
type distance struct {
	far float64
	row int
}

// before reports whether a is further from optimality than b. Ties go to the row with the lower
// index.
func (a distance) before(b distance) bool {
	return a.far > b.far || a.far == b.far && a.row < b.row
}

func (a distance) compare(b distance) int {
	return cmp.Or(cmp.Compare(b.far, a.far), cmp.Compare(a.row, b.row))
}

// furthest returns the k largest distances in descending order, or all if there are fewer. It reorders
// v and returns a part of it.
func furthest(v []distance, k int) []distance {
	partition(v, k)
	v = v[:min(k, len(v))]
	slices.SortFunc(v, distance.compare)
	return v
}

// partition moves the k largest distances (in the order of before) to the front of v, in any order, by Hoare's
// selection algorithm. At any time, all elements of v[:from] are among the k largest, and no
// elements of v[to:] are.
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
		// Now no distance in v[from..j] comes after the pivot, and no distance in v[i..to-1] comes
		// before the pivot.
		switch {
		case k <= j:
			to = j + 1
		case k >= i:
			from = i
		default: // the boundary lies at the pivot: finished
			from = k
		}
	}
}

// restrict returns the problem of the working set with the given rows. Row r of this problem is row
// rows[r] of s, with the same dual variable b, negative gradient f, and bounds of b (lo and hi).
func (s *solver) restrict(rows []int) *pairs {
	m := len(rows)
	s.setKernel = stats.Resized(s.setKernel, m*m)
	p := &pairs{
		m:       m,
		kernel:  s.setKernel,
		diag:    make([]float64, m),
		b:       make([]float64, m),
		f:       dataset.At(s.f, rows),
		lo:      dataset.At(s.lo, rows),
		hi:      dataset.At(s.hi, rows),
		notUp:   make([]float64, m),
		notLow:  make([]float64, m),
		precise: s.precise(),
	}
	s.kernel.restrict(p.kernel, rows)
	for r, i := range rows {
		p.diag[r] = p.kernel[r*(m+1)]
		p.setDual(r, s.b[i]) // also sets notUp and notLow: whether b is at a bound
	}
	return p
}

// apply copies the solution p of a working set to s and updates f = y - Kb in all rows. Row r of p
// is row rows[r] of s.
func (s *solver) apply(rows []int, p *pairs) {
	var moved []int
	var delta []float64 // the change of b in the moved rows
	for r, i := range rows {
		if change := p.b[r] - s.b[i]; change != 0 {
			moved, delta = append(moved, i), append(delta, change)
		}
		s.b[i] = p.b[r]
	}
	s.kernel.subtract(s.f, moved, delta)
	for r, i := range rows {
		s.f[i] = p.f[r] // replaces a rounded sum, to keep the gap that p reached
	}
}
