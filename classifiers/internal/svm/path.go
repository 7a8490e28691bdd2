package svm

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Path trains one-vs-one machines for ascending costs on parts of one training
// set, and counts the errors on other parts: the inner loops of a grid search.
// The kernel values are computed once for all parts and costs, and each
// solution, scaled up, is the start of the next cost's.
type Path struct {
	PathOptions
	k       rowwise
	labels  []int
	classes int
}

// PathOptions are the costs of a path, ascending, and how its machines are trained.
type PathOptions struct {
	Costs      []float64
	Tol        float64 // KKT gap at which the solver stops
	MaxSteps   int     // a machine that needs more is given up
	CacheBytes int     // for kernel values
}

// NewPath prepares the given kernel on the rows of x.
func NewPath(ctx context.Context, k Kernel, x *mat.Dense, labels []int, classes int, o PathOptions) (*Path, error) {
	p := &Path{PathOptions: o, labels: labels, classes: classes}
	if n := len(labels); n*n*8 > o.CacheBytes {
		p.k = newCached(k, newPoints(x), o.CacheBytes)
		return p, nil
	}
	g, err := NewGram(ctx, k, x)
	if err != nil {
		return nil, err
	}
	if !g.finite() {
		return nil, errNotFinite
	}
	p.k = g
	return p, nil
}

// Errors trains machines on the rows train and returns, for each cost, the number of the
// rows test that they misclassify. trained is the number of costs before the first one whose
// machine was given up. From that cost on, all test rows count as errors.
func (p *Path) Errors(ctx context.Context, train, test []int) (wrong []int, trained int, err error) {
	machines, err := p.machines(ctx, train)
	if err != nil {
		return nil, 0, err
	}
	wrong = make([]int, len(p.Costs))
	for c := len(machines); c < len(wrong); c++ {
		wrong[c] = len(test)
	}
	pairs := classPairs(p.classes)
	values, votes := make([]float64, len(pairs)), make([]float64, p.classes)
	for _, i := range test {
		kernelRow := p.k.row(i)
		for c, machine := range machines {
			decide(machine, kernelRow, values)
			clear(votes)
			vote(pairs, values, votes)
			if floats.MaxIdx(votes) != p.labels[i] {
				wrong[c]++
			}
		}
	}
	return wrong, len(machines), nil
}

// machines returns the machines on the rows train: machines[c][p] has cost c and pair p of
// classes. It ends before the first cost with a machine that was given up.
func (p *Path) machines(ctx context.Context, train []int) ([][]binary, error) {
	machines := make([][]binary, len(p.Costs))
	for _, pair := range classPairs(p.classes) {
		trained, err := p.trainPair(ctx, train, pair, machines)
		if err != nil {
			return nil, err
		}
		machines = machines[:trained]
	}
	return machines, nil
}

// trainPair appends the machine of two classes for cost c to machines[c]. It returns the
// number of costs before the first one whose machine was given up.
func (p *Path) trainPair(ctx context.Context, train []int, pair [2]int, machines [][]binary) (int, error) {
	rows, y := PairRows(dataset.At(p.labels, train), pair[0], pair[1])
	rows = dataset.At(train, rows)
	if err := checkLabels(y); err != nil {
		return 0, err
	}
	part := &view{k: p.k, rows: rows, values: make([]float64, len(rows))}
	var start []float64
	for c := range machines {
		s := newSolver(byRow{part}, y, p.Costs[c], p.Tol, start)
		s.limit = p.MaxSteps
		_, err := s.run(ctx, math.MaxInt)
		if errors.Is(err, errOpen) {
			return c, nil
		}
		if err != nil {
			return 0, err
		}
		machines[c] = append(machines[c], binary{coef: scatter(s.b, rows, len(p.labels)), bias: s.bias()})
		if c+1 < len(machines) {
			start = s.scaled(p.Costs[c+1] / p.Costs[c])
		}
	}
	return len(machines), nil
}

// scaled returns b times factor, a feasible point for a cost that is larger by
// factor: rows at their bound stay there.
func (s *solver) scaled(factor float64) []float64 {
	start := slices.Clone(s.b)
	for i := range start {
		start[i] *= factor
	}
	return start
}

// view is the submatrix of another matrix with the given rows and the same columns.
type view struct {
	k      rowwise
	rows   []int
	values []float64
}

func (v *view) row(i int) []float64 {
	whole := v.k.row(v.rows[i])
	for r, j := range v.rows {
		v.values[r] = whole[j]
	}
	return v.values
}
