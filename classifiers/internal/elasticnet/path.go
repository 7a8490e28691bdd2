package elasticnet

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Where a path ends before its last penalty, as glmnet's: with a share of the
// null deviance explained, or at one that adds less than a share of what is
// explained; not before leastModels.
const (
	explainedEnough = 0.999
	explainedGain   = 1e-5
	leastModels     = 5
)

// Path solves the problem at decreasing penalties, each from the solution before.
// The tolerance, glmnet's thresh, bounds the curvature times squared change of any
// coordinate in the last step, in units of the null deviance. The path may end before
// the last penalty; the model there and at what follows is left out.
func (q *Problem) Path(ctx context.Context, penalties []float64, tolerance float64) ([]Model, error) {
	return q.path(ctx, penalties, tolerance, func(now, before float64) bool {
		return now > explainedEnough || now-before < explainedGain*now
	})
}

// FullPath is Path for penalties that another sample's path had, all of them: where
// enough is explained, the last model stands for the rest, as in cv.glmnet, whose
// folds have paths of their own.
func (q *Problem) FullPath(ctx context.Context, penalties []float64, tolerance float64) ([]Model, error) {
	path, err := q.path(ctx, penalties, tolerance, func(now, _ float64) bool { return now > explainedEnough })
	for err == nil && len(path) < len(penalties) {
		path = append(path, path[len(path)-1])
	}
	return path, err
}

// path solves the problem until ended, which is told the shares explained by the
// current model and the one before, is true.
func (q *Problem) path(ctx context.Context, penalties []float64, tolerance float64, ended func(now, before float64) bool) ([]Model, error) {
	s := newSolver(q)
	s.updateGradient()
	var path []Model
	for i, lambda := range penalties {
		before := lambda
		if i > 0 {
			before = penalties[i-1]
		}
		s.lambda = lambda
		if err := s.solve(ctx, before, tolerance*2*s.null); err != nil {
			return nil, err
		}
		if len(path) >= leastModels && ended(1-s.loss/s.null, path[len(path)-1].Explained) {
			break
		}
		path = append(path, s.model())
	}
	return path, nil
}

// innerTolerance is what is left of the tolerance for the quadratics: their
// solutions are cheap.
const innerTolerance = 1e-2

// solve finds the optimum at s.lambda from one at the penalty before.
func (s *solver) solve(ctx context.Context, before, tolerance float64) error {
	s.screen(s.alpha * (2*s.lambda - before))
	for {
		for {
			largest, err := s.step(ctx, innerTolerance*tolerance)
			if err != nil {
				return err
			}
			if largest <= tolerance {
				break
			}
		}
		s.updateGradient()
		size := len(s.working)
		s.extend(s.alpha * s.lambda * (1 + gradientRounding))
		if len(s.working) == size {
			return nil
		}
	}
}

// gradientRounding is the relative excess at which a gradient counts as larger
// than the penalty.
const gradientRounding = 1e-9

// screen sets the columns in play to those with a weight and those whose gradient
// is at least the bound: the sequential strong rule (Tibshirani et al., J. R. Stat.
// Soc. B 74:245, 2012), which solve checks afterwards. What is in play stays so if
// that is enough; else columns that are due soon come along, because each change
// costs the second derivatives.
func (s *solver) screen(bound float64) {
	enough := true
	for j := range s.p {
		if _, in := slices.BinarySearch(s.working, j); !in && s.due(j, bound) {
			enough = false
		}
	}
	if enough && s.curved != nil {
		return
	}
	s.working, s.curved = s.working[:0], nil
	for j := range s.p {
		if s.due(j, lookAhead*bound) {
			s.working = append(s.working, j)
		}
	}
}

// lookAhead is the share of the bound from which columns are due soon.
const lookAhead = 0.8

// due reports whether column j has a weight or a gradient of at least the bound.
func (s *solver) due(j int, bound float64) bool {
	return s.factor[j] != 0 && (s.weighted(j) || s.steepest(j) >= bound)
}

// extend adds the columns whose gradient is above the bound.
func (s *solver) extend(bound float64) {
	in := s.working
	for j := range s.p {
		if s.steepest(j) <= bound || s.factor[j] == 0 {
			continue
		}
		if _, found := slices.BinarySearch(in, j); !found {
			s.working, s.curved = append(s.working, j), nil
		}
	}
	slices.Sort(s.working)
}

func (s *solver) weighted(j int) bool {
	for l := range s.k {
		if s.beta[l*s.p+j] != 0 {
			return true
		}
	}
	return false
}

// steepest returns the largest absolute gradient of a column's weights.
func (s *solver) steepest(j int) float64 {
	largest := 0.0
	for l := range s.k {
		largest = max(largest, math.Abs(s.gradient[l*s.p+j]))
	}
	return largest
}

// model returns the current point, in the columns' own units.
func (s *solver) model() Model {
	m := Model{Penalty: s.lambda, Intercept: slices.Clone(s.intercept), Weights: mat.NewDense(s.k, s.p, nil), Explained: 1 - s.loss/s.null, centre: s.centre}
	for l := range s.k {
		for j := range s.p {
			m.Weights.Set(l, j, s.beta[l*s.p+j]*s.factor[j])
		}
	}
	return m
}
