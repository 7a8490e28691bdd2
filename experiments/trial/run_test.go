package trial_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/toys"
	"copse/stats/metrics"
	"copse/stats/records"
)

// module is the import path of this module, with a trailing slash.
var module = strings.TrimSuffix(reflect.TypeFor[trial.Worker]().PkgPath(), "experiments/trial")

// runTrial runs a replicate of the first cell with all its classifiers.
func runTrial(t *testing.T, s *study.Study, replicate int) *trial.Trial {
	t.Helper()
	w := trial.NewWorker(s)
	defer w.Close()
	c := s.Cells[0]
	done, err := w.Run(t.Context(), c, replicate, c.Classifiers)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// Every failure of a fit becomes a record with its cause, and the other fits still run.
func TestRunOfFailures(t *testing.T) {
	s := toys.Load(t, toys.FaultyStudy)
	one := runTrial(t, s, 1)
	want := map[string]struct {
		cause   records.Cause
		message string
	}{
		"error": {records.FitFailed, "faulty: on purpose"},
		"panic": {records.FitFailed, "panic: on purpose (in " + module + "internal/toys.(*faulty).Fit, line "},
		"label": {records.FitFailed, "test row 1: predicted label 7 is not a class"},
		"short": {records.FitFailed, "1 predictions for 20 test rows"},
		"hang":  {records.OutOfTime, "time limit of 200ms exceeded"},
	}
	for _, r := range one.Results {
		c, ok := want[r.Classifier]
		if ok && (r.Status != records.Failed || r.Cause != c.cause || !strings.HasPrefix(r.Message, c.message)) {
			t.Errorf("%s: %s, %s, %q", r.Classifier, r.Status, r.Cause, r.Message)
		}
		if r.Cell != one.Cell || r.Data != one.Data || r.NTest != 20 || r.Replicate != 1 {
			t.Errorf("%s lacks the shared values of the trial: %+v", r.Classifier, r)
		}
		delete(want, r.Classifier)
	}
	if len(want) > 0 {
		t.Errorf("no results of %v", want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := trial.NewWorker(s)
	defer w.Close()
	if _, err := w.Run(ctx, s.Cells[0], 1, s.Cells[0].Classifiers); err == nil {
		t.Error("a cancelled trial has results")
	}
}

// A panic in the probabilities is a failed fit, whether metrics or stored predictions need them.
func TestPanicInProbabilities(t *testing.T) {
	for _, key := range []string{"predictions: keep", "metrics: [brier]"} {
		text, _, _ := strings.Cut(toys.FaultyStudy, "  - {id: panic")
		text = strings.Replace(text, "seed: 1", "seed: 1\n"+key, 1)
		text = strings.Replace(text, "classifier: faulty}", "classifier: faulty, mode: probabilities}", 1)
		one := runTrial(t, toys.Load(t, text), 1)
		r := one.Results[0]
		message := "panic: no probabilities (in " + module + "internal"
		if r.Status != records.Failed || !strings.HasPrefix(r.Message, message) {
			t.Errorf("%s: %s, %q", key, r.Status, r.Message)
		}
		if len(one.Predictions) > 0 {
			t.Errorf("%s: predictions of a failed fit", key)
		}
	}
}

// If data cannot be drawn, every classifier gets a failed record.
func TestRunWithoutData(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, ", oracle", "", 1), "data.generator.shift=13")
	one := runTrial(t, s, 1)
	if one.Data != "" || len(one.Results) != 2 {
		t.Fatalf("%+v", one)
	}
	for _, r := range one.Results {
		if r.Status != records.Failed || r.Cause != records.NotDrawn || r.Message != "data: unlucky shift" {
			t.Errorf("%+v", r)
		}
	}
	if _, err := trial.NewDraw(s.Cells[0], s.Seed, 1); err == nil {
		t.Error("data were drawn")
	}
}

// Data with infinite values fail for all classifiers, also for the oracle, whose error would be meaningless.
func TestRunWithInfiniteData(t *testing.T) {
	s := toys.Load(t, "study: s\nseed: 1\nreplicates: 1\nclassifiers: [nb, oracle]\n"+
		"data: {generator: {name: forest, coef: 1e308}, train: {n: 30}, test: {n: 20}}\n")
	const want = "data: the generator drew an infinite value; give it less extreme parameters"
	for _, r := range runTrial(t, s, 1).Results {
		if r.Status != records.Failed || r.Cause != records.NotDrawn || r.Message != want {
			t.Errorf("%+v", r)
		}
	}
}

func TestCheckTrial(t *testing.T) {
	whole := func() *trial.Trial {
		return &trial.Trial{Cell: "c", Replicate: 1, NTest: 4, Results: []records.Record{
			{Classifier: "nb", Status: records.OK, Errors: 1, Confusion: metrics.Confusion{1, 1, 0, 2}}}}
	}
	if err := whole().Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(o *trial.Trial){
		"replicate 0":   func(o *trial.Trial) { o.Replicate = 0 },
		"replicate":     func(o *trial.Trial) { o.Replicate = 1 << 31 },
		"rows":          func(o *trial.Trial) { o.NTest = -1 },
		"many rows":     func(o *trial.Trial) { o.NTest = 1 << 31 },
		"status":        func(o *trial.Trial) { o.Results[0].Status = "fine" },
		"errors":        func(o *trial.Trial) { o.Results[0].Errors = -1 },
		"many errors":   func(o *trial.Trial) { o.Results[0].Errors, o.Results[0].Confusion = 5, nil },
		"matrix":        func(o *trial.Trial) { o.Results[0].Confusion = metrics.Confusion{1, 1, 0, 3} },
		"negative cell": func(o *trial.Trial) { o.Results[0].Confusion = metrics.Confusion{-1, 3, 0, 2} },
	} {
		o := whole()
		spoil(o)
		if o.Check() == nil {
			t.Errorf("%s: the trial was accepted: %+v", name, o)
		}
	}
}
