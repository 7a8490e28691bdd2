package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"copse/stats/dataset"
)

// checkE1071Labels compares labels; rows on the margin may differ.
func checkE1071Labels(work string) (check, error) {
	differ, n, err := differing(work, "svm-copse", "svm-e1071")
	if err != nil {
		return check{}, err
	}
	return nearMargin(work, differ, n)
}

// checkLibsvmLabels compares what copse classify and svm-predict printed.
func checkLibsvmLabels(work string) (check, error) {
	ours, err := firstColumn(filepath.Join(work, "answers", "svm-process-copse-1.txt"))
	if err != nil {
		return check{}, err
	}
	theirs, err := firstColumn(filepath.Join(work, "answers", "svm-libsvm.predictions"))
	if err != nil {
		return check{}, err
	}
	ours = ours[1:] // its header
	if len(ours) != len(theirs) {
		return check{}, fmt.Errorf("%d and %d labels", len(ours), len(theirs))
	}
	var differ []int
	for i := range ours {
		if (ours[i] == "0") != (theirs[i] == "1") {
			differ = append(differ, i)
		}
	}
	return nearMargin(work, differ, len(ours))
}

// nearMargin says whether the rows where labels differ have small decision
// values.
func nearMargin(work string, differ []int, n int) (check, error) {
	scores, err := answers(work, "svm-copse-scores")
	if err != nil {
		return check{}, err
	}
	var farthest float64
	for _, i := range differ {
		farthest = max(farthest, math.Abs(scores[i][0]))
	}
	text := fmt.Sprintf("%d of %d labels differ", len(differ), n)
	if len(differ) > 0 {
		text += fmt.Sprintf(", at decision values up to %.2g (at most %g)", farthest, marginTolerance)
	}
	return check{farthest <= marginTolerance, text}, nil
}

func firstColumn(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(bufio.NewReader(f))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	column := make([]string, len(lines))
	for i, line := range lines {
		column[i] = strings.TrimSpace(line[0])
	}
	return column, nil
}

// hingeObjective is 1/2 |w|^2 + sum_i max(0, 1 - y_i (<w,x_i> + b)), y_i = +1 in
// class 0; w is followed by b.
func hingeObjective(s *dataset.Set, w []float64) float64 {
	d := s.D()
	var sum float64
	for _, v := range w[:d] {
		sum += v * v / 2
	}
	for i, y := range s.Y {
		f := w[d]
		for j, v := range s.X.RawRowView(i) {
			f += v * w[j]
		}
		sum += max(0, 1-float64(1-2*y)*f)
	}
	return sum
}

// ourObjective is that of copse's linear machine.
func ourObjective(work string) (*dataset.Set, float64, error) {
	train, _, err := readData(work, "features-train.csv", "features-test.csv")
	if err != nil {
		return nil, 0, err
	}
	w, err := answers(work, "linear-svm-copse-weights")
	if err != nil {
		return nil, 0, err
	}
	return train, hingeObjective(train, w[0]), nil
}

// checkLinearLibsvm compares with the dual objective that svm-train printed.
func checkLinearLibsvm(work string) (check, error) {
	_, ours, err := ourObjective(work)
	if err != nil {
		return check{}, err
	}
	lines, err := firstColumn(filepath.Join(work, "answers", "linear-svm-process-libsvm-1.txt"))
	if err != nil {
		return check{}, err
	}
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, "obj = "); ok {
			theirs, err := strconv.ParseFloat(text, 64)
			return objectives(ours, -theirs, true), err
		}
	}
	return check{}, fmt.Errorf("svm-train printed no objective")
}

// checkLiblinear compares with the objective at liblinear's weights. Its problem
// penalises the constant too and it stops early, so it may only be worse.
func checkLiblinear(work string) (check, error) {
	train, ours, err := ourObjective(work)
	if err != nil {
		return check{}, err
	}
	lines, err := firstColumn(filepath.Join(work, "answers", "linear-liblinear.model"))
	if err != nil {
		return check{}, err
	}
	var w []float64
	inside := false
	for _, line := range lines {
		if inside {
			v, err := strconv.ParseFloat(line, 64)
			if err != nil {
				return check{}, err
			}
			w = append(w, v)
		}
		inside = inside || line == "w"
	}
	if len(w) != train.D()+1 {
		return check{}, fmt.Errorf("liblinear's model has %d weights", len(w))
	}
	return objectives(ours, hingeObjective(train, w), false), nil
}

func objectives(ours, theirs float64, both bool) check {
	gap := (ours - theirs) / theirs
	text := fmt.Sprintf("objectives %.6g and %.6g (copse's at most %g above)", ours, theirs, objectiveTolerance)
	ok := gap <= objectiveTolerance
	if both {
		text = fmt.Sprintf("objectives %.6g and %.6g (%g apart at most)", ours, theirs, objectiveTolerance)
		ok = math.Abs(gap) <= objectiveTolerance
	}
	return check{ok, text}
}

// checkLinearE1071 compares labels.
func checkLinearE1071(work string) (check, error) {
	differ, n, err := differing(work, "linear-svm-copse", "linear-e1071")
	return check{float64(len(differ)) <= labelShare*float64(n), fmt.Sprintf("%d of %d labels differ (at most %g)", len(differ), n, labelShare*float64(n))}, err
}
