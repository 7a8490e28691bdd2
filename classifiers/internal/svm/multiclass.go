package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// Options of training.
type Options struct {
	C          float64 // cost of a unit of slack
	Tol        float64 // KKT gap at which training stops
	CacheBytes int     // memory for kernel values of one pair of classes
}

// A Machine decides between classes by one-vs-one votes, as libsvm does: one
// binary machine for each pair a < b, whose positive side is a; a tie of votes
// goes to the lowest class. It is immutable.
type Machine struct {
	kernel  Kernel
	vectors *points  // the support vectors of all pairs
	pairs   []binary // of classPairs
}

// binary is the machine of one pair: sum_j coef[j] K(z_j, x) + bias over the
// rows z that it is given with.
type binary struct {
	coef []float64
	bias float64
}

// Train fits one machine per pair of the classes 0..classes-1 to the rows of x,
// each of which must have a row.
func Train(ctx context.Context, k Kernel, x *mat.Dense, labels []int, classes int, o Options) (*Machine, error) {
	n, _ := x.Dims()
	m := &Machine{kernel: k}
	support := make([]bool, n)
	for _, pair := range classPairs(classes) {
		rows, y := PairRows(labels, pair[0], pair[1])
		part := x
		if len(rows) < n {
			part = columns.Rows(x, rows)
		}
		one, err := trainPair(ctx, k, part, y, o)
		if err != nil {
			return nil, err
		}
		one.coef = scatter(one.coef, rows, n)
		for i, v := range one.coef {
			support[i] = support[i] || v != 0
		}
		m.pairs = append(m.pairs, one)
	}
	rows := positions(nil, support)
	if len(rows) == 0 { // all decision functions are constant
		rows = []int{0}
	}
	m.vectors = newPoints(columns.Rows(x, rows))
	for p := range m.pairs {
		m.pairs[p].coef = dataset.At(m.pairs[p].coef, rows)
	}
	return m, nil
}

// trainPair solves the problem of one pair; coef has one value per row of x.
func trainPair(ctx context.Context, k Kernel, x *mat.Dense, y []float64, o Options) (binary, error) {
	if err := checkLabels(y); err != nil {
		return binary{}, err
	}
	s := newSolver(newCached(k, newPoints(x), o.CacheBytes), y, o.C, o.Tol, nil)
	if _, err := s.run(ctx, math.MaxInt); err != nil {
		return binary{}, err
	}
	return binary{coef: s.b, bias: s.bias()}, nil
}

// blockRows is the number of rows whose kernel values are computed at once.
const blockRows = 32

// Decisions returns the n x classes(classes-1)/2 values of the pairs' decision
// functions at the rows of x.
func (m *Machine) Decisions(x *mat.Dense) *mat.Dense {
	rows := newPoints(x)
	values := mat.NewDense(rows.n, len(m.pairs), nil)
	k := make([][]float64, blockRows)
	for r := range k {
		k[r] = make([]float64, m.vectors.n)
	}
	for from := 0; from < rows.n; from += blockRows {
		block := k[:min(blockRows, rows.n-from)]
		m.vectors.kernels(m.kernel, block, rows.x[from*rows.d:])
		for r := range block {
			decide(m.pairs, block[r], values.RawRowView(from+r))
		}
	}
	return values
}

// decide writes the pairs' decision values for one row with kernel values k.
func decide(pairs []binary, k, values []float64) {
	for p := range pairs {
		values[p] = floats.Dot(pairs[p].coef, k) + pairs[p].bias
	}
}

// scatter returns n values, v at rows and 0 elsewhere.
func scatter(v []float64, rows []int, n int) []float64 {
	all := make([]float64, n)
	for r, i := range rows {
		all[i] = v[r]
	}
	return all
}
