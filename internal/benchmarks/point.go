package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"copse/classifiers"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/experiments/trial"
)

// The growth of time and memory is measured on data from the generator named forest. The training
// set contains n/2 rows of each of two classes.
const (
	growthTest    = 1000 // test rows
	growthSeed    = 1
	repeatFor     = 0.3 // seconds: quick fits are repeated for this long
	repeatsAtMost = 9
)

// Outcomes of a point.
const (
	measured = "measured"
	capped   = "capped"  // the fit took longer than the limit
	skipped  = "skipped" // the fit at a smaller size was capped
	refused  = "refused" // the classifier returned an error
)

// growthPoint measures one classifier at one size and appends a line to a CSV file. The arguments
// are CLASSIFIER FACTOR N D SECONDS CSV. SECONDS limits the processor time.
func growthPoint(args []string) error {
	name, factor, path := args[0], args[1], args[5]
	var v [3]float64 // N, D and SECONDS
	for k := range v {
		var err error
		if v[k], err = strconv.ParseFloat(args[2+k], 64); err != nil {
			return err
		}
	}
	n, d, limit := int(v[0]), int(v[1]), v[2]
	p, err := measureGrowth(name, n, d, limit)
	if err != nil {
		return err
	}
	return appendLine(path, fmt.Sprintf("%s,%s,%d,%d,%s,%.6f,%.6f,%.1f", name, factor, n, d, p.outcome, p.fit,
		p.predict, p.megabytes))
}

// A cpuLimit is a context that expires at a given processor time of the process. It needs no Done
// channel, because classifiers only call Err.
type cpuLimit struct {
	context.Context
	seconds float64
}

func (c cpuLimit) Err() error {
	if cpuSeconds() > c.seconds {
		return context.DeadlineExceeded
	}
	return nil
}

// measureGrowth measures the cost of fitting a classifier to n rows of d columns, and the cost of
// predicting test rows.
//
// The outcome is one of:
//   - measured: all fits succeeded.
//   - capped: a fit took longer than limit seconds of processor time.
//   - refused: the classifier returned an error, which measureGrowth prints.
func measureGrowth(name string, n, d int, limit float64) (sizePoint, error) {
	classifier, draw, err := growthTrial(name, n, d)
	if err != nil {
		return sizePoint{}, err
	}
	baseline, err := resetPeak() // megabytes in use before the first fit
	if err != nil {
		return sizePoint{}, err
	}
	cost := sizePoint{outcome: measured}
	var fits, predicts []float64 // seconds
	start := time.Now()
	mayRepeat := func() bool { return time.Since(start).Seconds() < repeatFor && len(fits) < repeatsAtMost }
	for len(fits) == 0 || mayRepeat() {
		ctx := cpuLimit{context.Background(), cpuSeconds() + limit}
		fit, predict, err := fitAndPredict(ctx, classifier, draw)
		if errors.Is(err, context.DeadlineExceeded) {
			return sizePoint{outcome: capped, fit: fit}, nil
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s, n = %d, d = %d: %v\n", name, n, d, err)
			return sizePoint{outcome: refused}, nil
		}
		fits, predicts = append(fits, fit), append(predicts, predict)
		if len(fits) == 1 { // repeated fits can leave garbage, which would increase the peak
			peak, err := statusMegabytes("VmHWM") // largest resident memory since resetPeak
			if err != nil {
				return sizePoint{}, err
			}
			cost.megabytes = peak - baseline
		}
	}
	cost.fit, cost.predict = median(fits), median(predicts)
	return cost, nil
}

// growthTrial returns the classifier and its data. If name ends in tenthWrong, a tenth of the
// training rows have the wrong label.
func growthTrial(name string, n, d int) (classifiers.Classifier, *trial.Draw, error) {
	classifier, hasWrongLabels := strings.CutSuffix(name, tenthWrong)
	recipe, err := study.NewClassifier(classifier, nil)
	if err != nil {
		return nil, nil, err
	}
	draw, err := growthData(n, d, hasWrongLabels)
	return recipe.Classifier, draw, err
}

// growthData draws n training rows of d columns, and test rows. If wrong is true, every tenth
// training row gets the other class.
func growthData(n, d int, wrong bool) (*trial.Draw, error) {
	cell, err := study.NewCell("forest", []string{fmt.Sprintf("d=%d", d)}, []int{n / 2, n - n/2},
		[]int{growthTest / 2, growthTest / 2})
	if err != nil {
		return nil, err
	}
	draw, err := trial.NewDraw(cell, growthSeed, 1)
	if err != nil || !wrong {
		return draw, err
	}
	for i := 0; i < len(draw.Train.Y); i += 10 {
		draw.Train.Y[i] = 1 - draw.Train.Y[i]
	}
	return draw, nil
}

// fitAndPredict returns the processor times of a fit and of the prediction, in seconds. If the fit
// returns an error, fit is the time until this error, and predict is 0.
func fitAndPredict(ctx context.Context, c classifiers.Classifier, draw *trial.Draw) (fit, predict float64, err error) {
	var rule *classifiers.Rule
	u, err := timed(func() (err error) {
		rule, err = classifiers.Fit(ctx, c, draw.Train.WithoutDerived(),
			stream.New(growthSeed, "", 1, stream.Classifier("")))
		return err
	})
	if err != nil {
		return u.cpu, 0, err
	}
	p, _ := timed(func() error { rule.Predict(draw.Test.X); return nil })
	return u.cpu, p.cpu, nil
}

// resetPeak resets the recorded peak memory of this process and returns its current memory in
// megabytes. It first releases free memory. It works only on Linux.
func resetPeak() (float64, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile(filepath.FromSlash("/proc/self/clear_refs"), []byte("5"), 0); err != nil {
		return 0, err
	}
	return statusMegabytes("VmRSS")
}

// statusMegabytes returns a memory size of this process, such as VmRSS, in megabytes.
func statusMegabytes(key string) (float64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key+":"); ok {
			kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kilobytes / 1024, err
		}
	}
	return 0, fmt.Errorf("/proc/self/status has no %s", key)
}
