package external

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// classifierLaws are the contract of a classifier, in the order in which one is
// best told about what is wrong.
var classifierLaws = []law{
	{"labels every row", labelsRows},
	{"same seed, same labels", sameSeed},
	{"fresh process, same labels", freshProcess},
	{"no state from fit to fit", noState},
	{"order of the test rows", rowOrder},
	{"one test row", oneRow},
	{"tells separated classes apart", separates},
	{"three and seven classes", manyClasses},
	{"constant column", constantColumn},
	{"few rows", fewRows},
	{"discrete attributes", discreteAttributes},
	{"missing values", missingValues},
	{"probabilities", probabilities},
	{"time limit", timeLimit},
	{"ends with its input", endsWithInput},
	{"ends when told to", endsWhenTold},
}

// gaussians draws n rows of c normal classes in d columns; their means lie on
// the axes, distance apart.
func (t *trials) gaussians(n, d, c int, distance float64) *dataset.Set {
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % c
		for j := range d {
			x.Set(i, j, t.rng.NormFloat64())
		}
		j := y[i] % d
		x.Set(i, j, x.At(i, j)+distance*float64(1+y[i]/d))
	}
	return dataset.New(x, y, c)
}

const lawSeed = 0x0123456789abcdef // its 31 bits differ from its last 31

func (t *trials) labels(train, test *dataset.Set) ([]int, error) {
	answer, err := t.host.FitPredict(t.ctx, t.program, train, test, lawSeed, 0)
	if err != nil {
		return nil, err
	}
	return answer.Labels, nil
}

// pair draws two overlapping classes, where chance has something to decide.
func (t *trials) pair() (train, test *dataset.Set) {
	return t.gaussians(80, 4, 2, 1), t.gaussians(60, 4, 2, 1)
}

func labelsRows(t *trials) (string, error) {
	train, test := t.pair()
	answer, err := t.host.FitPredict(t.ctx, t.program, train, test, lawSeed, 0)
	if err != nil {
		return "", err
	}
	if wall := answer.Fit + answer.Predict; wall == 0 {
		return "", errors.New("reports no time at all for fit and predict")
	}
	return fmt.Sprintf("%d rows; fit %.1f ms, predict %.1f ms", test.N(), 1e3*answer.Fit, 1e3*answer.Predict), nil
}

// twice compares two answers to one question, with something in between.
func (t *trials) twice(between func() error) error {
	train, test := t.pair()
	want, err := t.labels(train, test)
	if err != nil {
		return err
	}
	if err := between(); err != nil {
		return err
	}
	got, err := t.labels(train, test)
	if err != nil {
		return err
	}
	return firstDifference(got, want)
}

func sameSeed(t *trials) (string, error) { return "", t.twice(func() error { return nil }) }

func freshProcess(t *trials) (string, error) {
	return "", t.twice(func() error { t.fresh(); return nil })
}

func noState(t *trials) (string, error) {
	return "", t.twice(func() error {
		_, err := t.labels(t.gaussians(30, 4, 2, 3), t.gaussians(10, 4, 2, 3))
		return err
	})
}

func rowOrder(t *trials) (string, error) {
	train, test := t.pair()
	want, err := t.labels(train, test)
	if err != nil {
		return "", err
	}
	order := t.permuted(test.N())
	got, err := t.labels(train, test.Subset(order))
	if err != nil {
		return "", err
	}
	if err := firstDifference(got, pick(want, order)); err != nil {
		return "", fmt.Errorf("rows in another order: %w", err)
	}
	return "", nil
}

func oneRow(t *trials) (string, error) {
	train, test := t.pair()
	want, err := t.labels(train, test)
	if err != nil {
		return "", err
	}
	for _, i := range []int{0, test.N() - 1} {
		got, err := t.labels(train, test.Subset([]int{i}))
		if err != nil {
			return "", err
		}
		if got[0] != want[i] {
			return "", fmt.Errorf("row %d alone has the label %d, among others %d", i+1, got[0], want[i])
		}
	}
	return "", nil
}

// mostErrors is what a rule may err on classes six standard deviations apart.
const mostErrors = 0.15

