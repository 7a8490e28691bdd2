package external

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// classifierRules lists the rules for classifiers. A program that violates a basic rule usually
// also violates later rules.
var classifierRules = []rule{
	{"labels every row", labelsRows},
	{"same seed, same labels", sameSeed},
	{"fresh process, same labels", freshProcess},
	{"no state from fit to fit", noState},
	{"order of the test rows", rowOrder},
	{"one test row", oneRow},
	{"separates distant classes", separates},
	{"three and seven classes", manyClasses},
	{"constant column", constantColumn},
	{"few rows", fewRows},
	{"discrete attributes", discreteAttributes},
	{"missing values", missingValues},
	{"probabilities", probabilities},
	{"time limit", timeLimit},
	{"ends with its input", endsWithInput},
	{"ends on SIGTERM", endsOnSignal},
}

// gaussians draws n rows with d independent, normally distributed columns of variance 1. The
// classes 0, ..., c-1 alternate.
//
// In class k, all columns except column k mod d have mean 0. The mean of column k mod d is
//
//	distance * (1 + floor(k/d))
func (s *subject) gaussians(n, d, c int, distance float64) *dataset.Set {
	x := mat.NewDense(n, d, nil)
	y := make([]int, n)
	for i := range n {
		y[i] = i % c
		for j := range d {
			x.Set(i, j, s.rng.NormFloat64())
		}
		j := y[i] % d
		x.Set(i, j, x.At(i, j)+distance*float64(1+y[i]/d))
	}
	return dataset.New(x, y, c)
}

// testSeed is the seed in requests, whose first and last 31 bits differ.
const testSeed = 0x0123456789abcdef

func (s *subject) labels(train, test *dataset.Set) ([]int, error) {
	answer, err := s.fit(train, test)
	if err != nil {
		return nil, err
	}
	return answer.Labels, nil
}

func (s *subject) fit(train, test *dataset.Set) (*Prediction, error) {
	return s.host.FitPredict(s.ctx, s.program, train, test, testSeed)
}

// overlappingClasses draws training and test sets for which the labels of a randomized method
// depend on the seed.
func (s *subject) overlappingClasses() (train, test *dataset.Set) {
	return s.gaussians(80, 4, 2, 1), s.gaussians(60, 4, 2, 1)
}

func labelsRows(s *subject) error {
	answer, err := s.fit(s.overlappingClasses())
	if err != nil {
		return err
	}
	if wall := answer.Fit + answer.Predict; wall == 0 {
		return errors.New("the program reports 0 seconds for fit and predict")
	}
	s.measured = fmt.Sprintf("%d rows; fit %.1f ms, predict %.1f ms", len(answer.Labels), 1e3*answer.Fit,
		1e3*answer.Predict)
	return nil
}

// twice fits and predicts the same rows before and after a call of inBetween. It returns an error
// if the predicted labels differ.
func (s *subject) twice(inBetween func() error) error {
	train, test := s.overlappingClasses()
	want, err := s.labels(train, test)
	if err != nil {
		return err
	}
	if err := inBetween(); err != nil {
		return err
	}
	got, err := s.labels(train, test)
	if err != nil {
		return err
	}
	return firstDifference(got, want)
}

func sameSeed(s *subject) error { return s.twice(func() error { return nil }) }

func freshProcess(s *subject) error {
	return s.twice(func() error { s.host.Close(); return nil })
}

func noState(s *subject) error {
	return s.twice(func() error {
		_, err := s.labels(s.gaussians(30, 4, 2, 3), s.gaussians(10, 4, 2, 3))
		return err
	})
}

func rowOrder(s *subject) error {
	train, test := s.overlappingClasses()
	want, err := s.labels(train, test)
	if err != nil {
		return err
	}
	order := s.rng.Perm(test.N())
	got, err := s.labels(train, test.Subset(order))
	if err != nil {
		return err
	}
	if err := firstDifference(got, dataset.At(want, order)); err != nil {
		return fmt.Errorf("after changing the order of the test rows: %w", err)
	}
	return nil
}

// oneRow uses overlapping classes, so that even a small influence can change labels.
func oneRow(s *subject) error { return s.sameAlone(s.overlappingClasses()) }

// sameAlone checks that the predicted label of a test row does not depend on the other test rows.
func (s *subject) sameAlone(train, test *dataset.Set) error {
	want, err := s.labels(train, test)
	if err != nil {
		return err
	}
	for _, i := range []int{0, test.N() - 1} {
		got, err := s.labels(train, test.Subset([]int{i}))
		if err != nil {
			return fmt.Errorf("a single test row: %w", err)
		}
		if got[0] != want[i] {
			return fmt.Errorf("the program predicts label %d for row %d if it is the only test row, but label %d "+
				"among other rows", got[0], i+1, want[i])
		}
	}
	return nil
}

const (
	farApart   = 6    // distance between easily separated classes, in standard deviations
	mostErrors = 0.15 // the highest accepted error rate for such classes
)

