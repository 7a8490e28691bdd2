package elasticnet

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A path may end before its last penalty, as in glmnet.
const (
	explainedEnough = 0.999 // share of the null deviance from which the path ends
	explainedGain   = 1e-5  // it ends where a penalty adds less than this share of what is explained
	leastModels     = 5     // it does not end before so many models
)

// Path solves the problem at decreasing penalties and starts each from the solution before.
// The tolerance, glmnet's thresh, bounds the curvature times squared change of a coordinate
// in the last step, in units of the null deviance. The result ends before the first penalty
// that explainedEnough or explainedGain rules out.
func (q *Problem) Path(ctx context.Context, penalties []float64, tolerance float64) ([]Model, error) {
	return q.path(ctx, penalties, tolerance, func(now, before float64) bool {
		return now > explainedEnough || now-before < explainedGain*now
	})
}

// FullPath is Path with a model for every penalty, for the penalties of another sample's
// path. Where enough is explained, it repeats the last model, like cv.glmnet.
func (q *Problem) FullPath(ctx context.Context, penalties []float64, tolerance float64) ([]Model, error) {
	path, err := q.path(ctx, penalties, tolerance, func(now, _ float64) bool { return now > explainedEnough })
	for err == nil && len(path) < len(penalties) {
		path = append(path, path[len(path)-1])
	}
	return path, err
}

// path solves the problem until ended returns true for the shares of the null deviance that
// the current model and the one before explain.
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

// innerTolerance is the tolerance of the quadratics as a share of the tolerance of the problem.
const innerTolerance = 1e-2

// solve finds the optimum at s.lambda from that at a larger penalty. It solves for the units
// in play, brings those into play whose gradient is above the penalty, and repeats this
// until there are none.
func (s *solver) solve(ctx context.Context, tolerance float64) error {
	s.prune()
	s.extend(s.alpha * s.lambda)
	for {
		for largest := math.Inf(1); largest > tolerance; {
			var err error
			if largest, err = s.step(ctx, innerTolerance*tolerance); err != nil {
				return err
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
	// lookAhead is the share of the penalty from which a gradient brings its unit into play
	// together with others. Each change of the units in play costs new second derivatives.
	lookAhead = 0.8
	// leastAdmitted is the number of units that may come into play at a time, unless more
	// have weights. Of many collinear units few are needed.
	leastAdmitted = 32
)

// extend brings units into play if the gradient of one is above the bound, the steepest
// first. It reports whether it did.
func (s *solver) extend(bound float64) bool {
	candidates, violated := s.candidates(bound)
	if !violated {
		return false
	}
	admitted := max(leastAdmitted, s.countWeighted())
	if bound > 0 && len(candidates) > admitted {
		slices.SortStableFunc(candidates, func(a, b int) int { return cmp.Compare(s.steepest(b), s.steepest(a)) })
		candidates = candidates[:admitted]
	}
	s.working, s.curved = append(s.working, candidates...), nil
	slices.Sort(s.working)
	return true
}

// candidates returns the units out of play with a gradient of at least lookAhead times the
// bound, and whether one is above the bound.
func (s *solver) candidates(bound float64) (units []int, violated bool) {
	for u := range s.units() {
		_, inPlay := slices.BinarySearch(s.working, u)
		if inPlay || s.factor[u*s.group/s.k] == 0 { // or the column is constant
			continue
		}
		if g := s.steepest(u); g >= lookAhead*bound {
			units = append(units, u)
			violated = violated || g > bound
		}
	}
	return units, violated
}

// units returns the number of units.
func (s *solver) units() int { return s.p * s.k / s.group }

// countWeighted returns the number of units with a weight that is not zero.
func (s *solver) countWeighted() (count int) {
	for u := range s.units() {
		if s.weighted(u) {
			count++
		}
	}
	return count
}

// prune takes units without weights out of play if most units in play have none.
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

// weighted reports whether a weight of the unit is not zero. Weight c belongs to column c/k and
// function c%k.
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

// model returns the model of the current point, for columns in their own units.
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
		copy(m.Intercept, s.alone) // without the rounding errors of the steps
	}
	return m
}
