package chebyshev

import (
	"math"
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

// scores returns f(x,y) = -nu(x,y)/2 of the rows of x, n x labels. Missing features do not vote. Of
// labels that tie up to rounding only the preferred one has the largest score.
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
			// Label y of cell (a,b) is at Start[e] + (y*di + a)*dj + b.
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

// tieRounding is the difference up to which scores tie.
const tieRounding = 1e-9

// breakTies changes the scores f of a row whose labels tie for the largest one. The preferred of
// these labels keeps the largest score, the others get tieRounding less.
func (r *dccRule) breakTies(row []int, f []float64) {
	largest, best := slices.Max(f), -1
	var tied []int
	for y, v := range f {
		if v < largest-tieRounding {
			continue
		}
		tied = append(tied, y)
		if best < 0 || r.preferred(row, y, best) {
			best = y
		}
	}
	if len(tied) == 1 {
		return
	}
	for _, y := range tied {
		f[y] = largest - tieRounding
	}
	f[best] = largest
}

// preferred reports whether label y comes before label z in a tie: y is more frequent or, of equal
// frequency, has the larger sum_i mu_i(x_i, y) over the features of the row.
func (r *dccRule) preferred(row []int, y, z int) bool {
	const rounding = 1e-12
	moreFrequent := r.mu.Prior[y] - r.mu.Prior[z]
	if math.Abs(moreFrequent) > rounding {
		return moreFrequent > 0
	}
	larger := 0.0
	for i, v := range row {
		if v != chebyshev.Missing {
			d := r.mu.Levels[i]
			larger += r.single[i][y*d+v] - r.single[i][z*d+v]
		}
	}
	return larger > rounding
}
