package svm

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A matrix is a symmetric kernel matrix that is read by rows.
type matrix interface {
	// row returns K[i][:], valid until the second next call of row.
	row(i int) []float64
}

// full is a matrix that lies in memory, row after row.
type full struct {
	n    int
	data []float64
}

func (m *full) row(i int) []float64 { return m.data[i*m.n : (i+1)*m.n : (i+1)*m.n] }

// mirrorBlock is the edge of the square that is transposed at once, small enough
// for source and destination to stay in the first-level cache.
const mirrorBlock = 32

// unpack writes both triangles of k, of which gonum stores the upper one.
func unpack(k *mat.SymDense) *full {
	raw := k.RawSymmetric()
	n := raw.N
	m := &full{n: n, data: make([]float64, n*n)}
	for i := range n {
		copy(m.data[i*n+i:(i+1)*n], raw.Data[i*raw.Stride+i:i*raw.Stride+n])
	}
	m.mirror()
	return m
}

// finite says whether every entry of the upper triangle is finite.
func (m *full) finite() bool {
	const exponent = 0x7ff << 52
	for i := range m.n {
		for _, v := range m.data[i*(m.n+1) : (i+1)*m.n] {
			if math.Float64bits(v)&exponent == exponent {
				return false
			}
		}
	}
	return true
}

// mirror copies the upper triangle to the lower one.
func (m *full) mirror() {
	n := m.n
	for i0 := 0; i0 < n; i0 += mirrorBlock {
		for j0 := 0; j0 <= i0; j0 += mirrorBlock {
			for i := i0; i < min(i0+mirrorBlock, n); i++ {
				for j := j0; j < min(j0+mirrorBlock, i); j++ {
					m.data[i*n+j] = m.data[j*n+i]
				}
			}
		}
	}
}
