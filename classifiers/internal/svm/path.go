package svm

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
)

// A Path trains one-vs-one machines for ascending costs on parts of a training set, and counts
// their errors on other parts. All share the same kernel values.
type Path struct {
	PathOptions
	kernel  rowwise
	labels  []int
	classes int
}

// PathOptions contains the costs of a Path, in ascending order, and the settings of its solver.
type PathOptions struct {
	Costs      []float64
	Tol        float64 // KKT gap at which the solver stops
	MaxSteps   int     // training of a machine stops without a result after this many steps
	CacheBytes int     // memory for kernel values
}

// NewPath prepares training and testing with the rows of x.
//
// If the kernel matrix fits in CacheBytes, NewPath computes it, and returns an error if it contains
// infinite or NaN values. A larger matrix is computed on demand.
func NewPath(ctx context.Context, k Kernel, x *mat.Dense, labels []int, classes int, o PathOptions) (*Path, error) {
	p := &Path{PathOptions: o, labels: labels, classes: classes}
	if n := len(labels); n*n*8 > o.CacheBytes { // a value takes 8 bytes
		p.kernel = newCached(k, newPoints(x), o.CacheBytes)
		return p, nil
	}
	g, err := NewGram(ctx, k, x)
	if err != nil {
		return nil, err
	}
	if !g.finite() {
		return nil, errNotFinite
	}
	p.kernel = g
	return p, nil
}

// Errors trains machines for all pairs of classes on the rows in train, at every cost. Each class must
// occur in train. wrong[c] is the number of rows in test that the machines at cost c misclassify by
// voting.
//
// Training ends at the first cost at which it does not converge within MaxSteps. At this and all
// larger costs, all test rows count as errors. Errors also returns the number of costs at which
// training converged.
func (p *Path) Errors(ctx context.Context, train, test []int) (wrong []int, trained int, err error) {
	machines, err := p.machines(ctx, train)
	if err != nil {
		return nil, 0, err
	}
	wrong = make([]int, len(p.Costs))
	for c := len(machines); c < len(wrong); c++ {
		wrong[c] = len(test)
	}
	pairs := stats.Pairs(p.classes)
	values, votes := make([]float64, len(pairs)), make([]float64, p.classes)
	for _, i := range test {
		kernelRow := p.kernel.row(i)
		for c, machine := range machines {
			decide(machine, kernelRow, values)
			clear(votes)
			method.Vote(pairs, values, votes)
			if floats.MaxIdx(votes) != p.labels[i] {
				wrong[c]++
			}
		}
	}
	return wrong, len(machines), nil
}

// machines trains a machine for each cost c and each pair p of classes, and returns it as element
// [c][p]. If training does not converge at some cost, the result ends before this cost.
func (p *Path) machines(ctx context.Context, train []int) ([][]binary, error) {
	machines := make([][]binary, len(p.Costs))
	for _, pair := range stats.Pairs(p.classes) {
		trained, err := p.trainPair(ctx, train, pair, machines)
		if err != nil {
			return nil, err
		}
		machines = machines[:trained]
	}
	return machines, nil
}

// trainPair trains the machine for a pair of classes at every cost c in ascending order, and
// appends it to machines[c]. Each solver starts from the solution at the previous cost. trainPair
// stops if training does not converge within MaxSteps, and returns the number of earlier costs.
func (p *Path) trainPair(ctx context.Context, train []int, pair stats.Pair, machines [][]binary) (int, error) {
	positions, y := PairRows(dataset.At(p.labels, train), pair) // positions in train
	rows := dataset.At(train, positions)                        // the same rows, as indices of the kernel matrix
	if err := checkLabels(y); err != nil {
		return 0, err
	}
	kernelOfPair := byRow{&view{kernel: p.kernel, rows: rows, values: make([]float64, len(rows))}}
	var start []float64 // dual variables with which the solver starts; nil: zero
	for c := range machines {
		if c > 0 {
			// The bounds are proportional to the cost. So rows at a bound stay at their bound.
			floats.Scale(p.Costs[c]/p.Costs[c-1], start)
		}
		s := newSolver(kernelOfPair, y, p.Costs[c], p.Tol, start)
		s.limit = p.MaxSteps
		_, err := s.run(ctx, math.MaxInt)
		if errors.Is(err, errNotConverged) {
			return c, nil
		}
		if err != nil {
			return 0, err
		}
		coef := scatter(s.b, rows, len(p.labels)) // s.b in the rows of the pair, 0 in all others
		machines[c] = append(machines[c], binary{coef: coef, bias: s.bias()})
		start = s.b // the dual variables, which this solver no longer needs
	}
	return len(machines), nil
}

// view is the submatrix of a kernel matrix for the given rows.
type view struct {
	kernel rowwise
	rows   []int
	values []float64
}

func (v *view) row(i int) []float64 {
	whole := v.kernel.row(v.rows[i])
	for r, j := range v.rows {
		v.values[r] = whole[j]
	}
	return v.values
}
