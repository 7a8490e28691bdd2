package trial

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/metrics"
	"copse/stats/records"
)

// timeLimitMessage begins the message of a fit that ran out of its time.
const timeLimitMessage = "time limit of"

// IsTimeLimit tells whether a message says that a fit ran out of its time.
func IsTimeLimit(message string) bool { return strings.HasPrefix(message, timeLimitMessage) }

// An Outcome is a result with what led to it.
type Outcome struct {
	Result
	rule        classifiers.Rule
	Predictions []int
	Stack       string // of a panic
}

// Fit fits one entry and counts its test errors. Errors, panics,
// timeouts and labels that are no classes become failed results.
func Fit(ctx context.Context, s *study.Study, c *study.Cell, replicate int, e study.Entry, d *Draw) Outcome {
	o := Outcome{Result: Result{ID: e.ID, Spec: e.Spec, Status: records.Failed}}
	if s.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.TimeLimit)
		defer cancel()
	}
	err := o.run(ctx, e, d, s.Metrics, func() *rand.Rand { return stream.New(s.Seed, c.Key, replicate, stream.Classifier(e.ID)) })
	switch {
	case err != nil && s.TimeLimit > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Message = fmt.Sprintf("%s %s exceeded", timeLimitMessage, s.TimeLimit)
	case err != nil:
		o.Message = OneLine(err.Error())
	default:
		o.Status, o.Confusion = records.OK, metrics.NewConfusion(d.Test.C(), d.Test.Y, o.Predictions)
		o.count()
	}
	return o
}

func (o *Outcome) run(ctx context.Context, e study.Entry, d *Draw, asked []string, rng func() *rand.Rand) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err, o.Stack = errors.New(panicMessage(p)), string(debug.Stack())
		}
	}()
	if err := classifiers.CheckTest(e.Name, e.Preparation, d.Test); err != nil {
		return err
	}
	d.Train.StartSharing()
	d.Test.StartSharing()
	start := time.Now()
	if e.Classifier == nil {
		o.rule = oracleRule(d)
	} else if o.rule, err = classifiers.FitPresent(ctx, classifiers.Prepared(e.Classifier, e.Preparation), d.Train, rng); err != nil {
		return err
	}
	shared := d.Train.Saved() + d.Test.Saved()
	o.Fit = seconds(time.Since(start) + shared)
	start = time.Now()
	o.Predictions = classifiers.PredictSet(o.rule, d.Test)
	o.Predict = seconds(time.Since(start) + d.Train.Saved() + d.Test.Saved() - shared)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(o.Predictions) != d.Test.N() {
		return fmt.Errorf("%d predictions for %d test rows", len(o.Predictions), d.Test.N())
	}
	for i, label := range o.Predictions {
		if label < 0 || label >= d.Test.C() {
			return fmt.Errorf("test row %d: predicted label %d is no class", i+1, label)
		}
	}
	o.Metrics = measure(asked, o.rule, d.Test, o.Predictions)
	if w, ok := o.rule.(classifiers.Warner); ok {
		o.Message = OneLine(strings.Join(w.Warnings(), "; "))
	}
	return nil
}

// seconds keeps microseconds: finer digits of a time mean nothing.
func seconds(t time.Duration) float64 { return t.Round(time.Microsecond).Seconds() }

func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// module is the path of this module with a slash.
var module = strings.TrimSuffix(reflect.TypeFor[Trial]().PkgPath(), "experiments/trial")

// panicMessage names a panic and the line of this module's code that raised it.
func panicMessage(p any) string {
	message := fmt.Sprintf("panic: %v", p)
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, module) && !strings.HasPrefix(f.Function, module+"experiments/") {
			return fmt.Sprintf("%s (in %s, line %d)", message, f.Function, f.Line)
		}
		if !more {
			return message
		}
	}
}
