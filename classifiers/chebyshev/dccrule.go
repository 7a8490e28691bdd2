package chebyshev

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
)

// dccRule is a fitted discrete Chebyshev classifier. It predicts the label y with the smallest cost
//
//	nu(x,y) = sum_ij nu_ij(x_i,x_j,y),
//
// where the sum is over pairs of features.
type dccRule struct {
	features  *columns.Discrete
	marginals *chebyshev.Marginals // marginals of pairs of features
	costs     []float64            // nu_ij, in the layout of marginals.Mu
	singles   [][]float64          // marginals of single features: singles[i][y*levels+x_i] is mu_i(x_i,y)
}

// scores returns the n x labels matrix of scores f(x,y) = -nu(x,y)/2, where nu is the cost (see
// dccRule).
//
// If several labels tie for the largest score, all but one get a slightly smaller score.
func (r *dccRule) scores(x *mat.Dense) *mat.Dense {
	codes := r.features.Codes(x)
	scores := mat.NewDense(len(codes), r.marginals.Classes, nil)
	for i, row := range codes {
		f := scores.RawRowView(i)
		for e := range r.marginals.Pairs {
			r.subtractCosts(f, e, row)
		}
		r.breakTies(row, f)
	}
	return scores
}

// subtractCosts subtracts half of the cost nu_ij(x_i,x_j,y) from f[y] for each label y. e is the
// index of the pair ij, and row[i] is x_i. If x_i or x_j is missing, f does not change.
func (r *dccRule) subtractCosts(f []float64, e int, row []int) {
	pair := r.marginals.Pairs[e]
	a, b := row[pair.I], row[pair.J]
	if a == columns.MissingCode || b == columns.MissingCode {
		return
	}
	di, dj := r.marginals.Levels[pair.I], r.marginals.Levels[pair.J]
	for y := range f {
		f[y] -= r.costs[r.marginals.Start[e]+(y*di+a)*dj+b] / 2
	}
}

// tieRounding is the largest difference at which two scores count as equal.
const tieRounding = 1e-9

// breakTies lowers the scores of all but one of the labels that tie for the largest score (see
// preferred) by tieRounding. Scores tie if they differ by at most tieRounding.
//
// The score of label y is scores[y], and the level of feature i is row[i].
func (r *dccRule) breakTies(row []int, scores []float64) {
	largest := slices.Max(scores)
	var tied []int
	for y, v := range scores {
		if !(v < largest-tieRounding) { // also true if a score is NaN: all labels then tie
			tied = append(tied, y)
		}
	}
	if len(tied) == 1 {
		return
	}
	winner := tied[0]
	for _, y := range tied {
		scores[y] = largest - tieRounding
		if r.preferred(row, y, winner) {
			winner = y
		}
	}
	scores[winner] = largest
}

// preferred reports whether label y wins a tie against label z. The more frequent label wins.
//
// If both are equally frequent, the larger sum of marginals mu_i(x_i,y) over the features i that
// are present in the row wins.
func (r *dccRule) preferred(row []int, y, z int) bool {
	const rounding = 1e-12 // smaller differences may be rounding errors
	// Prior[y] is the relative frequency of label y.
	frequencyLead := r.marginals.Prior[y] - r.marginals.Prior[z]
	if math.Abs(frequencyLead) > rounding {
		return frequencyLead > 0
	}
	sumLead := 0.0
	for i, v := range row {
		if v != columns.MissingCode {
			levels := r.marginals.Levels[i]
			// r.singles[i][y*levels+v] is mu_i(v,y).
			sumLead += r.singles[i][y*levels+v] - r.singles[i][z*levels+v]
		}
	}
	return sumLead > rounding
}
