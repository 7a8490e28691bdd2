package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/stats/dataset"
)

// checkE1071Labels compares the labels of copse and e1071. Labels may differ only near the margin.
func checkE1071Labels(work, _, _ string) (check, error) {
	differ, n, err := differing(work, "svm-copse", "svm-e1071")
	if err != nil {
		return check{}, err
	}
	return nearMargin(work, differ, n)
}

// checkLibsvmLabels compares the labels that copse classify and svm-predict wrote. Labels may
// differ only near the margin.
func checkLibsvmLabels(work, _, _ string) (check, error) {
	ours, err := firstColumn(filepath.Join(work, "answers", "svm-process-copse-1.txt"))
	if err != nil {
		return check{}, err
	}
	theirs, err := firstColumn(filepath.Join(work, "answers", "svm-libsvm.predictions"))
	if err != nil {
		return check{}, err
	}
	ours = ours[1:] // the first line is a header
	if len(ours) != len(theirs) {
		return check{}, fmt.Errorf("copse predicted %d labels, but svm-predict predicted %d", len(ours), len(theirs))
	}
	var differ []int
	for i := range ours { // class 0 has the label 0 in copse's file and 1 in libsvm's
		if (ours[i] == "0") != (theirs[i] == "1") {
			differ = append(differ, i)
		}
	}
	return nearMargin(work, differ, len(ours))
}

// nearMargin checks that copse's decision values are small in the rows where labels differ. n is
// the number of all rows.
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
		text += fmt.Sprintf(", at decision values up to %.2g (limit %g)", farthest, marginTolerance)
	}
	return check{farthest <= marginTolerance, text}, nil
}

// firstColumn returns the first field of each line of a CSV file. Lines may have different numbers
// of fields.
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

// hingeObjective returns the objective of a linear support vector machine. The argument w contains
// the vector v of coefficients, followed by the intercept b. y_i is 1 in class 0 and -1 in class 1.
// The objective is
//
//	1/2 |v|^2 + sum_i max(0, 1 - y_i (<v,x_i> + b))
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

// ourObjective returns the training set and the objective of copse's linear support vector machine.
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

// checkLinearLibsvm compares the objectives of linear support vector machines in copse and libsvm.
// It uses a model of libsvm with the tolerance 1e-6. It also reports the objective of the model with
// the default tolerance.
func checkLinearLibsvm(work, _, _ string) (check, error) {
	train, ours, err := ourObjective(work)
	if err != nil {
		return check{}, err
	}
	standard, err := libsvmObjective(work, "linear-libsvm.model", train)
	if err != nil {
		return check{}, err
	}
	tight, err := libsvmObjective(work, "linear-libsvm-tight.model", train)
	if err != nil {
		return check{}, err
	}
	text := fmt.Sprintf("objectives: copse %.6g, libsvm %.6g, libsvm with -e 1e-6 %.6g (relative difference of the "+
		"last from copse: limit %g)", ours, standard, tight, objectiveTolerance)
	return check{math.Abs(ours-tight) <= objectiveTolerance*tight, text}, nil
}

// libsvmObjective returns the objective of a libsvm model, whose file is in WORK/answers.
func libsvmObjective(work, name string, train *dataset.Set) (float64, error) {
	w, err := libsvmFunction(filepath.Join(work, "answers", name), train.D())
	if err != nil {
		return 0, err
	}
	return hingeObjective(train, w), nil
}

// libsvmFunction reads a linear support vector machine from a libsvm model file. It returns the
// weights and then the intercept.
func libsvmFunction(path string, d int) ([]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	head, vectors, ok := strings.Cut(string(text), "\nSV\n")
	_, rho, found := strings.Cut(head, "\nrho ")
	if !ok || !found {
		return nil, fmt.Errorf("%s is not a libsvm model file: it lacks the line `rho`, the line `SV` or both", path)
	}
	w := make([]float64, d+1)
	if w[d], err = strconv.ParseFloat(strings.Fields(rho)[0], 64); err != nil {
		return nil, err
	}
	w[d] = -w[d] // rho is the negative intercept
	// Each line contains the coefficient of a support vector, then its values as fields such as
	// 1:0.5. Variables count from 1.
	for line := range strings.Lines(vectors) {
		fields := strings.Fields(line)
		alpha, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return nil, err
		}
		for _, field := range fields[1:] {
			var j int
			var v float64
			if _, err := fmt.Sscanf(field, "%d:%g", &j, &v); err != nil {
				return nil, err
			}
			w[j-1] += alpha * v
		}
	}
	return w, nil
}

// checkLiblinear compares the objectives of copse and liblinear. liblinear also penalises the
// intercept and stops early, so only its objective may be larger.
func checkLiblinear(work, _, model string) (check, error) {
	train, ours, err := ourObjective(work)
	if err != nil {
		return check{}, err
	}
	lines, err := firstColumn(filepath.Join(work, "answers", model))
	if err != nil {
		return check{}, err
	}
	// After the line "w", each line contains a weight. The last weight is the intercept.
	start := slices.Index(lines, "w") + 1
	if len(lines)-start != train.D()+1 {
		return check{}, fmt.Errorf("the liblinear model has %d weights instead of %d", len(lines)-start, train.D()+1)
	}
	w := make([]float64, train.D()+1)
	for k, line := range lines[start:] {
		if w[k], err = strconv.ParseFloat(line, 64); err != nil {
			return check{}, err
		}
	}
	theirs := hingeObjective(train, w)
	return check{
		ours <= theirs*(1+objectiveTolerance),
		fmt.Sprintf("objectives: copse %.6g, liblinear %.6g (copse's may be at most %g%% higher)", ours, theirs,
			100*objectiveTolerance),
	}, nil
}
