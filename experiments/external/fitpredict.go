package external

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Prediction is a classifier's answer for the m rows of a test set.
type Prediction struct {
	Labels        []int      // m class codes
	Probabilities *mat.Dense // m x C, or nil
	Scores        *mat.Dense // m x C, or nil
	Warnings      []string
	Fit, Predict  float64 // seconds by the program's own clock, else by copse's with all in Fit
	Peak          int64   // bytes that the program held at most, as far as the platform tells
}

// FitPredict lets a classifier fit the training set and label the test set. The
// limit, 0 for none, counts from the request, not from the start of a process;
// context.DeadlineExceeded says that it was reached. A Refusal is the program's
// own error, a Fault everything else that it did wrong.
func (h *Host) FitPredict(ctx context.Context, program *Program, train, test *dataset.Set, seed uint64,
	limit time.Duration) (answer *Prediction, err error) {
	err = h.with(ctx, program, func(p *process) error {
		if err := p.helloOf(program).Capabilities.takes(train, test); err != nil {
			return err
		}
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		r := request{Op: "fit_predict", Params: program.Params}
		if program.Tried != nil {
			r.Params = program.Tried
		}
		r.seeds(seed)
		if err := p.send(&r, train, test); err != nil {
			return err
		}
		began := time.Now()
		reply, err := p.ask(ctx, r)
		if err != nil {
			return err
		}
		answer, err = p.prediction(reply, test.N(), train.C())
		if err != nil {
			return err
		}
		if reply.Fit == nil {
			answer.Fit = time.Since(began).Seconds()
		}
		return nil
	})
	return answer, err
}

// takes refuses data that the program does not declare to take.
func (c *Capabilities) takes(train, test *dataset.Set) error {
	if c.MaxClasses > 0 && train.C() > c.MaxClasses {
		return &Refusal{fmt.Sprintf("takes at most %d classes, the training set has %d", c.MaxClasses, train.C())}
	}
	for _, a := range train.Attributes {
		if a.Kind == dataset.Discrete && !c.Discrete {
			return &Refusal{fmt.Sprintf("takes numeric attributes only, %q is discrete", a.Name)}
		}
	}
	for _, set := range []*dataset.Set{train, test} {
		for i := range set.N() {
			if j := slices.IndexFunc(set.X.RawRowView(i), math.IsNaN); j >= 0 && !c.Missing {
				return &Refusal{fmt.Sprintf("row %d, column %q: missing value (NaN)", i+1, set.Attributes[j].Name)}
			}
		}
	}
	return nil
}

// send writes the data and names them in the request.
func (p *process) send(r *request, train, test *dataset.Set) error {
	path := func(name string) string { return filepath.Join(p.folder, name) }
	r.Train, r.Labels, r.Test = path("train.npy"), path("train-labels.npy"), path("test.npy")
	if err := writeMatrix(r.Train, train.X, train.N()); err != nil {
		return err
	}
	if err := writeLabels(r.Labels, train.Y); err != nil {
		return err
	}
	if err := writeMatrix(r.Test, test.X, test.N()); err != nil {
		return err
	}
	r.Classes, r.Levels = train.Classes, map[string][]string{}
	for _, a := range train.Attributes {
		r.Names = append(r.Names, a.Name)
		kind := kindNumeric
		if a.Kind == dataset.Discrete {
			kind, r.Levels[a.Name] = kindDiscrete, a.Levels
		}
		r.Kinds = append(r.Kinds, kind)
	}
	return nil
}

// longestFit bounds the seconds that a program may report: a year.
const longestFit = 365 * 24 * 3600

// prediction reads and checks an answer.
func (p *process) prediction(r *reply, m, c int) (*Prediction, error) {
	answer := &Prediction{Warnings: r.Warnings, Peak: p.peak}
	for name, to := range map[string]*float64{"fit_s": &answer.Fit, "predict_s": &answer.Predict} {
		from := map[string]*float64{"fit_s": r.Fit, "predict_s": r.Predict}[name]
		if from == nil {
			continue
		}
		if !(*from >= 0 && *from <= longestFit) {
			return nil, p.fault("%s: %v is no number of seconds", name, *from)
		}
		*to = *from
	}
	if r.Labels == "" {
		return nil, p.fault("answered without labels")
	}
	var err error
	if answer.Labels, err = readLabels(p.answerFile(r.Labels), m, c); err != nil {
		return nil, p.fault("labels: %v", p.plain(err))
	}
	if answer.Probabilities, err = p.perClass(r.Probabilities, m, c, true); err != nil {
		return nil, p.fault("probabilities: %v", p.plain(err))
	}
	if answer.Scores, err = p.perClass(r.Scores, m, c, false); err != nil {
		return nil, p.fault("scores: %v", p.plain(err))
	}
	for _, x := range []*mat.Dense{answer.Probabilities, answer.Scores} {
		if x == nil {
			continue
		}
		for i, label := range answer.Labels {
			if row := x.RawRowView(i); row[label] < slices.Max(row) {
				return nil, p.fault("row %d has the label %d, but its largest entry is another class's: %v", i+1,
					label, row)
			}
		}
	}
	return answer, nil
}

// answerFile is the path of a reply's file: within the private folder.
func (p *process) answerFile(name string) string {
	return filepath.Join(p.answers, filepath.Base(name))
}

// plain is an error's text without the names of private folders.
func (p *process) plain(err error) string { return p.conceal(err.Error()) }

// shareTolerance is how far a row of probabilities may be from 1.
const shareTolerance = 1e-6

func (p *process) perClass(name string, m, c int, shares bool) (*mat.Dense, error) {
	if name == "" {
		return nil, nil
	}
	x, err := readMatrix(p.answerFile(name), m, c)
	if err != nil {
		return nil, err
	}
	for i := range m {
		sum := 0.0
		for _, v := range x.RawRowView(i) {
			switch {
			case math.IsNaN(v):
				return nil, fmt.Errorf("row %d: %v", i+1, x.RawRowView(i))
			case shares && (v < 0 || v > 1+shareTolerance):
				return nil, fmt.Errorf("row %d: %v, want shares from 0 to 1 with the sum 1", i+1, x.RawRowView(i))
			}
			sum += v
		}
		if shares && math.Abs(sum-1) > shareTolerance {
			return nil, fmt.Errorf("row %d: %v have the sum %v, not 1", i+1, x.RawRowView(i), sum)
		}
	}
	return x, nil
}
