package elasticnet

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Deviance, Hinge and Errors are the losses that cross-validation can compute for held-out rows.
const (
	Deviance = "deviance" // -2 log probability of the row's class, clipped as in cv.glmnet
	Hinge    = "hinge"    // max(0, 1 - margin)^2 / 2, where the margin is eta of the class minus the other eta
	Errors   = "errors"   // 1 for a misclassified row, else 0
)

// A Curve contains the cross-validated mean loss per row at each penalty, and its standard error.
// glmnet calls them cvm and cvsd.
type Curve struct{ Mean, Error []float64 }

// A validation is the cross-validation of a Selection along a path of penalties.
type validation struct {
	Selection
	columns Fold
	y       []int // class of each row
	fold    []int // fold of each row, 0..folds-1
	folds   int
}

// A Fold is a function that returns the columns of the given rows in fold f. The columns may differ
// between folds. All calls for one fold must precede the calls for the next.
type Fold func(f int, rows []int) (*mat.Dense, error)

// curve fits models to the rows outside each fold and returns their losses on the rows inside.
func (v *validation) curve(ctx context.Context, penalties []float64) (*Curve, error) {
	losses := make([][]float64, v.folds)   // losses[f][i]: total loss in fold f at penalty i
	rowWeights := make([]float64, v.folds) // total weight of the rows in each fold
	for f := range v.folds {
		trainRows, testRows := dataset.SplitFold(v.fold, f)
		path, err := v.path(ctx, f, trainRows, penalties)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
		heldOut, err := v.columns(f, testRows)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
		labels := dataset.At(v.y, testRows)
		rowWeights[f] = floats.Sum(dataset.At(v.Weights, labels))
		for i := range path {
			eta := path[i].LinearPredictors(heldOut)
			losses[f] = append(losses[f], totalLoss(eta, labels, v.Loss, v.Weights))
		}
	}
	return newCurve(losses, rowWeights), nil
}

// path fits the model at every penalty to the rows outside fold f.
func (v *validation) path(ctx context.Context, f int, rows []int, penalties []float64) ([]Model, error) {
	x, err := v.columns(f, rows)
	if err != nil {
		return nil, err
	}
	problem, err := v.problem(x, dataset.At(v.y, rows))
	if err != nil {
		return nil, err
	}
	return problem.FullPath(ctx, penalties, v.Tolerance)
}

// newCurve returns the cross-validation curve. losses[f][i] is the total loss in fold f at penalty i, and
// weights[f] is the total weight of the rows in fold f.
func newCurve(losses [][]float64, weights []float64) *Curve {
	n := floats.Sum(weights)
	penalties := len(losses[0])
	c := &Curve{Mean: make([]float64, penalties), Error: make([]float64, penalties)}
	for i := range c.Mean {
		total := 0.0
		for f := range losses {
			total += losses[f][i]
		}
		c.Mean[i] = total / n // divides only once, so that equal numbers of errors give equal means
		variance := 0.0
		for f, w := range weights {
			deviation := losses[f][i]/w - c.Mean[i]
			variance += w / n * deviation * deviation
		}
		c.Error[i] = math.Sqrt(variance / float64(len(weights)-1))
	}
	return c
}

// Best returns the first index of the smallest loss.
func (c *Curve) Best() int { return floats.MinIdx(c.Mean) }

// WithinOneError returns the index of the largest penalty whose loss is within one standard error
// of the smallest loss. Penalties must decrease with the index.
func (c *Curve) WithinOneError() int {
	best := c.Best()
	for i, v := range c.Mean {
		if v <= c.Mean[best]+c.Error[best] {
			return i
		}
	}
	return best
}

// The deviance limits probabilities to leastProbability..1-leastProbability, like cv.glmnet.
const leastProbability = 1e-5

// totalLoss returns the weighted sum of the losses of all rows. Row i has class y[i] and linear
// predictors eta[i]. Rows of class k have weight weights[k].
func totalLoss(eta *mat.Dense, y []int, loss string, weights []float64) float64 {
	var sum float64
	for i, label := range y {
		sum += weights[label] * rowLoss(eta.RawRowView(i), label, loss)
	}
	return sum
}

// rowLoss returns the loss of a row whose class is label. eta contains a linear predictor for each
// class.
func rowLoss(eta []float64, label int, loss string) float64 {
	switch loss {
	case Errors:
		if floats.MaxIdx(eta) == label {
			return 0
		}
		return 1
	case Hinge:
		margin := eta[label] - eta[1-label]
		lack := max(0, 1-margin)
		return lack * lack / 2
	default: // Deviance
		var inverse float64 // 1 / probability of class label = sum_m e^(eta_m - eta_label)
		for _, v := range eta {
			inverse += math.Exp(v - eta[label])
		}
		clipped := max(1/(1-leastProbability), min(inverse, 1/leastProbability))
		return 2 * math.Log(clipped)
	}
}
