package vecmath

import "fmt"

// productRows are the rows whose products are summed side by side.
const productRows = 8

// LessProducts takes the dot products of w with the first rows of x, stride elements
// apart, from f, whole blocks of eight, and returns the number of these rows: none
// without assembly. The bits are those of gonum's Dgemv for amd64, which waits for the
// sums of four rows: elements of even and of odd place are added in lanes of their
// own, the last of an odd number when these are one.
func LessProducts(f, x []float64, stride int, w []float64) int {
	rows, n := len(f)-len(f)%productRows, len(w)
	if rows == 0 || n == 0 {
		return 0
	}
	if n > stride || len(x) < (rows-1)*stride+n {
		panic(fmt.Sprintf("vecmath: %d rows of %d elements, stride %d, in %d", rows, n, stride, len(x)))
	}
	return lessProductsAsm(f[:rows], x, stride, w)
}
