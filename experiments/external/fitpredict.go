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

// A Prediction is the reply of a classifier for a test set with m rows and C classes.
type Prediction struct {
	Labels        []int      // m class codes
	Probabilities *mat.Dense // m x C, or nil
	Scores        *mat.Dense // m x C, or nil
	Warnings      []string
	Fit, Predict  float64 // seconds reported by the program; otherwise, Fit is the time of the whole request
	Peak          int64   // peak memory in bytes; 0 if unknown
}

// FitPredict requests a fit and predictions for the test set.
//
// The error is a Refusal if the program reports an error or does not support the data. The error is
// a Fault if the program violates the protocol or ends before it replies. If a time limit ends the
// request, the Fault wraps context.DeadlineExceeded.
func (h *Host) FitPredict(
	ctx context.Context, program *Program, train, test *dataset.Set, seed uint64,
) (answer *Prediction, err error) {
	err = h.withFresh(ctx, program, func(ctx context.Context, p *process) error {
		capabilities := p.handshakeOf(program).Capabilities
		if err := capabilities.checkData(train, test); err != nil {
			return err
		}
		r := request{Op: "fit_predict", Params: program.requested()}
		r.setSeeds(seed)
		if err := p.writeData(&r, train, test); err != nil {
			return err
		}
		began := time.Now()
		reply, err := p.exchange(ctx, r)
		if err != nil {
			return err
		}
		if answer, err = p.prediction(reply, test.N(), train.C()); err != nil {
			return err
		}
		if reply.Fit == nil { // the program does not report its times
			answer.Fit = time.Since(began).Seconds()
		}
		return nil
	})
	return answer, err
}

// checkData returns a Refusal if the program does not support the data.
func (c *Capabilities) checkData(train, test *dataset.Set) error {
	if c.MaxClasses > 0 && train.C() > c.MaxClasses {
		const format = "takes at most %d classes, but the training set has %d"
		return &Refusal{Msg: fmt.Sprintf(format, c.MaxClasses, train.C())}
	}
	for _, a := range train.Attributes {
		if a.Kind == dataset.Discrete && !c.Discrete {
			return &Refusal{Msg: fmt.Sprintf("takes numeric attributes only, but %q is discrete", a.Name)}
		}
	}
	if c.Missing {
		return nil // missing values are allowed
	}
	for _, set := range []*dataset.Set{train, test} {
		for i := range set.N() {
			if j := slices.IndexFunc(set.X.RawRowView(i), math.IsNaN); j >= 0 {
				return &Refusal{Msg: fmt.Sprintf("row %d, column %q: missing value (NaN)", i+1, set.Attributes[j].Name)}
			}
		}
	}
	return nil
}

// writeData writes the data for a fit to files and enters their paths in the request.
func (p *process) writeData(r *request, train, test *dataset.Set) error {
	path := func(name string) string { return filepath.Join(p.tempFolder.path, name) }
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
	r.Classes = train.Classes
	r.Levels = map[string][]string{}
	for _, a := range train.Attributes {
		r.Names = append(r.Names, a.Name)
		kind := kindNumeric
		if a.Kind == dataset.Discrete {
			kind = kindDiscrete
			r.Levels[a.Name] = a.Levels
		}
		r.Kinds = append(r.Kinds, kind)
	}
	return nil
}

const longestFit = 365 * 24 * 3600 // a year, in seconds: the longest time that a program may report

// prediction reads the predictions for m test rows and c classes from the files of a reply, or
// returns a Fault.
func (p *process) prediction(r *reply, m, c int) (*Prediction, error) {
	answer := &Prediction{Warnings: r.Warnings, Peak: p.peak}
	var err error
	if answer.Fit, err = p.seconds("fit_s", r.Fit); err != nil {
		return nil, err
	}
	if answer.Predict, err = p.seconds("predict_s", r.Predict); err != nil {
		return nil, err
	}
	if r.Labels == "" {
		return nil, p.fault("answered without labels")
	}
	if answer.Labels, err = readLabels(p.replyFile(r.Labels), m, c); err != nil {
		return nil, p.fault("labels: %v", err)
	}
	const isProbability = true
	if answer.Probabilities, err = p.readPerClass(r.Probabilities, m, c, isProbability); err != nil {
		return nil, p.fault("probabilities: %v", err)
	}
	if answer.Scores, err = p.readPerClass(r.Scores, m, c, !isProbability); err != nil {
		return nil, p.fault("scores: %v", err)
	}
	for _, x := range []*mat.Dense{answer.Probabilities, answer.Scores} { // may be nil
		if err := checkLabelsAreLargest(x, answer.Labels); err != nil {
			return nil, p.fault("%v", err)
		}
	}
	return answer, nil
}

func (p *process) seconds(key string, reported *float64) (float64, error) {
	if reported == nil {
		return 0, nil
	}
	if !(*reported >= 0 && *reported <= longestFit) { // NaN fails, too
		return 0, p.fault("%s: %v is not a valid number of seconds", key, *reported)
	}
	return *reported, nil
}

// checkLabelsAreLargest returns an error if the class labels[i] does not have the largest value in
// row i of x, which has a column for each class. x may be nil.
func checkLabelsAreLargest(x *mat.Dense, labels []int) error {
	if x == nil {
		return nil
	}
	for i, label := range labels {
		if row := x.RawRowView(i); row[label] < slices.Max(row) {
			return fmt.Errorf("row %d has label %d, but another class has the largest value: %v", i+1, label, row)
		}
	}
	return nil
}

// replyFile returns the path of a file that a reply names. It ignores folders in the name, which
// could lead out of the private folder.
func (p *process) replyFile(name string) string {
	return filepath.Join(p.replyFolder, filepath.Base(name))
}

// shareTolerance is the largest accepted difference between a sum of probabilities and 1.
const shareTolerance = 1e-6

// readPerClass reads an m x c matrix without NaN from the file with the given name. It returns nil if the name
// is empty. If isProbability is true, each row must contain probabilities that sum to 1.
func (p *process) readPerClass(name string, m, c int, isProbability bool) (*mat.Dense, error) {
	if name == "" {
		return nil, nil
	}
	x, err := readMatrix(p.replyFile(name), m, c)
	if err != nil {
		return nil, err
	}
	for i := range m {
		sum := 0.0
		for _, v := range x.RawRowView(i) {
			switch {
			case math.IsNaN(v):
				return nil, fmt.Errorf("row %d: a value is NaN: %v", i+1, x.RawRowView(i))
			case isProbability && (v < 0 || v > 1+shareTolerance):
				return nil, fmt.Errorf("row %d: %v; probabilities must be between 0 and 1", i+1, x.RawRowView(i))
			}
			sum += v
		}
		if isProbability && math.Abs(sum-1) > shareTolerance {
			return nil, fmt.Errorf("row %d: the probabilities %v sum to %v, not 1", i+1, x.RawRowView(i), sum)
		}
	}
	return x, nil
}
