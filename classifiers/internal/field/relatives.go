package field

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"copse/stats"
)

// A Measure is a measure of association between two variables.
type Measure string

const (
	// Eta is the statistic of Eqs. 10 to 13. As printed, it compares the means of two columns, which
	// does not measure dependence.
	Eta Measure = "eta"
	// Pearson is the absolute correlation of two columns.
	Pearson Measure = "pearson"
	// Spearman is the absolute rank correlation of two columns.
	Spearman Measure = "spearman"
)

// Ranking returns, for each column of x, the indices of all other columns. The most strongly
// associated columns come first, and ties are in ascending order.
func Ranking(ctx context.Context, x [][]float64, m Measure) ([][]int, error) {
	if m == Spearman {
		ranks := make([][]float64, len(x))
		for j := range x {
			ranks[j], _ = stats.Midranks(x[j])
		}
		x = ranks
	}
	weakness := make([][]float64, len(x)) // weakness[i][j]: a lower value is a stronger association
	for i := range x {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		weakness[i] = make([]float64, len(x))
		for j := range i {
			weakness[i][j] = m.weakness(x[i], x[j])
			weakness[j][i] = weakness[i][j]
		}
	}
	ranking := make([][]int, len(x))
	for i := range x {
		ranking[i] = slices.Delete(stats.Indices(len(x)), i, i+1)
		slices.SortStableFunc(ranking[i], func(a, b int) int { return cmp.Compare(weakness[i][a], weakness[i][b]) })
	}
	return ranking, nil
}

// weakness returns a number that decreases with the strength of the association of two columns. For
// Spearman, the columns must be ranks.
func (m Measure) weakness(xi, xj []float64) float64 {
	if m == Eta {
		return eta(xi, xj)
	}
	if r := stat.Correlation(xi, xj, nil); !math.IsNaN(r) {
		return -math.Abs(r)
	}
	return 0 // a constant column
}

// eta returns the statistic Eta, which lies in [0, 1]. For two columns of n values with means mi
// and mj, it is
//
//	sqrt( (n (mi-m)^2 + n (mj-m)^2) / sum_k ((x_ik-m)^2 + (x_jk-m)^2) ),  m = (mi+mj)/2.
//
// If all values are equal, eta returns 0.
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
