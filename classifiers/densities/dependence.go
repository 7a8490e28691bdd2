package densities

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/stats"
	"copse/stats/hsic"
)

// Measures of dependence between two variables. They are near 0 for independent variables and grow
// with the dependence.
const (
	hsicDependence     = "hsic"     // Hilbert-Schmidt independence criterion
	pearsonDependence  = "pearson"  // absolute value of Pearson's correlation
	spearmanDependence = "spearman" // absolute value of Spearman's rank correlation
)

// dependences returns the d x d matrix of dependences between columns, which are 0 for a constant
// column.
func dependences(ctx context.Context, measure string, columns [][]float64) (*mat.SymDense, error) {
	switch measure {
	case hsicDependence:
		return hsic.Matrix(ctx, columns)
	case pearsonDependence:
		return absoluteCorrelations(columns), nil
	default: // spearmanDependence
		ranked := make([][]float64, len(columns))
		for j, x := range columns {
			ranked[j], _ = stats.Midranks(x)
		}
		return absoluteCorrelations(ranked), nil
	}
}

func absoluteCorrelations(columns [][]float64) *mat.SymDense {
	d := len(columns)
	r := mat.NewSymDense(d, nil)
	for a := range d {
		for b := a; b < d; b++ {
			if v := math.Abs(stat.Correlation(columns[a], columns[b], nil)); !math.IsNaN(v) {
				r.SetSym(a, b, v)
			}
		}
	}
	return r
}
