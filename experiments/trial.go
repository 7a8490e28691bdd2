package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/records"
)

// A Trial is the outcome of one replicate of one cell: the data were drawn
// once and every listed classifier ran on them.
type Trial struct {
	Cell      string            `json:"cell"`
	Levels    map[string]string `json:"levels"`
	Replicate int               `json:"replicate"`
	Data      string            `json:"data"` // fingerprint of training and test set
	NTest     int               `json:"n_test"`
	Results   []Result          `json:"results"`
}

// A Result is one classifier's part of a trial.
type Result struct {
	ID      string         `json:"id"`
	Spec    string         `json:"spec"`
	Status  records.Status `json:"status"`
	Errors  int            `json:"errors"`
	BER     float64        `json:"ber"`               // 0 when failed
	Message string         `json:"message,omitempty"` // why it failed, or warnings
	// Fit and Predict are seconds, not reproducible. What several recipes derive
	// alike from the training set counts for the first of them.
	Fit     float64 `json:"fit_s"`
	Predict float64 `json:"predict_s"`
}

// check refuses what no run writes and the store cannot hold.
func (t *Trial) check() error {
	if t.Replicate < 1 || t.Replicate > math.MaxInt32 || t.NTest < 0 || t.NTest > math.MaxInt32 {
		return fmt.Errorf("cell %s: replicate %d with %d test rows", t.Cell, t.Replicate, t.NTest)
	}
	for _, r := range t.Results {
		if r.Status != records.OK && r.Status != records.Failed || r.Errors < 0 || r.Errors > math.MaxInt32 {
			return fmt.Errorf("cell %s, replicate %d, %s: status %q with %d errors in %d test rows", t.Cell, t.Replicate, r.ID, r.Status, r.Errors, t.NTest)
		}
	}
	return nil
}

// runTrial draws the data of one trial and runs the given entries on them, one
// after the other. It fails only when ctx is done before all have run: whatever
// goes wrong in the data or in a fit is part of the trial.
func runTrial(ctx context.Context, s *Study, c *Cell, replicate int, entries []Entry) (*Trial, error) {
	t := &Trial{Cell: c.ID, Levels: s.levelMap(c), Replicate: replicate}
	draw, err := c.drawSafely(s.Seed, replicate)
	if err == nil {
		t.Data, t.NTest = draw.Fingerprint, draw.Test.N()
	}
	for _, e := range entries {
		result := Result{ID: e.ID, Spec: e.Spec, Status: records.Failed}
		if err != nil {
			result.Message = "data: " + oneLine(err.Error())
		} else {
			outcome := s.fitAndScore(ctx, c, replicate, e, draw)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			result = outcome.Result
		}
		t.Results = append(t.Results, result)
	}
	return t, nil
}

// levelMap names the levels of a cell, absent nested factors left out.
func (s *Study) levelMap(c *Cell) map[string]string {
	m := map[string]string{}
	for i, f := range s.Factors {
		if c.Levels[i] != "" {
			m[f.Name] = c.Levels[i]
		}
	}
	return m
}

func (c *Cell) drawSafely(seed uint64, replicate int) (d *Draw, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(panicMessage(p))
		}
	}()
	return c.Draw(seed, replicate)
}

// timeLimitMessage begins the message of a fit that ran out of its time.
const timeLimitMessage = "time limit of"

// An outcome is a result with what led to it.
type outcome struct {
	Result
	rule        classifiers.Rule
	predictions []int
	stack       string // of a panic
}

// fitAndScore fits one entry and counts its test errors. Errors, panics,
// timeouts and labels that are no classes become failed results.
func (s *Study) fitAndScore(ctx context.Context, c *Cell, replicate int, e Entry, d *Draw) outcome {
	o := outcome{Result: Result{ID: e.ID, Spec: e.Spec, Status: records.Failed}}
	if s.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.TimeLimit)
		defer cancel()
	}
	err := o.run(ctx, e, d, stream(s.Seed, c.Key, replicate, "classifier:"+e.ID))
	switch {
	case err != nil && s.TimeLimit > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Message = fmt.Sprintf("%s %s exceeded", timeLimitMessage, s.TimeLimit)
	case err != nil:
		o.Message = oneLine(err.Error())
	default:
		o.Status = records.OK
		o.Errors, o.BER = score(d.Test, o.predictions)
	}
	return o
}

func (o *outcome) run(ctx context.Context, e Entry, d *Draw, rng *rand.Rand) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err, o.stack = errors.New(panicMessage(p)), string(debug.Stack())
		}
	}()
	start := time.Now()
	if e.Classifier == nil {
		o.rule = oracleRule(d)
	} else if o.rule, err = e.Classifier.Fit(ctx, d.Train, rng); err != nil {
		return err
	}
	o.Fit = seconds(time.Since(start))
	start = time.Now()
	o.predictions = classifiers.PredictSet(o.rule, d.Test)
	o.Predict = seconds(time.Since(start))
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(o.predictions) != d.Test.N() {
		return fmt.Errorf("%d predictions for %d test rows", len(o.predictions), d.Test.N())
	}
	for i, label := range o.predictions {
		if label < 0 || label >= d.Test.C() {
			return fmt.Errorf("test row %d: predicted label %d is no class", i+1, label)
		}
	}
	if w, ok := o.rule.(classifiers.Warner); ok {
		o.Message = oneLine(strings.Join(w.Warnings(), "; "))
	}
	return nil
}

// oracleRule decides by the true densities with the test set's class shares
// as priors: its error is the Bayes error.
func oracleRule(d *Draw) classifiers.Rule {
	problem := d.Problem.(generators.DensityProblem) // checked when the study was read
	logPrior := make([]float64, d.Test.C())
	for c, count := range d.Test.Counts() {
		logPrior[c] = math.Log(float64(count) / float64(d.Test.N()))
	}
	return classifiers.NewBayes(logPrior, problem.LogDensity)
}

// score counts the errors and averages the error rates of the classes that
// have test rows.
func score(test *dataset.Set, predictions []int) (errors int, ber float64) {
	wrong := make([]int, test.C())
	for i, y := range test.Y {
		if predictions[i] != y {
			wrong[y]++
			errors++
		}
	}
	present := 0
	for c, count := range test.Counts() {
		if count > 0 {
			ber += float64(wrong[c]) / float64(count)
			present++
		}
	}
	return errors, ber / float64(present)
}

// seconds keeps microseconds: finer digits of a time mean nothing.
func seconds(t time.Duration) float64 { return t.Round(time.Microsecond).Seconds() }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// panicMessage names a panic and the line of this module's code that raised it.
func panicMessage(p any) string {
	message := fmt.Sprintf("panic: %v", p)
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "copse/") && !strings.HasPrefix(f.Function, "copse/experiments.") {
			return fmt.Sprintf("%s (in %s, line %d)", message, f.Function, f.Line)
		}
		if !more {
			return message
		}
	}
}
