package external

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"golang.org/x/exp/rand" //lint:ignore SA1019 the studies' random source

	"copse/stats/dataset"
)

// A clientAct is a kind of misbehaviour of a method in its second fit. A client of the
// protocol turns it into the wanted reply, or the process ends and copse starts a new one
// for the next request.
type clientAct struct {
	name string
	want outcome
	text string // expected in the error or in the warnings
}

// An outcome is the result of the fit in which a method misbehaves.
type outcome int

const (
	answered   outcome = iota // the right labels
	refusedFit                // the method's own error; its process goes on
	failedFit                 // any error
	ranOutOfTime
)

const quotedText = `a "quoted" \ text, über two lines` // the method writes a line break for the second space

// clientActs lists the acts. The templates named acts have all acts that their language allows.
var clientActs = []clientAct{
	{"prints", answered, ""},
	{"changes its folder", answered, ""},
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

// noSuchAct ends the error of a method that does not have an act.
const noSuchAct = "no such act"

// ConformClient checks a client of the protocol, act by act, and passes the findings to the
// listener. program runs a method that misbehaves according to its parameter act.
func ConformClient(ctx context.Context, program *Program, folder string, rng *rand.Rand, listener Listener) error {
	var laws []law
	for _, a := range clientActs {
		laws = append(laws, law{a.name, a.check})
	}
	return conform(ctx, program, folder, 2, rng, listener, func(Kind) []law { return laws })
}

// actLimit is the time limit of a fit that never ends.
const actLimit = time.Second

// check requests three fits. The second misbehaves; the others must return the right labels.
func (a clientAct) check(s *subject) (string, error) {
	s.fresh()
	program := *s.program
	program.Params = maps.Clone(program.Params)
	if program.Params == nil {
		program.Params = map[string]any{}
	}
	program.Params["act"] = a.name
	train, test := s.signed(20), s.signed(15)
	fit := func(limit time.Duration) (*Prediction, error) {
		return s.host.FitPredict(s.ctx, &program, train, test, lawSeed, limit)
	}

	answer, err := fit(0)
	if err := rightLabels(answer, err, test.Y); err != nil {
		return "", fmt.Errorf("in the fit before: %w", err)
	}
	limit := time.Duration(0)
	if a.want == ranOutOfTime {
		limit = actLimit
	}
	answer, err = fit(limit)
	if err := a.compare(answer, err, test.Y); err != nil {
		return "", err
	}
	answer, err = fit(0)
	if err := rightLabels(answer, err, test.Y); err != nil {
		return "", fmt.Errorf("in the fit after: %w", err)
	}
	return "", nil
}

// signed draws n rows whose labels are the signs of the first column.
func (s *subject) signed(n int) *dataset.Set {
	set := s.gaussians(n, 3, 2, 0)
	for i := range set.Y {
		set.Y[i] = 0
		if set.X.At(i, 0) > 0 {
			set.Y[i] = 1
		}
	}
	return set
}

// rightLabels returns the error of a fit, or an error for the first wrong label.
func rightLabels(answer *Prediction, err error, want []int) error {
	if err != nil {
		return err
	}
	return firstDifference(answer.Labels, want)
}

// compare returns an error if the fit in which the method misbehaved had another outcome.
func (a clientAct) compare(answer *Prediction, err error, labels []int) error {
	if refused(err) && strings.HasSuffix(err.Error(), noSuchAct) {
		return skipped("the method does not have it")
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
		return errors.New("was answered with labels")
	case a.want == ranOutOfTime && !errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("did not run out of time: %w", err)
	case a.want == refusedFit && !refused(err):
		return fmt.Errorf("the client returned no error of its own: %w", err)
	case !strings.Contains(err.Error(), a.text):
		return fmt.Errorf("the error is %q; want %q", shorten([]byte(err.Error())), a.text)
	}
	return nil
}
