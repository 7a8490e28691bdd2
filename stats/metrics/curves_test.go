package metrics

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
)

// ROC points and reliability bins equal scikit-learn's.
func TestCurvesGolden(t *testing.T) {
	rows := made(t)
	for _, row := range golden.Read(t, "testdata/curves.csv") {
		p, class := rows[row.Value["case"]], row.Int("class")
		where := fmt.Sprintf("%s, class %d", row.Value["case"], class)
		same := func(what string, got, want []float64) {
			if !slices.EqualFunc(got, want, golden.Near) {
				t.Errorf("%s: %s %v, want %v", where, what, got, want)
			}
		}
		c := NewROC(p, class)
		same("false positive rates", c.False, row.List("false"))
		same("true positive rates", c.True, row.List("true"))
		var predicted, observed []float64
		for _, b := range Reliability(p, class, row.Int("bins")) {
			if b.Rows > 0 {
				predicted = append(predicted, b.Predicted/float64(b.Rows))
				observed = append(observed, float64(b.Hits)/float64(b.Rows))
			}
		}
		same("predicted", predicted, row.List("predicted"))
		same("observed", observed, row.List("observed"))
	}
}

// The area under the curve of class 1 is the metric auc, also with ties. The area under
// vertically averaged curves is the mean auc, up to half a step of the grid.
func TestAreaIsAUC(t *testing.T) {
	const steps = 100
	var grid []float64
	for k := range steps + 1 {
		grid = append(grid, float64(k)/steps)
	}
	mean, sum, n := make([]float64, len(grid)), 0.0, 0.0
	for name, p := range made(t) {
		if _, classes := p.Scores.Dims(); classes != 2 {
			continue
		}
		for _, ties := range []float64{1e-9, 1, 3, 1e9} {
			tied := *p
			tied.Scores = mat.DenseCopyOf(p.Scores)
			tied.Scores.Apply(func(_, _ int, v float64) float64 { return math.Round(v/ties) * ties }, p.Scores)
			c, auc := NewROC(&tied, 1), value(t, "auc", &tied)
			if !golden.Near(c.Area(), auc) {
				t.Errorf("%s, ties of %g: area %v, auc %v", name, ties, c.Area(), auc)
			}
			for k, v := range c.Over(grid) {
				mean[k] += v
			}
			sum, n = sum+auc, n+1
		}
	}
	area := 0.0
	for k := range steps {
		area += (mean[k] + mean[k+1]) / 2 / steps
	}
	if n == 0 || math.Abs(area-sum)/n > 0.5/steps {
		t.Errorf("area below the mean of %g curves %v, mean auc %v", n, area/n, sum/n)
	}
}

// Over returns the curve at its own points, and the upper end of a vertical segment.
func TestROCOverItsPoints(t *testing.T) {
	c := &ROC{[]float64{0, 0, 0.5, 0.5, 1}, []float64{0, 0.25, 0.5, 0.75, 1}}
	if got, want := c.Over([]float64{0, 0.25, 0.5, 0.75, 1}), []float64{0.25, 0.375, 0.75, 0.875,
		1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The calibration error is the weighted distance of the predicted class's bins from the diagonal.
func TestBinsMakeCalibrationError(t *testing.T) {
	for name, p := range made(t) {
		sum, rows := 0.0, 0
		for _, b := range Reliability(p, -1, calibrationBins) {
			sum += math.Abs(b.Predicted - float64(b.Hits))
			rows += b.Rows
		}
		if want := value(t, "ece", p); rows != len(p.Truth) || !golden.Near(sum/float64(rows), want) {
			t.Errorf("%s: %v of %d rows, ece %v", name, sum/float64(rows), rows, want)
		}
	}
}

// There is no curve without scores or probabilities, or if all or no rows are of the class.
func TestNoCurve(t *testing.T) {
	p := &Predictions{Truth: []int{1, 1}, Labels: []int{1, 1}}
	if NewROC(p, 1) != nil || Reliability(p, 1, 10) != nil {
		t.Error("a curve of labels alone")
	}
	p.Scores = mat.NewDense(2, 2, []float64{0, 1, 2, 3})
	for class := range 3 {
		if NewROC(p, class) != nil {
			t.Errorf("a curve of class %d, of which all rows are or none", class)
		}
	}
}

// A share of votes falls into the bin of the exact fraction, despite rounding.
func TestSharesOnTheEdgesOfBins(t *testing.T) {
	for _, bins := range []int{10, 15, 20} {
		for k := 1; k <= 60; k++ {
			for j := 0; j <= k; j++ {
				want := max((j*bins+k-1)/k, 1) - 1 // the least b with j/k <= (b+1)/bins
				for _, share := range []float64{float64(j) / float64(k), float64(j) * (1 / float64(k)),
					1 - float64(k-j)/float64(k)} {
					if got := binOf(share, bins); got != want {
						t.Errorf("%d of %d votes, %v: bin %d of %d, want %d", j, k, share, got, bins, want)
					}
				}
			}
		}
	}
}
