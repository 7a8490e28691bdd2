package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/experiments/folder"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// prepare writes the data sets to WORK/data in the formats of the reference programs. The features
// for linear classifiers are 420 standardised log densities.
func prepare(args []string) error {
	work := args[0]
	train, test, err := readData(work, "train.csv", "test.csv")
	if err != nil {
		return err
	}
	densities, err := productFeatures(train, train.X, test.X)
	if err != nil {
		return err
	}
	trainDensities := dataset.New(densities[0], train.Y, train.C())
	testDensities := dataset.New(densities[1], test.Y, test.C())
	data := filepath.Join(work, "data")
	// Both sets use the means and standard deviations of the training rows.
	features := standardise(trainDensities, trainDensities)
	testFeatures := standardise(testDensities, trainDensities)
	return errors.Join(
		writeLibsvm(filepath.Join(data, "scaled-train.libsvm"), standardise(train, train)),
		writeLibsvm(filepath.Join(data, "scaled-test.libsvm"), standardise(test, train)),
		writeLibsvm(filepath.Join(data, "features-train.libsvm"), features),
		writeLibsvm(filepath.Join(data, "features-test.libsvm"), testFeatures),
		writeSet(filepath.Join(data, "features-train.csv"), features),
		writeSet(filepath.Join(data, "features-test.csv"), testFeatures),
	)
}

func writeSet(path string, s *dataset.Set) error {
	return writeFile(path, func(w io.Writer) error { return csvfile.Write(w, s, csvfile.ClassColumn) })
}

func writeFile(path string, write func(io.Writer) error) error {
	return folder.WriteFile(path, write)
}

// readData reads a training set and a test set from the folder WORK/data.
func readData(work, trainName, testName string) (train, test *dataset.Set, err error) {
	o := csvfile.Options{}
	if trainName == binaryTrain {
		if o.Discrete, err = binaryNames(filepath.Join(work, "data", trainName)); err != nil {
			return nil, nil, err
		}
	}
	if train, err = readSet(filepath.Join(work, "data", trainName), o); err != nil {
		return nil, nil, err
	}
	test, err = readSet(filepath.Join(work, "data", testName), csvfile.Options{Train: train})
	return train, test, err
}

// binaryNames returns the column names of a CSV file without the class, which is the last column.
func binaryNames(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	header, _, _ := strings.Cut(string(text), "\n")
	names := strings.Split(header, ",")
	return names[:len(names)-1], nil
}

func readSet(path string, o csvfile.Options) (*dataset.Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return csvfile.Read(bufio.NewReader(f), path, o)
}

// standardise returns a copy of s with standardised columns. It uses the means and standard
// deviations of the columns of train.
func standardise(s, train *dataset.Set) *dataset.Set {
	x := mat.DenseCopyOf(s.X)
	for j := range train.D() {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, train.X), nil)
		for r := range s.N() {
			x.Set(r, j, (x.At(r, j)-mean)/sd)
		}
	}
	return dataset.New(x, s.Y, s.C())
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
