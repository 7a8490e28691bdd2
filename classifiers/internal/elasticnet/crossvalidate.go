package elasticnet

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Losses of held-out rows.
const (
	Deviance = "deviance" // -2 log probability of the row's class, the probability cut as in cv.glmnet
	Hinge    = "hinge"    // the squared hinge of NewMachine
	Errors   = "errors"   // 1 for a misclassified row
)

// A Curve is a cross-validated loss by penalty, glmnet's cvm and cvsd: the mean
// over the folds, weighted by their rows, and the standard error of that mean
// from their spread, divisor folds - 1.
type Curve struct{ Mean, Error []float64 }

// A Validation is what candidates are judged by: rows of classes Y that are held out
// fold by fold.
type Validation struct {
	Columns Fold
	Y, Fold []int // by row; folds are numbered 0..Folds-1
	Folds   int
	Loss    string
	Weights []float64 // of the losses of each class's rows
}

// A Fold returns the columns of the given rows as fold f sees them, which differ between
// folds where they are estimated. It is called for one fold after the other.
type Fold func(f int, rows []int) (*mat.Dense, error)

// Curve fits the penalties to the rows outside each fold, with problems made by pose,
// and returns the loss of those inside.
func (v *Validation) Curve(ctx context.Context, pose func(x *mat.Dense, y []int) (*Problem, error), penalties []float64,
	tolerance float64) (*Curve, error) {
	losses, rows := make([][]float64, v.Folds), make([]float64, v.Folds)
	for f := range v.Folds {
		in, out := dataset.SplitFold(v.Fold, f)
		path, err := v.path(ctx, pose, f, in, penalties, tolerance)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
		held, err := v.Columns(f, out)
		if err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
		labels := dataset.At(v.Y, out)
		rows[f] = floats.Sum(dataset.At(v.Weights, labels))
		for i := range path {
			losses[f] = append(losses[f], totalLoss(path[i].Link(held), labels, v.Loss, v.Weights))
		}
	}
	return newCurve(losses, rows), nil
}

// path fits the penalties to the given rows as fold f sees them.
func (v *Validation) path(ctx context.Context, pose func(x *mat.Dense, y []int) (*Problem, error), f int, rows []int,
	penalties []float64, tolerance float64) ([]Model, error) {
	x, err := v.Columns(f, rows)
	if err != nil {
		return nil, err
	}
	problem, err := pose(x, dataset.At(v.Y, rows))
	if err != nil {
		return nil, err
	}
	return problem.FullPath(ctx, penalties, tolerance)
}

// newCurve returns the curve of the total losses of each fold by penalty, and the folds'
// weighted rows. Totals are added before they are divided, so that equal numbers of errors tie.
func newCurve(losses [][]float64, rows []float64) *Curve {
	n := floats.Sum(rows)
	c := &Curve{make([]float64, len(losses[0])), make([]float64, len(losses[0]))}
	for i := range c.Mean {
		for f := range losses {
			c.Mean[i] += losses[f][i]
		}
		c.Mean[i] /= n
		for f, r := range rows {
			deviation := losses[f][i]/r - c.Mean[i]
			c.Error[i] += r / n * deviation * deviation
		}
		c.Error[i] = math.Sqrt(c.Error[i] / float64(len(rows)-1))
	}
	return c
}

// Best returns the index of the least loss, the first of equals.
func (c *Curve) Best() int {
	best := 0
	for i, v := range c.Mean {
		if v < c.Mean[best] {
			best = i
		}
	}
	return best
}

// WithinOneError returns the first index, that of the largest penalty, whose loss
// is at most one standard error above the least.
func (c *Curve) WithinOneError() int {
	best := c.Best()
	for i, v := range c.Mean {
		if v <= c.Mean[best]+c.Error[best] {
			return i
		}
	}
	return best
}

// leastProbability bounds probabilities in the deviance.
const leastProbability = 1e-5

// totalLoss returns the weighted sum of the losses of rows with linear functions eta. weights has a
// weight for each class.
func totalLoss(eta *mat.Dense, y []int, loss string, weights []float64) float64 {
	var sum float64
	for i, label := range y {
		row, weight := eta.RawRowView(i), weights[label]
		switch loss {
		case Errors:
			for l, v := range row {
				if v > row[label] || v == row[label] && l < label {
					sum += weight
					break
				}
			}
		case Hinge:
			short := max(0, 1-(row[label]-row[1-label]))
			sum += weight * (short * short / 2)
		case Deviance:
			var odds float64 // 1 / probability
			for _, v := range row {
				odds += math.Exp(v - row[label])
			}
			sum += weight * (2 * math.Log(max(1/(1-leastProbability), min(odds, 1/leastProbability))))
		default:
			panic(fmt.Sprintf("elasticnet: unknown loss %q", loss))
		}
	}
	return sum
}