func (t *trials) errorRate(train, test *dataset.Set) (float64, error) {
	labels, err := t.labels(train, test)
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
		return rate, fmt.Errorf("errs in %.0f %% of the rows of classes that are six standard deviations apart", 100*rate)
	}
	return rate, nil
}

func separates(t *trials) (string, error) {
	rate, err := t.errorRate(t.gaussians(80, 4, 2, 6), t.gaussians(60, 4, 2, 6))
	return fmt.Sprintf("%.0f %% errors", 100*rate), err
}

func manyClasses(t *trials) (string, error) {
	for _, c := range []int{3, 7} {
		if t.can.MaxClasses > 0 && c > t.can.MaxClasses {
			return "", skipped(fmt.Sprintf("takes at most %d classes", t.can.MaxClasses))
		}
		if _, err := t.errorRate(t.gaussians(30*c, 4, c, 6), t.gaussians(15*c, 4, c, 6)); err != nil {
			return "", fmt.Errorf("%d classes: %w", c, err)
		}
	}
	return "", nil
}

// answersOrRefuses: unusual data may be refused, but must not be a program's end.
func (t *trials) answersOrRefuses(name string, train, test *dataset.Set) (string, error) {
	switch _, err := t.labels(train, test); {
	case refused(err):
		return name + " refused: " + err.Error(), nil
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return "", nil
}

func constantColumn(t *trials) (string, error) {
	train, test := t.gaussians(60, 4, 2, 6), t.gaussians(20, 4, 2, 6)
	for _, set := range []*dataset.Set{train, test} {
		for i := range set.N() {
			set.X.Set(i, 3, 2)
		}
	}
	return t.answersOrRefuses("a constant column", train, test)
}

func fewRows(t *trials) (string, error) {
	train, test := t.gaussians(4, 4, 2, 6), t.gaussians(6, 4, 2, 6)
	return t.answersOrRefuses("two rows per class", train, test)
}

func discreteAttributes(t *trials) (string, error) {
	if !t.can.Discrete {
		return "", skipped("declares numeric attributes only")
	}
	train, test := t.gaussians(80, 4, 2, 6), t.gaussians(60, 4, 2, 6)
	for _, set := range []*dataset.Set{train, test} {
		set.Attributes[1] = dataset.Attribute{Name: "colour, or \"hue\"", Kind: dataset.Discrete, Levels: []string{"red", "grün", "blue", "never seen"}}
		for i := range set.N() {
			set.X.Set(i, 1, math.Mod(math.Abs(math.Trunc(set.X.At(i, 2))), 3))
		}
	}
	_, err := t.errorRate(train, test)
	return "", err
}

func missingValues(t *trials) (string, error) {
	if !t.can.Missing {
		return "", skipped("declares no missing values")
	}
	train, test := t.gaussians(80, 4, 2, 6), t.gaussians(60, 4, 2, 6)
	for _, set := range []*dataset.Set{train, test} {
		for i := 0; i < set.N(); i += 5 {
			set.X.Set(i, 3, math.NaN())
		}
	}
	_, err := t.errorRate(train, test)
	return "", err
}

// probabilities: every answer with them is checked (perClass); here they must be
// there.
func probabilities(t *trials) (string, error) {
	if !t.can.Probabilities {
		return "", skipped("declares none")
	}
	train, test := t.pair()
	answer, err := t.host.FitPredict(t.ctx, t.program, train, test, lawSeed, 0)
	if err != nil {
		return "", err
	}
	if answer.Probabilities == nil {
		return "", errors.New("declares probabilities and returns none")
	}
	return "", nil
}

// timeLimit: at a limit that is far too short it is stopped, and a new process
// answers as before.
func timeLimit(t *trials) (string, error) {
	large, rows := t.gaussians(4000, 20, 2, 1), t.gaussians(4000, 20, 2, 1)
	detail := ""
	err := t.twice(func() error {
		began := time.Now()
		_, err := t.host.FitPredict(t.ctx, t.program, large, rows, lawSeed, time.Millisecond)
		if err == nil {
			detail = "done within it"
		} else if took := time.Since(began); took > grace {
			return fmt.Errorf("went on for %s after the limit and had to be killed", took.Round(time.Millisecond))
		}
		return nil
	})
	return detail, err
}
