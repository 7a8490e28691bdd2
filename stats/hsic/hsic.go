// Package hsic measures the dependence of two real variables by the Hilbert-Schmidt independence
// criterion (HSIC) with Gaussian kernels.
package hsic

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// blockColumns is the number of kernel values per variable that Matrix computes at once. For 20
// variables they fit into the second-level cache.
const blockColumns = 2048

// Matrix returns the d x d matrix of the empirical HSIC of all pairs of d columns with n finite
// values each. The diagonal contains the HSIC of each column with itself.
//
// Let K_ik = exp(-(x_i-x_k)^2/(2 b^2)) be the kernel matrix of one column, with b from the median
// heuristic. Let L be the kernel matrix of another column. Then
//
//	HSIC = n^-2 sum_ik K_ik L_ik + n^-4 (sum_ik K_ik)(sum_ik L_ik)
//	       - 2 n^-3 sum_i (sum_k K_ik)(sum_k L_ik)
//	     = n^-2 tr(K H L H),  H = I - 11'/n.
//
// This is the estimator of the R package dHSIC 2.1. Tenzer et al. (2020), section 2.2, divide by
// (n-1)^2 instead, which does not affect the ranking of pairs. A constant column has HSIC 0 with
// every column.
//
// Matrix takes O(d^2 + dn) memory and O(d^2 n^2) time, most of it in one matrix product.
func Matrix(ctx context.Context, columns [][]float64) (*mat.SymDense, error) {
	d, n := len(columns), len(columns[0])
	scaled := make([][]float64, d)
	for j, x := range columns {
		scaled[j] = scale(x) // nil if the column is constant
	}
	sums, upperProducts, err := sumKernels(ctx, scaled, n) // upperProducts: sums of K_ik L_ik over i < k
	if err != nil {
		return nil, err
	}
	return combineSums(scaled, sums, upperProducts), nil
}

// combineSums returns the HSIC of all pairs of columns, by the first formula in the comment of Matrix.
// The arguments sums and upperProducts are the results of sumKernels. If column j is constant,
// scaled[j] is nil.
func combineSums(scaled [][]float64, sums *mat.Dense, upperProducts []float64) *mat.SymDense {
	d, n := sums.Dims()
	sumProducts := make([]float64, d*d) // sum_i (sum_k K_ik)(sum_k L_ik)
	vecmath.AddGram(sumProducts, d, sums.RawMatrix().Data, n, n)
	totals := rowTotals(sums) // sum_ik K_ik
	size := float64(n)
	hsic := mat.NewSymDense(d, nil)
	for a := range d {
		for b := a; b < d; b++ {
			if scaled[a] == nil || scaled[b] == nil {
				continue // a constant column
			}
			// Add the three terms of the formula. In sum_ik K_ik L_ik, the n diagonal terms are 1.
			// The terms with i > k equal those with i < k.
			value := (size + 2*upperProducts[a*d+b]) / (size * size)
			value += totals[a] / (size * size) * (totals[b] / (size * size))
			value -= 2 * sumProducts[a*d+b] / (size * size * size)
			hsic.SetSym(a, b, max(value, 0)) // negative only by rounding
		}
	}
	return hsic
}

// rowTotals returns the sum of the elements in each row of m.
func rowTotals(m *mat.Dense) []float64 {
	d, _ := m.Dims()
	totals := make([]float64, d)
	for j := range totals {
		for _, v := range m.RawRowView(j) {
			totals[j] += v
		}
	}
	return totals
}

// sumKernels computes sums of kernel values for d columns of n rows. Element (j, i) of sums is
// sum_k K_ik for the kernel matrix K of column j. For columns a <= b with the kernel matrices K and L,
// upperProducts[a*d+b] is the sum of K_ik L_ik over all i < k. For a constant column, scaled[j] is
// nil, and all sums are 0.
//
// Each column has a list of its kernels K_ik with i < k, in the order of i. upperProducts contains
// the dot products of these lists. To save memory, the lists are computed block by block.
func sumKernels(
	ctx context.Context, scaled [][]float64, n int,
) (sums *mat.Dense, upperProducts []float64, err error) {
	d := len(scaled)
	sums = mat.NewDense(d, n, nil)
	for j, z := range scaled {
		if z != nil {
			floats.AddConst(1, sums.RawRowView(j)) // the term K_ii = 1
		}
	}
	upperProducts = make([]float64, d*d)
	width := max(blockColumns, n)        // room for at least the kernels of one i
	block := mat.NewDense(d, width, nil) // row j is a section of the list of column j; 0 if the column is constant
	filled := 0                          // number of kernels in each row of the block
	addProducts := func() {              // adds the dot products of the rows of the block
		vecmath.AddGram(upperProducts, d, block.RawMatrix().Data, width, filled)
	}
	for i := range n {
		later := n - i - 1 // number of rows k > i
		isFull := filled+later > width
		if isFull {
			addProducts()
			filled = 0
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		for j, z := range scaled {
			if z != nil {
				kernel := block.RawRowView(j)[filled : filled+later]
				setKernel(kernel, z, i)
				addKernel(sums.RawRowView(j), kernel, i)
			}
		}
		filled += later
	}
	addProducts() // of the last block
	return sums, upperProducts, nil
}

// setKernel sets kernel to K_ik = exp(-(z_i-z_k)^2) for k = i+1..n-1.
func setKernel(kernel, z []float64, i int) {
	const h = 1 / math.Sqrt2 // bandwidth of this Gaussian kernel
	vecmath.Gauss(kernel, z[i+1:], z[i], vecmath.Scale/h)
}

// addKernel adds the kernel values K_ik, k > i, to sums[i] and, by symmetry, to sums[k]. kernel[m]
// is K_ik for k = i+1+m.
func addKernel(sums, kernel []float64, i int) {
	sum := 0.0
	for k, v := range kernel {
		sum += v
		sums[i+1+k] += v
	}
	sums[i] += sum
}

// scale returns u = (x - x[0]) / (b sqrt 2) for the bandwidth b of x. The Gaussian kernel of two
// rows is then exp(-(u_i - u_k)^2). If x is constant, scale returns nil.
func scale(x []float64) []float64 {
	if slices.Min(x) == slices.Max(x) {
		return nil
	}
	h := math.Sqrt2 * bandwidth(x)
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = (v - x[0]) / h
	}
	return z
}
