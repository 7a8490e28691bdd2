package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"copse/experiments/folder"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/dataset/prepare"
)

// prepareData writes the data sets to WORK/data in the formats of the reference programs. The features
// for linear classifiers are standardised log densities of 20 variables and 190 pairs in two classes.
func prepareData(args []string) error {
	work := args[0]
	train, test, err := readData(work, "train.csv", "test.csv")
	if err != nil {
		return err
	}
	trainDensities, err := logDensities(train, train.X)
	if err != nil {
		return err
	}
	testDensities, err := logDensities(train, test.X)
	if err != nil {
		return err
	}
	scaled, err := standardised(train, test)
	if err != nil {
		return err
	}
	features, err := standardised(dataset.New(trainDensities, train.Y, train.C()),
		dataset.New(testDensities, test.Y, test.C()))
	if err != nil {
		return err
	}
	data := filepath.Join(work, "data")
	return errors.Join(
		writeLibsvm(filepath.Join(data, "scaled-train.libsvm"), scaled[0]),
		writeLibsvm(filepath.Join(data, "scaled-test.libsvm"), scaled[1]),
		writeLibsvm(filepath.Join(data, "features-train.libsvm"), features[0]),
		writeLibsvm(filepath.Join(data, "features-test.libsvm"), features[1]),
		writeSet(filepath.Join(data, "features-train.csv"), features[0]),
		writeSet(filepath.Join(data, "features-test.csv"), features[1]),
	)
}

// standardised returns both sets with standardised columns. It uses the means and standard
// deviations of the training rows.
func standardised(train, test *dataset.Set) (sets [2]*dataset.Set, err error) {
	steps, scaled, err := prepare.Steps{{Scale: "standard"}}.Fit(train)
	if err != nil {
		return sets, err
	}
	return [2]*dataset.Set{scaled, dataset.Transformed(test, steps[0])}, nil
}

func writeSet(path string, s *dataset.Set) error {
	return folder.WriteFile(path, func(w io.Writer) error { return csvfile.Write(w, s, csvfile.ClassColumn) })
}

// readData reads a training set and a test set from the folder WORK/data.
func readData(work, trainName, testName string) (train, test *dataset.Set, err error) {
	o := csvfile.Options{}
	if trainName == binaryTrain {
		o.Discrete = []string{"*"} // all attributes
	}
	if train, err = csvfile.ReadFile(filepath.Join(work, "data", trainName), o); err != nil {
		return nil, nil, err
	}
	test, err = csvfile.ReadFile(filepath.Join(work, "data", testName), csvfile.Options{Train: train})
	return train, test, err
}

// writeLibsvm writes a data set in the format of libsvm. The label is +1 for class 0 and -1 for
// class 1.
func writeLibsvm(path string, s *dataset.Set) error {
	var text []byte
	for i, y := range s.Y {
		text = fmt.Appendf(text, "%+d", 1-2*y)
		for j, v := range s.X.RawRowView(i) {
			text = fmt.Appendf(text, " %d:%s", j+1, strconv.FormatFloat(v, 'g', -1, 64))
		}
		text = append(text, '\n')
	}
	return os.WriteFile(path, text, 0o666)
}
