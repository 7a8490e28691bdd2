package classifiers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
)

// A hyperplane has its positive side where w'x + b > 0; missing values of x
// count zero.
type hyperplane struct {
	w []float64
	b float64
}

// at returns w'x + b.
func (h hyperplane) at(x []float64) float64 {
	v := h.b
	for j, xj := range x {
		if !math.IsNaN(xj) {
			v += h.w[j] * xj
		}
	}
	return v
}

// pairVotes are the hyperplanes of the pairs of classes (0,1), (0,2), ...,
// (1,2), ..., the first class of each on the positive side.
type pairVotes struct {
	classes int
	planes  []hyperplane
}

// allPairsOf returns the machine of each cost.
func allPairsOf(ctx context.Context, x *mat.Dense, labels []int, classes int, costs []float64, solve incompleteSolver) ([]pairVotes, error) {
	machines := make([]pairVotes, len(costs))
	for k := range machines {
		machines[k].classes = classes
	}
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			rows, y := svm.PairRows(labels, a, b)
			planes, err := solve(ctx, rowsOf(x, rows), y, costs)
			if err != nil {
				return nil, err
			}
			for k, h := range planes {
				machines[k].planes = append(machines[k].planes, h)
			}
		}
	}
	return machines, nil
}

// scores returns, for two classes, the decision value of class 0 and its
// negative, for more the pairs that each class wins.
func (m pairVotes) scores(z *mat.Dense) *mat.Dense {
	n, _ := z.Dims()
	scores := mat.NewDense(n, m.classes, nil)
	for i := range n {
		x, row, pair := z.RawRowView(i), scores.RawRowView(i), 0
		if m.classes == 2 {
			v := m.planes[0].at(x)
			row[0], row[1] = v, -v
			continue
		}
		for a := range m.classes {
			for b := a + 1; b < m.classes; b++ {
				if m.planes[pair].at(x) > 0 {
					row[a]++
				} else {
					row[b]++
				}
				pair++
			}
		}
	}
	return scores
}

// hyperplaneRule is a linear one-vs-one machine on rows with missing values.
type hyperplaneRule struct {
	pairVotes
	columns  *columns.Incomplete
	warnings []string
}

func (r *hyperplaneRule) Scores(x *mat.Dense) *mat.Dense { return r.scores(r.columns.Apply(x)) }

func (r *hyperplaneRule) pairScores(x *mat.Dense) *mat.Dense {
	z := r.columns.Apply(x)
	n, _ := z.Dims()
	all := mat.NewDense(n, len(r.planes), nil)
	for i := range n {
		for k, h := range r.planes {
			all.Set(i, k, h.at(z.RawRowView(i)))
		}
	}
	return all
}

func (r *hyperplaneRule) Predict(x *mat.Dense) []int { return argmaxRows(r.Scores(x)) }

func (r *hyperplaneRule) Warnings() []string { return r.warnings }
