package densities

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/golden"
	"copse/stats/kde"
)

// TestLUGolden compares with e1071 1.7-13 in R 4.2.2 (testdata/univariate.R). libsvm stores its kernel matrix
// in single precision.
func TestLUGolden(t *testing.T) {
	lu := NewLU()
	lu.Tolerance, lu.Bandwidth = 1e-9, string(kde.NormalReference)
	scores := methodtest.Fit(t, lu, methodtest.UnivariateRows()).Scores(methodtest.GoldenRows(101, 110).X)
	methodtest.CompareGolden(
		t,
		golden.Lines(t, "../testdata/univariate.csv"),
		1,
		[][]float64{mat.Col(nil, 1, scores)},
		[]float64{1e-4},
	)
}
