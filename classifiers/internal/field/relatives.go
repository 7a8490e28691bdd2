package field

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"copse/stats"
)

// A Measure orders pairs of variables by the strength of their association.
type Measure string

const (
	// Eta is Eq. 13 as printed, lower = stronger. It compares the means of the two
	// columns, as if these were groups, and so tells nothing of dependence: the
	// relatives of a variable are those with the nearest mean.
	Eta Measure = "eta"
	// Pearson is the absolute correlation.
	Pearson Measure = "pearson"
	// Spearman is the absolute rank correlation.
	Spearman Measure = "spearman"
)

// Ranking returns for each column the other columns, the most strongly
// associated first, the lower number first among equals.
func Ranking(ctx context.Context, x [][]float64, m Measure) ([][]int, error) {
	weakness := make([][]float64, len(x))
	columns := x
	if m == Spearman {
		columns = make([][]float64, len(x))
		for j := range x {
			columns[j], _ = stats.Midranks(x[j])
		}
	}
	for i := range x {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		weakness[i] = make([]float64, len(x))
		for j := range i {
			w := 0.0
			switch m {
			case Eta:
				w = eta(x[i], x[j])
			case Pearson, Spearman:
				w = -math.Abs(correlation(columns[i], columns[j]))
			default:
				panic("field: unknown measure " + string(m))
			}
			weakness[i][j], weakness[j][i] = w, w
		}
	}
	ranking := make([][]int, len(x))
	for i := range x {
		for j := range x {
			if j != i {
				ranking[i] = append(ranking[i], j)
			}
		}
		slices.SortStableFunc(ranking[i], func(a, b int) int {
			switch {
			case weakness[i][a] < weakness[i][b]:
				return -1
			case weakness[i][a] > weakness[i][b]:
				return 1
			}
			return 0
		})
	}
	return ranking, nil
}

// eta is the statistic of Eqs. 10-13,
//
//	sqrt( (n (mi-m)^2 + n (mj-m)^2) / sum_k ((x_ik-m)^2 + (x_jk-m)^2) ),  m = (mi+mj)/2,
//
// within [0, 1]; 0 when all values are equal.
func eta(xi, xj []float64) float64 {
	n := float64(len(xi))
	mi, mj := stat.Mean(xi, nil), stat.Mean(xj, nil)
	m := (mi + mj) / 2
	var total float64
	for k := range xi {
		total += (xi[k]-m)*(xi[k]-m) + (xj[k]-m)*(xj[k]-m)
	}
	if total == 0 {
		return 0
	}
	return math.Sqrt(n * ((mi-m)*(mi-m) + (mj-m)*(mj-m)) / total)
}

// correlation is Pearson's, 0 when a column is constant.
func correlation(a, b []float64) float64 {
	if r := stat.Correlation(a, b, nil); !math.IsNaN(r) {
		return r
	}
	return 0
}
