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

// The growth is measured on data from Gaussian forests, with two classes of n/2 rows each.
const (
	growthTest    = 1000 // test rows
	growthSeed    = 1
	repeatFor     = 0.3 // seconds: quick fits are repeated for this long
	repeatsAtMost = 9
)

// Outcomes of a point.
const (
	measured = "measured"
	capped   = "capped"  // took longer than the limit
	skipped  = "skipped" // a smaller one was capped
	refused  = "refused" // the classifier returned an error
)

// growthPoint times one classifier at one size in this process, and appends a line to a CSV file.
// The columns are classifier, factor (n or d), n, d, outcome, seconds of the fit, seconds of the
// prediction of 1000 rows, and peak memory in megabytes. The memory excludes the program and the
// data.
func growthPoint(args []string) error {
	name, factor, path := args[0], args[1], args[5]
	var v [3]float64
	for k := range v {
		var err error
		if v[k], err = strconv.ParseFloat(args[2+k], 64); err != nil {
			return err
		}
	}
	n, d, limit := int(v[0]), int(v[1]), v[2]
	outcome, fit, predict, memory, err := growthMeasure(name, n, d, limit)
	if err != nil {
		return err
	}
	return appendLine(path, fmt.Sprintf("%s,%s,%d,%d,%s,%.6f,%.6f,%.1f", name, factor, n, d, outcome, fit, predict,
		memory))
}

// A cpuLimit is a context that ends when the process has used up its processor time. It has no Done
// channel, because classifiers call Err.
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

func growthMeasure(name string, n, d int, limit float64) (outcome string, fit, predict, memory float64, err error) {
	classifier, wrong := strings.CutSuffix(name, tenthWrong)
	recipe, err := study.NewClassifier(classifier, nil)
	if err != nil {
		return "", 0, 0, 0, err
	}
	cell, err := study.NewCell("forest", []string{fmt.Sprintf("d=%d", d)}, []int{n / 2, n - n/2},
		[]int{growthTest / 2, growthTest / 2})
	if err != nil {
		return "", 0, 0, 0, err
	}
	draw, err := trial.NewDraw(cell, growthSeed, 1)
	if err != nil {
		return "", 0, 0, 0, err
	}
	if wrong {
		for i := 0; i < len(draw.Train.Y); i += 10 {
			draw.Train.Y[i] = 1 - draw.Train.Y[i]
		}
	}
	before, err := resetPeak()
	if err != nil {
		return "", 0, 0, 0, err
	}
	ctx := cpuLimit{context.Background(), cpuSeconds() + limit}
	var fits, predicts []float64
	for start := time.Now(); len(fits) == 0 || time.Since(start).Seconds() < repeatFor && len(fits) < repeatsAtMost; {
		var rule *classifiers.Rule
		u, err := timed(func() (err error) {
			rule, err = classifiers.Fit(ctx, recipe.Classifier, draw.Train.WithoutDerived(),
				stream.New(growthSeed, "", 1, stream.Classifier("")))
			return err
		})
		if errors.Is(err, context.DeadlineExceeded) {
			return capped, u.cpu, 0, 0, nil
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s, n = %d, d = %d: %v\n", name, n, d, err)
			return refused, 0, 0, 0, nil
		}
		p, _ := timed(func() error { rule.Predict(draw.Test.X); return nil })
		fits, predicts = append(fits, u.cpu), append(predicts, p.cpu)
		if len(fits) == 1 {
			peak, err := statusMegabytes("VmHWM")
			if err != nil {
				return "", 0, 0, 0, err
			}
			memory = peak - before
		}
	}
	return measured, median(fits), median(predicts), memory, nil
}

// resetPeak returns free memory to the system and resets the peak of resident memory to the present
// value. It returns this value in megabytes. It works only on Linux.
func resetPeak() (float64, error) {
	debug.FreeOSMemory()
	if err := os.WriteFile(filepath.FromSlash("/proc/self/clear_refs"), []byte("5"), 0); err != nil {
		return 0, err
	}
	return statusMegabytes("VmRSS")
}

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
