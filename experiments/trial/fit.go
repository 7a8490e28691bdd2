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
	NotStarted *external.NotStarted // reason why the program did not start, or nil

	Predictions metrics.Predictions // of the test rows; empty unless the study stores predictions or metrics
}

// Fit fits one classifier to the training set of d and counts its errors on the test set. An error,
// a panic, an invalid label or an exceeded time limit results in a failure.
func (w *Worker) Fit(ctx context.Context, c *study.Cell, replicate int, e study.Entry, d *Draw) Outcome {
	o := Outcome{Record: records.Record{Classifier: e.ID, Spec: e.Spec, NTest: d.Test.N()}}
	ctx, cancel := w.limited(ctx, e)
	defer cancel()
	f := &fitting{Worker: w, cell: c, replicate: replicate, entry: e, draw: d}
	err := o.fitAndPredict(ctx, d, w.study, f.rule)
	o.Tuned = f.tuned
	if err != nil {
		isOutOfTime := errors.Is(context.Cause(ctx), context.DeadlineExceeded)
		cause := records.FitFailed
		if w.study.TimeLimit > 0 && isOutOfTime {
			cause = records.OutOfTime
			err = errTimeLimit(w.study.TimeLimit, "", err)
		}
		errors.As(err, &o.NotStarted)
		recordFailure(&o.Record, cause, err.Error())
		return o
	}
	if e.Program != nil { // the measured times include the transfer of the data
		o.Fit = microseconds(f.clock.fit)
		o.Predict = microseconds(f.clock.predict)
		o.Peak = f.clock.peak
	}
	o.Status = records.OK
	o.Confusion = metrics.NewConfusion(d.Test.C(), d.Test.Y, o.Labels)
	o.SetRates()
	return o
}

// limited returns a context with the time limit of a fit, if any. The limit of an external program
// applies only to the requests to the program, and not to its start.
func (w *Worker) limited(ctx context.Context, e study.Entry) (context.Context, context.CancelFunc) {
	switch limit := w.study.TimeLimit; {
	case e.Program != nil:
		return external.WithTimeLimit(ctx, limit)
	case limit > 0:
		return context.WithTimeout(ctx, limit)
	}
	return ctx, func() {}
}

// fitAndPredict calls fit, predicts the test set, and records times, metrics and predictions. It
// returns a panic as an error.
func (o *Outcome) fitAndPredict(
	ctx context.Context, d *Draw, s *study.Study, fit func(context.Context) (*classifiers.Rule, error),
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(panicMessage(p))
			o.Stack = string(debug.Stack())
		}
	}()
	d.Train.StartSharing()
	d.Test.StartSharing()
	start := time.Now()
	rule, err := fit(ctx)
	if err != nil {
		return err
	}
	// Classifiers share values computed from the data. Recorded times include the time that sharing
	// has saved, so they do not depend on the order of the classifiers.
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

// A fitting fits one classifier in a trial. The fits of a tuning all start from the same state of
// the random number generator.
type fitting struct {
	*Worker
	cell      *study.Cell
	replicate int
	entry     study.Entry
	draw      *Draw
	clock     programClock
	tuned     string // result of the tuning, or ""
}

// rule fits the classifier to the training set. If the study requests tuning, it first tunes
// parameters by cross-validation and stores the chosen values in f.tuned.
func (f *fitting) rule(ctx context.Context) (*classifiers.Rule, error) {
	if f.entry.Oracle() {
		return oracleRule(ctx, f.draw)
	}
	if f.entry.Tuning == nil {
		return f.fitEntry(ctx, f.entry, f.draw.Train, f.draw.Test)
	}
	chosen, warning, err := f.tune(ctx)
	if err != nil {
		return nil, err
	}
	f.clock.fit += f.clock.predict // tuning is part of the fit, including its predictions
	f.clock.predict = 0
	rule, err := f.fitEntry(ctx, chosen, f.draw.Train, f.draw.Test)
	if err == nil && warning != "" {
		rule.Warnings = append([]string{warning}, rule.Warnings...)
	}
	return rule, err
}

// fitEntry prepares the data and fits e, which is f.entry or a tuning candidate. The returned rule
// predicts the test set, with the decision rule of e.
func (f *fitting) fitEntry(
	ctx context.Context, e study.Entry, train, test *dataset.Set,
) (*classifiers.Rule, error) {
	var recipe classifiers.Classifier
	if e.Program != nil {
		// programClassifier prepares both sets, because a program receives them in one request.
		program := programClassifier{fitting: f, entry: e, test: test}
		recipe = classifiers.WithDecisionRule(program, e.Preparation)
	} else {
		if err := classifiers.CheckTest(e.Name, e.Preparation, test); err != nil {
			return nil, err
		}
		recipe = classifiers.Prepared(e.Classifier, e.Preparation)
	}
	// If the fit fails, FitDroppingRare tries again without classes that have few rows.
	return classifiers.FitDroppingRare(ctx, recipe, train, func() *rand.Rand {
		return stream.New(f.study.Seed, f.cell.Key, f.replicate, stream.Classifier(f.entry.ID))
	})
}

// microseconds rounds a time in seconds to whole microseconds.
func microseconds(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }
