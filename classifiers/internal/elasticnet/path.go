package elasticnet

import (
	"cmp"
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
func (q *Problem) path(ctx context.Context, penalties []float64, tolerance float64,
	ended func(now, before float64) bool) ([]Model, error) {
	s := newSolver(q)
	s.updateGradient()
	var path []Model
	for _, lambda := range penalties {
		s.lambda = lambda
		if err := s.solve(ctx, tolerance*2*s.null); err != nil {
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

// solve finds the optimum at s.lambda from one at a larger penalty: with the units
// in play alone, then with those whose gradient turns out to be larger than the
// penalty, until there are none.
func (s *solver) solve(ctx context.Context, tolerance float64) error {
	s.prune()
	s.extend(s.alpha * s.lambda)
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
		if !s.extend(s.alpha * s.lambda * (1 + gradientRounding)) {
			return nil
		}
	}
}

const (
	// gradientRounding is the relative excess at which a gradient counts as larger
	// than the penalty.
	gradientRounding = 1e-9
	// lookAhead is the share of the penalty from which units are due soon. They
	// come along with others, because each change of the units in play costs the
	// second derivatives.
	lookAhead = 0.8
	// leastAdmitted units come at a time, as many as have weights if these are
	// more: of collinear ones few are needed.
	leastAdmitted = 32
)

// extend adds units to those in play if the gradient of one is above the bound, the
// steepest first, and reports whether it did.
func (s *solver) extend(bound float64) bool {
	var candidates []int
	violated, weighted := false, 0
	for u := range s.p * s.k / s.group {
		if s.weighted(u) {
			weighted++
		}
		if _, in := slices.BinarySearch(s.working, u); in || s.factor[u*s.group/s.k] == 0 {
			continue
		}
		if g := s.steepest(u); g >= lookAhead*bound {
			candidates = append(candidates, u)
			violated = violated || g > bound
		}
	}
	if !violated {
		return false
	}
	if admitted := max(leastAdmitted, weighted); bound > 0 && len(candidates) > admitted {
		slices.SortStableFunc(candidates, func(a, b int) int { return cmp.Compare(s.steepest(b), s.steepest(a)) })
		candidates = candidates[:admitted]
	}
	s.working, s.curved = append(s.working, candidates...), nil
	slices.Sort(s.working)
	return true
}

// prune takes units whose weights are zero out of play where they are the most.
func (s *solver) prune() {
	kept := make([]int, 0, len(s.working))
	for _, u := range s.working {
		if s.weighted(u) {
			kept = append(kept, u)
		}
	}
	if s.alpha > 0 && len(s.working) > 2*len(kept)+2*leastAdmitted {
		s.working, s.curved = kept, nil
	}
}

// weighted reports whether a weight of the unit is not zero.
func (s *solver) weighted(unit int) bool {
	for c := unit * s.group; c < (unit+1)*s.group; c++ {
		if s.beta[c%s.k*s.p+c/s.k] != 0 {
			return true
		}
	}
	return false
}

// steepest returns the largest absolute gradient of a unit's weights.
func (s *solver) steepest(unit int) float64 {
	largest := 0.0
	for c := unit * s.group; c < (unit+1)*s.group; c++ {
		largest = max(largest, math.Abs(s.gradient[c%s.k*s.p+c/s.k]))
	}
	return largest
}

// model returns the current point, in the columns' own units.
func (s *solver) model() Model {
	m := Model{
		Penalty:   s.lambda,
		Intercept: slices.Clone(s.intercept),
		Weights:   mat.NewDense(s.k, s.p, nil),
		Explained: 1 - s.loss/s.null,
		centre:    s.centre,
	}
	for l := range s.k {
		for j := range s.p {
			m.Weights.Set(l, j, s.beta[l*s.p+j]*s.factor[j])
		}
	}
	if len(m.Used()) == 0 {
		copy(m.Intercept, s.alone) // without what the steps' rounding adds
	}
	return m
}
