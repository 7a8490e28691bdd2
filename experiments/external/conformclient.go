package external

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"copse/stats/dataset"
)

// A clientAct is a test of a client library with a method that misbehaves in its second fit.
type clientAct struct {
	name string  // the value of the method's parameter "act"
	want outcome // the expected outcome of this fit
	text string  // part of the expected error or warnings
}

// An outcome is the expected result of a fit in which a method misbehaves.
type outcome int

const (
	answered   outcome = iota // the right labels
	refusedFit                // an error that the method itself reports; its process continues
	failedFit                 // any error
	ranOutOfTime
)

// quotedText is part of the warnings and errors of the test program "acts". It tests the encoding
// in JSON.
const quotedText = `a "quoted" \ text, über two lines`

// clientActs lists the misbehaviours with which client libraries are tested. The template "acts"
// implements those that its programming language allows.
var clientActs = []clientAct{
	{"prints", answered, ""},
	{"changes its folder", answered, ""},
	{"redirects its output", answered, ""},
	{"warns", answered, quotedText},
	{"raises an error", refusedFit, quotedText},
	{"raises an error of 1 MB", refusedFit, "eeee"},
	{"returns no class", refusedFit, ""},
	{"returns a label too few", failedFit, "labels"},
	{"returns NaN", failedFit, ""},
	{"ends its process", failedFit, "ended before it answered"},
	{"aborts its process", failedFit, "ended before it answered"},
	{"hangs", ranOutOfTime, ""},
	{"reads its requests", ranOutOfTime, ""},
}

// A test program returns an error that ends with noSuchAct if its language rules out the
// misbehaviour.
const noSuchAct = "no such act"

// clientRules returns a rule for each test in clientActs.
func clientRules() (rules []rule) {
	for _, a := range clientActs {
		rules = append(rules, rule{a.name, a.check})
	}
	return rules
}

// actLimit is the time limit of a fit that never ends.
const actLimit = time.Second

// check requests three fits from a test method, which misbehaves only in the second. The outcome of
// this fit must be a.want. The other fits must return the correct labels.
func (a clientAct) check(s *subject) error {
	s.host.Close() // so that a new process runs the three fits
	program := a.programFor(s)
	train, test := s.classesBySign(20), s.classesBySign(15)
	fit := func(limit time.Duration) (*Prediction, error) {
		ctx, cancel := WithTimeLimit(s.ctx, limit)
		defer cancel()
		return s.host.FitPredict(ctx, program, train, test, testSeed)
	}
	const noLimit time.Duration = 0
	fitCorrectly := func() error {
		answer, err := fit(noLimit)
		return rightLabels(answer, err, test.Y)
	}
	if err := fitCorrectly(); err != nil {
		return fmt.Errorf("the first of three fits failed, although the method misbehaves only in the second: %w", err)
	}
	limit := noLimit
	if a.want == ranOutOfTime {
		limit = actLimit
	}
	answer, err := fit(limit)
	if err := a.checkOutcome(answer, err, test.Y); err != nil {
		return err
	}
	// The client must have recovered from the misbehaviour.
	if err := fitCorrectly(); err != nil {
		return fmt.Errorf("the third fit failed, after the method had misbehaved in the second: %w", err)
	}
	return nil
}

// programFor returns a copy of the test program that misbehaves as a.name states.
func (a clientAct) programFor(s *subject) *Program {
	program := *s.program
	program.Params = map[string]any{}
	maps.Copy(program.Params, s.program.Params)
	program.Params["act"] = a.name
	return &program
}

// classesBySign draws n rows, in class 1 if the first value is positive, otherwise in class 0.
func (s *subject) classesBySign(n int) *dataset.Set {
	set := s.gaussians(n, 3, 2, 0)
	for i := range set.Y {
		set.Y[i] = 0
		if set.X.At(i, 0) > 0 {
			set.Y[i] = 1
		}
	}
	return set
}

// rightLabels returns err or, if it is nil, an error unless the labels of the answer equal want.
func rightLabels(answer *Prediction, err error, want []int) error {
	if err != nil {
		return err
	}
	return firstDifference(answer.Labels, want)
}

// checkOutcome checks the result of the fit in which the method misbehaves: answer or, if the fit
// failed, err. The outcome must be a.want: the correct labels (answered), an error from the method
// itself (refusedFit), any error (failedFit) or a timeout (ranOutOfTime). The error or, after a
// success, the warnings must contain a.text.
func (a clientAct) checkOutcome(answer *Prediction, err error, labels []int) error {
	isFromMethod := refused(err)
	if isFromMethod && strings.HasSuffix(err.Error(), noSuchAct) {
		return skipped("the language of the test program rules out this misbehaviour")
	}
	if a.want == answered {
		if err := rightLabels(answer, err, labels); err != nil {
			return err
		}
		if warnings := oneLine(strings.Join(answer.Warnings, " ")); !strings.Contains(warnings, a.text) {
			return fmt.Errorf("the warnings are %q; want %q", warnings, a.text)
		}
		return nil
	}
	switch {
	case err == nil:
		return errors.New("the client returned labels instead of an error")
	case a.want == ranOutOfTime && !errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the fit did not run out of time: %w", err)
	case a.want == refusedFit && !isFromMethod:
		return fmt.Errorf("the client did not report the error of the method: %w", err)
	case !strings.Contains(err.Error(), a.text):
		return fmt.Errorf("the error is %q; want %q", shorten(err.Error()), a.text)
	}
	return nil
}
