package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/metrics"
	"copse/stats/records"
)

// An Outcome contains the result of one fit, which is the embedded Record, and its predictions. The
// journal stores only the result.
type Outcome struct {
	records.Record
	Labels     []int                // predicted labels of the test rows
	Stack      string               // the stack trace if the fit panicked
	NotStarted *external.NotStarted // why copse could not start the program; the failure is then no result

	Predictions metrics.Predictions // of the test rows; empty unless the study stores predictions or metrics
}

// Fit fits one classifier to the training set of d and counts its errors on the test set. An error,
// a panic, an invalid label or an exceeded time limit results in a failure.
func (w *Worker) Fit(ctx context.Context, c *study.Cell, replicate int, e study.Entry, d *Draw) Outcome {
	o := Outcome{Record: records.Record{Classifier: e.ID, Spec: e.Spec, NTest: d.Test.N()}}
	ctx, cancel := w.limited(ctx, e)
	defer cancel()
	var clock programClock                     // collects the times that an external program reports
	fit := func() (*classifiers.Rule, error) { // also sets the tuned parameters in o
		return w.fit(ctx, &o, c, replicate, e, d, &clock)
	}
	err := o.fitAndPredict(ctx, d, w.study, fit) // also sets the labels, times and metrics in o
	if err != nil {
		isOutOfTime := errors.Is(context.Cause(ctx), context.DeadlineExceeded)
		cause := records.FitFailed
		if w.limit > 0 && isOutOfTime {
			cause, err = records.OutOfTime, errTimeLimit(w.limit, "", err)
		}
		errors.As(err, &o.NotStarted) // sets o.NotStarted if err wraps such an error
		recordFailure(&o.Record, cause, err.Error())
		return o
	}
	if e.Program != nil { // replace the times measured by fitAndPredict, which include the transfer of the data
		o.Fit, o.Predict, o.Peak = microseconds(clock.fit), microseconds(clock.predict), clock.peak
	}
	o.Status, o.Confusion = records.OK, metrics.NewConfusion(d.Test.C(), d.Test.Y, o.Labels)
	o.SetRates()
	return o
}

// limited returns a context with the time limit of a fit, if any. The limit of an external program
// applies only to the requests to the program, and not to its start.
func (w *Worker) limited(ctx context.Context, e study.Entry) (context.Context, context.CancelFunc) {
	switch {
	case e.Program != nil:
		return external.WithTimeLimit(ctx, w.limit)
	case w.limit > 0:
		return context.WithTimeout(ctx, w.limit)
	}
	return ctx, func() {}
}

// fitAndPredict calls fit, predicts the test set, and records times, metrics and predictions. It
// returns a panic as an error.
func (o *Outcome) fitAndPredict(
	ctx context.Context, d *Draw, s *study.Study, fit func() (*classifiers.Rule, error),
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err, o.Stack = errors.New(panicMessage(p)), string(debug.Stack())
		}
	}()
	d.Train.StartSharing()
	d.Test.StartSharing()
	start := time.Now()
	rule, err := fit()
	if err != nil {
		return err
	}
	// Classifiers share values computed from the data, so a later classifier takes less time. Its
	// recorded time includes the time that sharing has saved. Recorded times therefore do not
	// depend on the order of the classifiers.
	savedByFit := d.Train.Saved() + d.Test.Saved()
	o.Fit = microseconds((time.Since(start) + savedByFit).Seconds())
	start = time.Now()
	labels, scores := rule.PredictSet(d.Test)
	o.Labels = labels
	savedByPredict := d.Train.Saved() + d.Test.Saved() - savedByFit
	o.Predict = microseconds((time.Since(start) + savedByPredict).Seconds())
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkLabels(o.Labels, d.Test); err != nil {
		return err
	}
	if s.Predictions || len(s.Metrics) > 0 {
		o.Predictions = predictions(rule, d.Test, labels, scores)
	}
	if len(s.Metrics) > 0 {
		o.Metrics = o.Predictions.Metrics(s.Metrics, d.Test.Classes)
	}
	o.Message = OneLine(strings.Join(rule.Warnings, "; "))
	return nil
}

// checkLabels returns an error unless each test row has a label and each label is a valid class
// code.
func checkLabels(labels []int, test *dataset.Set) error {
	if len(labels) != test.N() {
		return fmt.Errorf("%d predictions for %d test rows", len(labels), test.N())
	}
	for i, label := range labels {
		if label < 0 || label >= test.C() {
			return fmt.Errorf("test row %d: predicted label %d is not a class", i+1, label)
		}
	}
	return nil
}

// fit fits a classifier to the training set of d. If requested, it first tunes parameters by
// cross-validation and records the choice in o.
//
// The argument clock sums the times that external programs report.
func (w *Worker) fit(
	ctx context.Context, o *Outcome, c *study.Cell, replicate int, e study.Entry, d *Draw, clock *programClock,
) (*classifiers.Rule, error) {
	if e.Oracle() {
		return oracleRule(ctx, d)
	}
	// All fits of the classifier start from the same state of the random number generator.
	state := stream.State(w.seed, c.Key, replicate, stream.Classifier(e.ID))
	if e.Tuning == nil {
		return w.fitEntry(ctx, e, d.Train, d.Test, state, clock)
	}
	chosen, warning, err := w.tune(ctx, o, c, replicate, e, d.Train, state, clock)
	if err != nil {
		return nil, err
	}
	clock.fit, clock.predict = clock.fit+clock.predict, 0 // all time spent so far is fitting time
	rule, err := w.fitEntry(ctx, chosen, d.Train, d.Test, state, clock)
	if err == nil && warning != "" {
		rule.Warnings = append([]string{warning}, rule.Warnings...)
	}
	return rule, err
}

// fitEntry prepares the data and fits a built-in classifier or an external program. The returned
// rule predicts the test set.
//
// The argument state is the initial state of the random number generator. The argument clock sums
// the times that programs report.
func (w *Worker) fitEntry(
	ctx context.Context, e study.Entry, train, test *dataset.Set, state []byte, clock *programClock,
) (*classifiers.Rule, error) {
	var recipe classifiers.Classifier
	if e.Program != nil {
		recipe = classifiers.Decided(programClassifier{w, e, test, clock}, e.Preparation)
	} else {
		if err := classifiers.CheckTest(e.Name, e.Preparation, test); err != nil {
			return nil, err
		}
		recipe = classifiers.Prepared(e.Classifier, e.Preparation)
	}
	return classifiers.FitPresent(ctx, recipe, train, func() *rand.Rand { return stream.FromState(state) })
}

// microseconds rounds a time in seconds to whole microseconds, because further digits are only noise.
func microseconds(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }
