package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats"
	"copse/stats/dataset"
)

// Options are the settings of Train.
type Options struct {
	C          float64   // cost of a unit of slack
	Weights    []float64 // Weights[k] multiplies C for the rows of class k
	Tol        float64   // KKT gap at which training stops
	CacheBytes int       // memory for kernel values of one pair of classes
}

// A Machine classifies rows by one-vs-one voting, like libsvm. The binary machine of each pair of
// classes a < b votes for a if its decision value is positive. Ties go to the lowest class. A
// Machine is immutable.
type Machine struct {
	kernel  Kernel
	vectors *points  // the support vectors of all pairs
	pairs   []binary // in the order of stats.Pairs
}

// binary is the machine of one pair of classes. Its decision value at x is sum_j coef[j] K(z_j, x)
// + bias. The caller stores the rows z_j.
type binary struct {
	coef []float64
	bias float64
}

// Train fits a binary machine to the rows of x for each pair of the classes 0..classes-1. Row i has
// class labels[i]. Train returns an error if a class does not occur.
func Train(ctx context.Context, k Kernel, x *mat.Dense, labels []int, classes int, o Options) (*Machine, error) {
	n, _ := x.Dims()
	m := &Machine{kernel: k}
	support := make([]bool, n)
	for _, pair := range stats.Pairs(classes) {
		rows, y := PairRows(labels, pair)
		weights := [2]float64{o.Weights[pair.I], o.Weights[pair.J]}
		one, err := trainPair(ctx, k, columns.Rows(x, rows), y, weights, o)
		if err != nil {
			return nil, err
		}
		one.coef = scatter(one.coef, rows, n)
		for i, v := range one.coef {
			support[i] = support[i] || v != 0
		}
		m.pairs = append(m.pairs, one)
	}
	vectors := positions(support) // the rows that some machine needs; other coefficients are 0
	if len(vectors) == 0 {
		vectors = []int{0} // no row is needed, but a matrix must not be empty
	}
	m.vectors = newPoints(columns.Rows(x, vectors))
	for p := range m.pairs {
		m.pairs[p].coef = dataset.At(m.pairs[p].coef, vectors)
	}
	return m, nil
}

// trainPair fits the machine of one pair of classes, with one coefficient per row of x. The cost is
// C weights[0] for label +1 and C weights[1] for label -1.
func trainPair(
	ctx context.Context, k Kernel, x *mat.Dense, y []float64, weights [2]float64, o Options,
) (binary, error) {
	if err := checkLabels(y); err != nil {
		return binary{}, err
	}
	s := newSolver(newCached(k, newPoints(x), o.CacheBytes), y, o.C, o.Tol, nil)
	for i := range s.hi { // bounds are [0, C] for label +1 and [-C, 0] for label -1
		s.hi[i] *= weights[0]
		s.lo[i] *= weights[1]
	}
	if _, err := s.run(ctx, math.MaxInt); err != nil {
		return binary{}, err
	}
	return binary{coef: s.b, bias: s.bias()}, nil
}

// blockRows is the number of rows for which Decisions computes kernel values together.
const blockRows = 32

// Decisions returns the decision values at the n rows of x. The result is an n x
// classes(classes-1)/2 matrix with one column for each pair of classes.
func (m *Machine) Decisions(x *mat.Dense) *mat.Dense {
	rows := newPoints(x)
	values := mat.NewDense(rows.n, len(m.pairs), nil)
	kernels := make([][]float64, blockRows) // kernels[r][j] = K(row r of the block, support vector j)
	for r := range kernels {
		kernels[r] = make([]float64, m.vectors.n)
	}
	for from := 0; from < rows.n; from += blockRows {
		block := kernels[:min(blockRows, rows.n-from)]
		m.vectors.kernels(m.kernel, block, rows.x[from*rows.d:])
		for r := range block {
			decide(m.pairs, block[r], values.RawRowView(from+r))
		}
	}
	return values
}

// decide sets values[p] to the decision value of pair p for one row. k[j] is the kernel value of
// the row and support vector j.
func decide(pairs []binary, k, values []float64) {
	for p := range pairs {
		values[p] = floats.Dot(pairs[p].coef, k) + pairs[p].bias
	}
}

// scatter returns a slice of n values with v[r] at index rows[r] and 0 elsewhere.
func scatter(v []float64, rows []int, n int) []float64 {
	all := make([]float64, n)
	for r, i := range rows {
		all[i] = v[r]
	}
	return all
}
