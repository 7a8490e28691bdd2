package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/internal/vecmath"
)

// A matrix is a symmetric kernel matrix K as the solver reads it.
type matrix interface {
	// most is the largest working set.
	most() int
	// restrict writes the kernel values among m rows to dst, m x m.
	restrict(dst []float64, rows []int)
	// subtract takes sum_r delta[r] K[:][rows[r]] from f.
	subtract(f []float64, rows []int, delta []float64)
}

// rowwise is a symmetric kernel matrix that is known by its rows.
type rowwise interface {
	// row returns K[i][:], valid until the next call.
	row(i int) []float64
}

// byRow makes a matrix of it.
type byRow struct{ rowwise }

func (m byRow) most() int { return workingSet }

func (m byRow) restrict(dst []float64, rows []int) {
	for r, i := range rows {
		from, to := m.row(i), dst[r*len(rows):(r+1)*len(rows)]
		for c, j := range rows {
			to[c] = from[j]
		}
	}
}

func (m byRow) subtract(f []float64, rows []int, delta []float64) {
	for r, i := range rows {
		floats.AddScaled(f, -delta[r], m.row(i))
	}
}

// newMatrix returns the kernel matrix of p's rows: whole where it fits into
// cacheBytes, else row by row on demand.
func newMatrix(ctx context.Context, k Kernel, p *points, cacheBytes int) (rowwise, error) {
	n := p.n()
	if n*n*8 > cacheBytes {
		return newCached(k, p, cacheBytes), nil
	}
	g, err := NewGram(ctx, k, p.x)
	if err != nil {
		return nil, err
	}
	if !g.finite() {
		return nil, errNotFinite
	}
	return g, nil
}

// A Gram is a kernel matrix that lies in memory, row after row.
type Gram struct {
	n    int
	data []float64
}

// NewGram computes the kernel matrix of the rows of x.
func NewGram(ctx context.Context, k Kernel, x *mat.Dense) (*Gram, error) {
	n, d := x.Dims()
	g := &Gram{n: n, data: make([]float64, n*n)}
	raw := x.RawMatrix()
	depth := max(1, productsPerLook/(n*n/2+1))
	for j := 0; j < d; j += depth {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vecmath.AddGram(g.data, n, raw.Data[j:], raw.Stride, min(depth, d-j))
	}
	zz := make([]float64, n)
	for i := range zz {
		zz[i] = g.data[i*(n+1)]
	}
	for i := range n {
		if i%rowsPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k.apply(g.data[i*(n+1):(i+1)*n], zz[i], zz[i:])
	}
	g.mirror()
	return g, nil
}

const (
	// productsPerLook and rowsPerLook are the numbers of products and of kernel
	// rows between two looks at the context.
	productsPerLook = 100_000_000
	rowsPerLook     = 64
)

func (g *Gram) row(i int) []float64 { return g.data[i*g.n : (i+1)*g.n : (i+1)*g.n] }

// Row returns row i, which the caller must not change.
func (g *Gram) Row(i int) []float64 { return g.row(i) }

// mirrorBlock is the edge of the square that is transposed at once, small enough
// for source and destination to stay in the first-level cache.
const mirrorBlock = 32

// unpack writes both triangles of k, of which gonum stores the upper one.
func unpack(k *mat.SymDense) *Gram {
	raw := k.RawSymmetric()
	n := raw.N
	g := &Gram{n: n, data: make([]float64, n*n)}
	for i := range n {
		copy(g.data[i*(n+1):(i+1)*n], raw.Data[i*raw.Stride+i:i*raw.Stride+n])
	}
	g.mirror()
	return g
}

// finite says whether every entry of the upper triangle is finite.
func (g *Gram) finite() bool {
	const exponent = 0x7ff << 52
	for i := range g.n {
		for _, v := range g.data[i*(g.n+1) : (i+1)*g.n] {
			if math.Float64bits(v)&exponent == exponent {
				return false
			}
		}
	}
	return true
}

// mirror copies the upper triangle to the lower one.
func (g *Gram) mirror() {
	n := g.n
	for i0 := 0; i0 < n; i0 += mirrorBlock {
		for j0 := 0; j0 <= i0; j0 += mirrorBlock {
			for i := i0; i < min(i0+mirrorBlock, n); i++ {
				for j := j0; j < min(j0+mirrorBlock, i); j++ {
					g.data[i*n+j] = g.data[j*n+i]
				}
			}
		}
	}
}

// cached computes rows on demand and keeps those used last.
type cached struct {
	k     Kernel
	p     *points
	slots [][]float64
	owner []int // the row in each slot, or -1
	used  []int // when each slot was read last
	slot  []int // the slot of each row, or -1
	clock int
}

// newCached has as many slots as cacheBytes allow, but at least a working set.
func newCached(k Kernel, p *points, cacheBytes int) *cached {
	n := p.n()
	slots := min(max(cacheBytes/(8*n), workingSet), n)
	m := &cached{k: k, p: p, slots: make([][]float64, slots), owner: make([]int, slots), used: make([]int, slots), slot: make([]int, n)}
	for s := range m.owner {
		m.owner[s] = -1
	}
	for i := range m.slot {
		m.slot[i] = -1
	}
	return m
}

func (m *cached) row(i int) []float64 {
	m.clock++
	if m.slot[i] < 0 {
		m.fill(i)
	}
	m.used[m.slot[i]] = m.clock
	return m.slots[m.slot[i]]
}

// fill computes row i in the slot that has not been read for the longest time.
func (m *cached) fill(i int) {
	oldest := 0
	for s, at := range m.used {
		if at < m.used[oldest] {
			oldest = s
		}
	}
	if before := m.owner[oldest]; before >= 0 {
		m.slot[before] = -1
	} else {
		m.slots[oldest] = make([]float64, m.p.n())
	}
	m.owner[oldest], m.slot[i] = i, oldest
	m.p.kernel(m.k, m.slots[oldest], m.p.x.RawRowView(i))
}
