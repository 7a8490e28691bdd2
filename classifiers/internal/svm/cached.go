package svm

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// cached is a kernel matrix that computes rows on demand. It keeps them in slots and replaces
// the row that was not used for the longest time.
type cached struct {
	k     Kernel
	p     *points
	slots [][]float64
	owner []int // owner[s] is the row in slot s, or absent
	used  []int // used[s] is the time at which slot s was used last
	slot  []int // slot[i] is the slot of row i, or absent
	clock int   // number of loads so far: the time
}

// absent is the owner of an empty slot, and the slot of a row that is not in any.
const absent = -1

// mostRows is the largest working set where rows are computed on demand.
const mostRows = 1024

// newCached returns an empty cache. It has as many slots as cacheBytes allow, but at least
// as many as a working set has rows.
func newCached(k Kernel, p *points, cacheBytes int) *cached {
	slots := min(max(cacheBytes/(8*p.n), mostRows), p.n)
	return &cached{
		k:     k,
		p:     p,
		slots: make([][]float64, slots),
		owner: slices.Repeat([]int{absent}, slots),
		used:  make([]int, slots),
		slot:  slices.Repeat([]int{absent}, p.n),
	}
}

// most grows with the number of rows n: a working set of m rows costs m^2 kernel values,
// and the pass over all rows that follows it costs n for each row that moved.
func (m *cached) most() int { return min(max(m.p.n/8, workingSet), mostRows) }

// restrict computes the kernel values among the rows anew, without the slots.
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

// load brings the given rows, at most as many as there are slots, into slots.
func (m *cached) load(rows []int) {
	m.clock++
	var missing []int
	for _, i := range rows {
		if s := m.slot[i]; s == absent {
			missing = append(missing, i)
		} else {
			m.used[s] = m.clock
		}
	}
	if len(missing) == 0 {
		return
	}
	dst, x := make([][]float64, 0, len(missing)), make([]float64, 0, len(missing)*m.p.d)
	for _, i := range missing {
		dst, x = append(dst, m.claim(i)), append(x, m.p.at(i)...)
	}
	m.p.kernels(m.k, dst, x)
}

// claim gives row i the slot that was not used for the longest time, and returns it.
func (m *cached) claim(i int) []float64 {
	oldest := 0
	for s, time := range m.used {
		if time < m.used[oldest] {
			oldest = s
		}
	}
	if before := m.owner[oldest]; before == absent {
		m.slots[oldest] = make([]float64, m.p.n)
	} else {
		m.slot[before] = absent
	}
	m.owner[oldest], m.slot[i], m.used[oldest] = i, oldest, m.clock
	return m.slots[oldest]
}
