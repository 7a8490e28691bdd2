package stats

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
)

// normalRows is the largest number of rows for which resampled sums are computed exactly. With more
// rows, they are drawn from their normal limit, which is faster.
const normalRows = 10_000

// A normalSum is the normal limit of a sum of random vectors. Its covariance matrix is root root^T.
type normalSum struct{ root *mat.Dense }

// newNormalSum returns the normal limit of a random sum: the sum of all rows, each with a random
// sign. The mean of the rows must be 0. Their covariance matrix may be singular.
//
// The same limit applies to a sum of len(rows) rows that are drawn with replacement.
func newNormalSum(rows [][]float64) normalSum {
	k := len(rows[0])
	covariance := mat.NewSymDense(k, nil)
	for _, row := range rows {
		covariance.SymRankOne(covariance, 1, mat.NewVecDense(k, row))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		panic("stats: the eigenvalues of a covariance matrix did not converge")
	}
	// Multiply each eigenvector by the root of its eigenvalue. Then root root^T = covariance.
	root := new(mat.Dense)
	eigen.VectorsTo(root)
	values := eigen.Values(nil) // ascending
	rounding := 1e-12 * values[k-1]
	for j, value := range values {
		scale := 0.0 // for an eigenvalue that is 0 up to rounding, so that equal columns have equal sums
		if value > rounding {
			scale = math.Sqrt(value)
		}
		for i := range k {
			root.Set(i, j, root.At(i, j)*scale)
		}
	}
	return normalSum{root}
}

// draw returns a random vector from the distribution.
func (s normalSum) draw(rng *rand.Rand) []float64 {
	k, _ := s.root.Dims()
	z := mat.NewVecDense(k, nil)
	for i := range k {
		z.SetVec(i, rng.NormFloat64())
	}
	var sum mat.VecDense
	sum.MulVec(s.root, z)
	return sum.RawVector().Data
}
