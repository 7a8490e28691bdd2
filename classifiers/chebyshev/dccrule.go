package chebyshev

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
)

// dccRule predicts the label of least cost nu(x, y).
type dccRule struct {
	features *columns.Discrete
	mu       *chebyshev.Marginals
	costs    []float64   // nu, laid out as mu.Mu
	single   [][]float64 // mu_i(x_i, y) of feature i: [y*levels+x_i]
}

// scores returns f(x,y) = -nu(x,y)/2. The best label has the largest score even
// where others have the same cost up to rounding.
func (r *dccRule) scores(x *mat.Dense) *mat.Dense {
	codes := r.features.Codes(x)
	scores := mat.NewDense(len(codes), r.mu.Classes, nil)
	for i, row := range codes {
		f := scores.RawRowView(i)
		for e, p := range r.mu.Pairs {
			a, b := row[p.I], row[p.J]
			if a == chebyshev.Missing || b == chebyshev.Missing {
				continue
			}
			di, dj := r.mu.Levels[p.I], r.mu.Levels[p.J]
			cell := r.costs[r.mu.Start[e]+a*dj+b:]
			for y := range f {
				f[y] -= cell[y*di*dj] / 2
			}
		}
		r.breakTies(row, f)
	}
	return scores
}

// breakTies gives all labels whose score is largest up to rounding the largest
// one, and takes a little from those that are not the best of them: the most
// frequent, of equally frequent ones that with the largest sum_i mu_i(x_i, y),
// of equal ones the first.
func (r *dccRule) breakTies(row []int, f []float64) {
	const rounding = 1e-9
	most, best := slices.Max(f), -1
	var tied []int
	for y, v := range f {
		if v >= most-rounding {
			tied = append(tied, y)
			if best < 0 || r.preferred(row, y, best) {
				best = y
			}
		}
	}
	if len(tied) == 1 {
		return
	}
	for _, y := range tied {
		f[y] = most - rounding
	}
	f[best] = most
}

// preferred reports whether label y comes before label z in a tie.
func (r *dccRule) preferred(row []int, y, z int) bool {
	const rounding = 1e-12
	advantage := r.mu.Prior[y] - r.mu.Prior[z]
	if advantage > rounding || advantage < -rounding {
		return advantage > 0
	}
	advantage = 0
	for i, v := range row {
		if v != chebyshev.Missing {
			d := r.mu.Levels[i]
			advantage += r.single[i][y*d+v] - r.single[i][z*d+v]
		}
	}
	return advantage > rounding
}
