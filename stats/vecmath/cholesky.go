package vecmath

import (
	"fmt"
	"math"
)

// choleskyLanes divides the stride of Cholesky's rows: whole vectors are read.
const choleskyLanes = 8

// CholeskyStride returns the stride for n columns: an odd number of cache lines, so
// that a column lies in all parts of the cache.
func CholeskyStride(n int) int {
	return ((n+choleskyLanes-1)/choleskyLanes | 1) * choleskyLanes
}

// choleskyBlock is the size of the blocks on the diagonal.
const choleskyBlock = 64

// Cholesky replaces the upper triangle of the symmetric matrix a, n rows of
// CholeskyStride(n) elements, by U with U'U = a, and uses up the other elements. It
// tells whether a is positive definite to rounding.
//
// The bits are those of gonum's Dpotrf for amd64, which blocks by 64: from an element
// above the diagonal the products with the rows before are taken one after the other;
// from one on the diagonal those with rows before its block, then the sum of the
// others, every second one in a lane of its own but the last.
func Cholesky(a []float64, n int) bool {
	stride := CholeskyStride(n)
	if len(a) < n*stride {
		panic(fmt.Sprintf("vecmath: %d rows of %d elements in %d", n, stride, len(a)))
	}
	for j := range n {
		pivot := choleskyPivot(a, j, stride)
		if !(pivot > 0) {
			return false
		}
		pivot = math.Sqrt(pivot)
		if !choleskyRowAsm(a, j, n, stride, 1/pivot) {
			choleskyRow(a, j, n, stride, 1/pivot)
		}
		a[j*stride+j] = pivot
	}
	return true
}

// choleskyPivot returns the square of U's element j of the diagonal.
func choleskyPivot(a []float64, j, stride int) float64 {
	pivot, k := a[j*stride+j], 0
	for ; k < j-j%choleskyBlock; k++ {
		u := a[k*stride+j]
		pivot -= float64(u * u)
	}
	var even, odd float64
	for ; k+1 < j; k += 2 {
		u, v := a[k*stride+j], a[(k+1)*stride+j]
		even += float64(u * u)
		odd += float64(v * v)
	}
	if k < j {
		u := a[k*stride+j]
		odd += float64(u * u)
	}
	return pivot - (even + odd)
}

// choleskyRow makes row j of U right of the diagonal.
func choleskyRow(a []float64, j, n, stride int, inverse float64) {
	row := a[j*stride+j+1 : j*stride+n]
	for k := range j {
		u := a[k*stride+j]
		for i, v := range a[k*stride+j+1 : k*stride+n] {
			row[i] -= float64(u * v)
		}
	}
	for i := range row {
		row[i] *= inverse
	}
}
