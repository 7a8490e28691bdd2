package svm

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// cached is a kernel matrix that computes its rows on demand and keeps them in slots. A new row
// replaces the least recently used row.
type cached struct {
	kernel Kernel
	points *points
	slots  [][]float64
	owner  []int // owner[s] is the row in slot s, or absent
	used   []int // used[s] is the time at which slot s was used last
	slot   []int // slot[i] is the slot of row i, or absent
	clock  int   // number of calls of load so far, which serves as the time
}

// absent is the value of owner for an empty slot, and the value of slot for a row without a slot.
const absent = -1

// mostRows is the largest number of rows in a working set if kernel rows are computed on demand.
const mostRows = 1024

// newCached returns a kernel matrix with empty slots. It has as many slots as fit in cacheBytes,
// but at least mostRows, and at most one for each row.
func newCached(k Kernel, p *points, cacheBytes int) *cached {
	slots := min(max(cacheBytes/(8*p.n), mostRows), p.n)
	return &cached{
		kernel: k,
		points: p,
		slots:  make([][]float64, slots),
		owner:  slices.Repeat([]int{absent}, slots),
		used:   make([]int, slots),
		slot:   slices.Repeat([]int{absent}, p.n),
	}
}

// largestSet returns n/8 for n training rows, but at least workingSet and at most mostRows. A set of
// m rows needs m^2 kernel values.
func (m *cached) largestSet() int { return min(max(m.points.n/8, workingSet), mostRows) }

// restrict computes all kernel values between the given rows, without the cache.
func (m *cached) restrict(dst []float64, rows []int) {
	n, d := len(rows), m.points.d
	x, zz := make([]float64, 0, n*d), make([]float64, n)
	for r, i := range rows {
		x = append(x, m.points.at(i)...)
		zz[r] = m.points.zz[i]
	}
	clear(dst)
	vecmath.AddGram(dst, n, x, d, d)
	for r := range rows {
		fromDiagonal := dst[r*(n+1) : (r+1)*n] // row r from the diagonal on
		m.kernel.apply(fromDiagonal, zz[r], zz[r:])
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

// load ensures that the given rows of the kernel matrix are cached. It computes missing rows
// together, and each replaces the least recently used row. There must not be more rows than slots.
func (m *cached) load(rows []int) {
	m.clock++
	var missing []int // rows without a slot
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
	claimed := make([][]float64, 0, len(missing))    // the slots of the missing rows
	x := make([]float64, 0, len(missing)*m.points.d) // the missing rows, one after another
	for _, i := range missing {
		claimed = append(claimed, m.claim(i))
		x = append(x, m.points.at(i)...)
	}
	m.points.kernels(m.kernel, claimed, x)
}

// claim assigns the least recently used slot to row i and returns the memory of the slot.
func (m *cached) claim(i int) []float64 {
	oldest := 0
	for s, time := range m.used {
		if time < m.used[oldest] {
			oldest = s
		}
	}
	previousOwner := m.owner[oldest]
	if previousOwner == absent {
		m.slots[oldest] = make([]float64, m.points.n)
	} else {
		m.slot[previousOwner] = absent
	}
	m.owner[oldest] = i
	m.slot[i] = oldest
	m.used[oldest] = m.clock // the current call of load does not claim this slot again
	return m.slots[oldest]
}
