package elasticnet

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// As in glmnet, a path ends early if smaller penalties would explain little more of the deviance.
const (
	explainedEnough = 0.999 // the path ends if a model explains more than this share of the deviance
	explainedGain   = 1e-5  // the path ends if a penalty adds less than this share of the explained deviance
	leastModels     = 5     // smallest number of models before a path may end
)

// Path solves the problem at decreasing penalties. The path may end before the last penalty (see
// explainedEnough).
//
// The argument tolerance is glmnet's thresh. At each penalty, the solver stops when the last change
// of every intercept and weight is small. The squared change times the second derivative of the
// loss must be at most this fraction of the null deviance.
func (q *Problem) Path(ctx context.Context, penalties []float64, tolerance float64) ([]Model, error) {
	return q.path(ctx, penalties, tolerance, func(now, before float64) bool {
		return now > explainedEnough || now-before < explainedGain*now
	})
}

// FullPath returns a model for each of the given penalties. If a model explains more of the deviance
// than explainedEnough, the result repeats the previous model for all remaining penalties.
// Cross-validation needs the same penalties in every fold, as in cv.glmnet.
func (q *Problem) FullPath(ctx context.Context, penalties []float64, tolerance float64) ([]Model, error) {
	path, err := q.path(ctx, penalties, tolerance, func(now, _ float64) bool { return now > explainedEnough })
	for err == nil && len(path) < len(penalties) {
		path = append(path, path[len(path)-1])
	}
	return path, err
}

// path solves the problem at each penalty until ended returns true. The arguments of ended are the
// explained fractions of the null deviance for the current and the previous model.
func (q *Problem) path(ctx context.Context, penalties []float64, tolerance float64,
	ended func(now, before float64) bool) ([]Model, error) {
	s := newSolver(q)
	s.updateGradient()
	var path []Model
	for _, lambda := range penalties {
		s.lambda = lambda
		if err := s.solve(ctx, tolerance*2*s.nullLoss); err != nil {
			return nil, err
		}
		if len(path) >= leastModels && ended(1-s.loss/s.nullLoss, path[len(path)-1].Explained) {
			break
		}
		path = append(path, s.model())
	}
	return path, nil
}

// innerTolerance is the tolerance for the quadratic problem of one step, as a fraction of the
// tolerance for the whole problem.
const innerTolerance = 1e-2

// solve finds the optimum at penalty s.lambda. It starts from the optimum at a larger penalty.
//
// A unit is a set of weights that become active together (see solver). In inactive units, all weights
// are 0. This is optimal if their gradients do not exceed the penalty alpha*lambda. So solve optimises
// the active units, and activates units whose gradients exceed the penalty, until there are none.
func (s *solver) solve(ctx context.Context, tolerance float64) error {
	penalty := s.alpha * s.lambda
	s.deactivateZeroUnits()
	s.activate(penalty)
	for {
		if err := s.solveActive(ctx, tolerance); err != nil {
			return err
		}
		s.updateGradient()
		threshold := penalty * (1 + gradientRounding) // a smaller excess may be a rounding error
		hasGrown := s.activate(threshold)
		if !hasGrown {
			return nil
		}
	}
}

// solveActive optimises the weights of the active units. It stops after a step in which, for every
// weight, the second derivative times the squared change is at most the tolerance.
func (s *solver) solveActive(ctx context.Context, tolerance float64) error {
	for {
		largest, err := s.step(ctx, innerTolerance*tolerance)
		if err != nil || !(largest > tolerance) {
			return err
		}
	}
}

const (
	// gradientRounding is the relative amount by which a gradient must exceed the penalty to count
	// as larger.
	gradientRounding = 1e-9
	// When a gradient exceeds the penalty, all units with gradients of at least lookAhead times the
	// penalty become active. This saves later activations, which need new second derivatives.
	lookAhead = 0.8
	// leastAdmitted limits how many units become active at once, because often only a few of many
	// collinear units are needed. If more units have nonzero weights, their number is the limit.
	leastAdmitted = 32
)

// activate activates the candidates with the largest gradients if the gradient of at least one
// candidate exceeds the bound. It reports whether any unit became active.
func (s *solver) activate(bound float64) bool {
	candidates, violated := s.candidates(bound)
	if !violated {
		return false
	}
	admitted := max(leastAdmitted, len(s.nonzeroUnits()))
	if bound > 0 && len(candidates) > admitted {
		slices.SortStableFunc(candidates, func(a, b int) int { return cmp.Compare(s.steepest(b), s.steepest(a)) })
		candidates = candidates[:admitted]
	}
	s.active = append(s.active, candidates...)
	s.curvatures = nil
	slices.Sort(s.active)
	return true
}

// candidates returns the inactive units with a gradient of at least lookAhead times the bound.
// violated is true if one of these gradients exceeds the bound itself.
func (s *solver) candidates(bound float64) (units []int, violated bool) {
	for u := range s.p * s.k / s.unitSize {
		g := s.steepest(u)
		isConstant := s.scale[u*s.unitSize/s.k] == 0
		if isConstant || !(g >= lookAhead*bound) {
			continue
		}
		if _, isActive := slices.BinarySearch(s.active, u); isActive {
			continue
		}
		units = append(units, u)
		violated = violated || g > bound
	}
	return units, violated
}

// deactivateZeroUnits deactivates units whose weights are all zero, if there are many. In a ridge
// regression (alpha = 0), it does nothing.
func (s *solver) deactivateZeroUnits() {
	nonzero := s.nonzeroUnits()
	if s.alpha > 0 && len(s.active) > 2*len(nonzero)+2*leastAdmitted {
		s.active, s.curvatures = nonzero, nil
	}
}

// nonzeroUnits returns the units with a nonzero weight in ascending order. All of them are active.
func (s *solver) nonzeroUnits() []int {
	nonzero := make([]int, 0, len(s.active))
	for _, u := range s.active {
		weights := s.beta[u*s.unitSize : (u+1)*s.unitSize]
		if slices.ContainsFunc(weights, func(w float64) bool { return w != 0 }) {
			nonzero = append(nonzero, u)
		}
	}
	return nonzero
}

// steepest returns the largest absolute gradient of the weights in the unit.
func (s *solver) steepest(unit int) float64 {
	largest := 0.0
	for _, g := range s.gradient[unit*s.unitSize : (unit+1)*s.unitSize] {
		largest = max(largest, math.Abs(g))
	}
	return largest
}

// model returns the model at the current point.
func (s *solver) model() Model {
	m := Model{
		Penalty:   s.lambda,
		Intercept: slices.Clone(s.intercept),
		Weights:   mat.NewDense(s.k, s.p, nil),
		Explained: 1 - s.loss/s.nullLoss,
		centre:    s.centre,
	}
	for l := range s.k {
		weights := m.Weights.RawRowView(l)
		for j := range weights {
			weights[j] = s.beta[j*s.k+l] * s.scale[j] // beta belongs to the columns times scale
		}
	}
	allWeightsZero := len(s.nonzeroUnits()) == 0 // units are groups of weights
	if allWeightsZero {
		copy(m.Intercept, s.nullIntercepts) // avoids the rounding errors of the steps
	}
	return m
}
