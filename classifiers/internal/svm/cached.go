package svm

import (
	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// cached is a kernel matrix whose rows are computed when they are needed and
// kept while there is room. A working set needs the kernel values among its
// rows, and whole rows only for those that move.
type cached struct {
	k     Kernel
	p     *points
	slots [][]float64
	owner []int // the row in each slot, or -1
	used  []int // when each slot was read last
	slot  []int // the slot of each row, or -1
	clock int
}

// mostRows is the largest working set where rows are computed on demand.
const mostRows = 1024

// newCached has as many slots as cacheBytes allow, but at least a working set.
func newCached(k Kernel, p *points, cacheBytes int) *cached {
	slots := min(max(cacheBytes/(8*p.n), mostRows), p.n)
	m := &cached{
		k:     k,
		p:     p,
		slots: make([][]float64, slots),
		owner: make([]int, slots),
		used:  make([]int, slots),
		slot:  make([]int, p.n),
	}
	for s := range m.owner {
		m.owner[s] = -1
	}
	for i := range m.slot {
		m.slot[i] = -1
	}
	return m
}

// most is a larger set for more rows: a set costs m^2 kernel values, and each
// pass over all rows n values per row that moved.
func (m *cached) most() int { return min(max(m.p.n/8, workingSet), mostRows) }

func (m *cached) restrict(dst []float64, rows []int) {
	n, d := len(rows), m.p.d
	x, zz := make([]float64, 0, n*d), make([]float64, n)
	for r, i := range rows {
		x = append(x, m.p.at(i)...)
		zz[r] = m.p.zz[i]
	}
	clear(dst)
	vecmath.AddGram(dst, n, x, d, d)
	for r := range rows {
		m.k.apply(dst[r*(n+1):(r+1)*n], zz[r], zz[r:])
	}
	(&Gram{n: n, data: dst}).mirror()
}

func (m *cached) subtract(f []float64, rows []int, delta []float64) {
	for from := 0; from < len(rows); from += len(m.slots) { // a warm start may have more rows than slots
		part := rows[from:min(from+len(m.slots), len(rows))]
		m.load(part)
		for r, i := range part {
			floats.AddScaled(f, -delta[from+r], m.slots[m.slot[i]])
		}
	}
}

func (m *cached) row(i int) []float64 {
	m.load([]int{i})
	return m.slots[m.slot[i]]
}

// load brings the given rows, at most as many as there are slots, into slots:
// those that have not been read for the longest time.
func (m *cached) load(rows []int) {
	m.clock++
	var missing []int
	for _, i := range rows {
		if s := m.slot[i]; s < 0 {
			missing = append(missing, i)
		} else {
			m.used[s] = m.clock
		}
	}
	dst, x := make([][]float64, 0, len(missing)), make([]float64, 0, len(missing)*m.p.d)
	for _, i := range missing {
		dst, x = append(dst, m.claim(i)), append(x, m.p.at(i)...)
	}
	if len(missing) > 0 {
		m.p.kernels(m.k, dst, x)
	}
}

// claim gives row i a slot.
func (m *cached) claim(i int) []float64 {
	oldest := 0
	for s, at := range m.used {
		if at < m.used[oldest] {
			oldest = s
		}
	}
	if before := m.owner[oldest]; before >= 0 {
		m.slot[before] = -1
	} else {
		m.slots[oldest] = make([]float64, m.p.n)
	}
	m.owner[oldest], m.slot[i], m.used[oldest] = i, oldest, m.clock
	return m.slots[oldest]
}