// errorRate fits the program to train and returns its error rate on test. It returns an error if
// the rate exceeds mostErrors. The classes must be farApart standard deviations apart.
func (s *subject) errorRate(train, test *dataset.Set) (float64, error) {
	labels, err := s.labels(train, test)
	if err != nil {
		return 0, err
	}
	wrong := 0
	for i, y := range test.Y {
		if labels[i] != y {
			wrong++
		}
	}
	rate := float64(wrong) / float64(test.N())
	if rate > mostErrors {
		return rate, fmt.Errorf("%.0f %% of the labels are wrong, although the classes are %d standard deviations "+
			"apart", 100*rate, farApart)
	}
	return rate, nil
}

// distantClasses draws training and test sets with two well-separated classes.
func (s *subject) distantClasses() (train, test *dataset.Set) {
	return s.gaussians(80, 4, 2, farApart), s.gaussians(60, 4, 2, farApart)
}

func separates(s *subject) error {
	rate, err := s.errorRate(s.distantClasses())
	s.measured = fmt.Sprintf("%.0f %% errors", 100*rate)
	return err
}

func manyClasses(s *subject) error {
	for _, c := range []int{3, 7} {
		if s.capabilities.MaxClasses > 0 && c > s.capabilities.MaxClasses {
			return skipped(fmt.Sprintf("the program declares that it supports at most %d classes",
				s.capabilities.MaxClasses))
		}
		if _, err := s.errorRate(s.gaussians(30*c, 4, c, farApart), s.gaussians(15*c, 4, c, farApart)); err != nil {
			return fmt.Errorf("%d classes: %w", c, err)
		}
	}
	return nil
}

// answersOrRefuses checks that the program returns labels for unusual data, or itself reports an
// error. name describes the data.
func (s *subject) answersOrRefuses(name string, train, test *dataset.Set) error {
	switch _, err := s.labels(train, test); {
	case refused(err):
		s.measured = "the program refuses " + name + ": " + err.Error()
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func constantColumn(s *subject) error {
	train, test := s.distantClasses()
	for _, set := range []*dataset.Set{train, test} {
		for i := range set.N() {
			set.X.Set(i, 3, 2)
		}
	}
	return s.answersOrRefuses("a constant column", train, test)
}

func fewRows(s *subject) error {
	train, test := s.gaussians(4, 4, 2, farApart), s.gaussians(6, 4, 2, farApart)
	return s.answersOrRefuses("two rows per class", train, test)
}

// discreteAttributes checks a fit with a discrete column, which is independent of the class. Few
// labels may be wrong, and they must not depend on other test rows.
func discreteAttributes(s *subject) error {
	if !s.capabilities.Discrete {
		return skipped("the program does not declare support for discrete attributes")
	}
	train, test := s.distantClasses()
	for _, set := range []*dataset.Set{train, test} { // make column 1 discrete
		set.Attributes[1] = dataset.Attribute{Name: "colour, or \"hue\"", Kind: dataset.Discrete,
			Levels: []string{"red", "grün", "blue", "never seen"}}
		for i := range set.N() {
			// Column 2 is standard normal in both classes, so the level is independent of the
			// class.
			level := math.Mod(math.Abs(math.Trunc(set.X.At(i, 2))), 3) // 0, 1 or 2, but never 3, "never seen"
			set.X.Set(i, 1, level)
		}
	}
	if _, err := s.errorRate(train, test); err != nil {
		return err
	}
	return s.sameAlone(train, test)
}

func missingValues(s *subject) error {
	if !s.capabilities.Missing {
		return skipped("the program does not declare support for missing values")
	}
	train, test := s.distantClasses()
	for _, set := range []*dataset.Set{train, test} {
		for i := 0; i < set.N(); i += 5 {
			set.X.Set(i, 3, math.NaN())
		}
	}
	_, err := s.errorRate(train, test)
	return err
}

// probabilities checks that a program returns probabilities if it declares them. FitPredict checks
// their values.
func probabilities(s *subject) error {
	if !s.capabilities.Probabilities {
		return skipped("the program does not declare that it returns probabilities")
	}
	answer, err := s.fit(s.overlappingClasses())
	if err != nil {
		return err
	}
	if answer.Probabilities == nil {
		return errors.New("the program declares that it returns probabilities, but it returns none")
	}
	return nil
}

// timeLimit requests a large fit with a time limit of one millisecond. The program must stop within
// grace after the limit, so that copse need not kill it.
func timeLimit(s *subject) error {
	const rows, columns, classes, distance = 4000, 20, 2, 1
	train, test := s.gaussians(rows, columns, classes, distance), s.gaussians(rows, columns, classes, distance)
	return s.twice(func() error {
		ctx, cancel := WithTimeLimit(s.ctx, time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := s.host.FitPredict(ctx, s.program, train, test, testSeed)
		if err == nil { // no failure, because the computer may be fast
			s.measured = "the fit finished before the time limit"
		} else if took := time.Since(began); took > grace {
			return fmt.Errorf("the program was still running %s after the limit and had to be killed",
				took.Round(time.Millisecond))
		}
		return nil
	})
}
