package densities

import (
	"testing"

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
	g := golden.Columns(t, "../testdata/univariate.csv")
	methodtest.CheckColumn(t, g, "lu", func(i int) float64 { return scores.At(i, 1) }, 1e-4)
}
