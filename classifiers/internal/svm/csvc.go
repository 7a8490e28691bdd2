package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

var errNotFinite = errors.New(
	"support vector machine: the kernel matrix contains infinite or NaN values: scale the columns")

// Solve solves libsvm's C-SVC problem
//
//	min over alpha  1/2 a'Qa - e'a  s.t.  y'a = 0,  0 <= a_i <= c,  Q_ij = y_i y_j K_ij
//
// for the n x n kernel matrix K and labels y in {-1,+1}. It starts from the feasible point start,
// or from zero if start is nil. It stops when the KKT gap, the violation of the optimality
// conditions, is below tol. The predicted label of x is the sign of sum_j alpha_j y_j K(x_j, x) +
// bias.
//
// Solve returns an error if all labels are equal, if K contains infinite or NaN values, or if the
// gap is not below tol after the last step.
func (g *Gram) Solve(ctx context.Context, y []float64, c, tol float64,
	start []float64) (alpha []float64, bias float64, err error) {
	if err := checkLabels(y); err != nil {
		return nil, 0, err
	}
	if !g.finite() {
		return nil, 0, errNotFinite
	}
	s := newSolver(byRow{g}, y, c, tol, signedStart(start, y, c))
	if _, err := s.run(ctx, math.MaxInt); err != nil {
		return nil, 0, err
	}
	alpha, bias = s.solution(y)
	return alpha, bias, nil
}

// checkLabels returns an error if all labels are equal.
func checkLabels(y []float64) error {
	if !slices.Contains(y, -1) || !slices.Contains(y, 1) {
		return fmt.Errorf("support vector machine: all %d training rows belong to one class", len(y))
	}
	return nil
}

// signedStart returns b_i = y_i alpha_i for the labels y_i, -1 or +1, after clipping the dual variables
// alpha to [0, c]. It returns nil if alpha is nil.
func signedStart(alpha, y []float64, c float64) []float64 {
	if alpha == nil {
		return nil
	}
	b := make([]float64, len(y))
	for i, a := range alpha {
		b[i] = y[i] * min(max(a, 0), c)
	}
	return b
}
