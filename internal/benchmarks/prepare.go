package main

import (
	"bufio"
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

// prepare writes the data sets to WORK/data in the formats that the references read. libsvm gets
// standardised columns. The linear machines get the 420 standardised log densities, as CSV and in
// the format of libsvm and liblinear.
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
	a := dataset.New(densities[0], train.Y, train.C())
	b := dataset.New(densities[1], test.Y, test.C())
	for _, f := range []struct {
		name        string
		train, test *dataset.Set
		csv         bool
	}{{"scaled", train, test, false}, {"features", a, b, true}} {
		scaled := standardise(f.train, f.train, f.test)
		for i, set := range []string{"train", "test"} {
			path := filepath.Join(work, "data", f.name+"-"+set)
			if err := writeFile(path+".libsvm",
				func(w io.Writer) error { return writeLibsvm(w, scaled[i]) }); err != nil {
				return err
			}
			if !f.csv {
				continue
			}
			if err := writeFile(path+".csv",
				func(w io.Writer) error { return csvfile.Write(w, scaled[i]) }); err != nil {
				return err
			}
		}
	}
	return nil
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

// binaryNames returns the names of all columns of a CSV file but the last, which is the class.
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

// standardise scales the columns of several data sets to mean 0 and standard deviation 1 in train.
func standardise(train *dataset.Set, sets ...*dataset.Set) []*dataset.Set {
	out := make([]*dataset.Set, len(sets))
	for i, s := range sets {
		x := mat.DenseCopyOf(s.X)
		for j := range train.D() {
			mean, sd := stat.MeanStdDev(mat.Col(nil, j, train.X), nil)
			for r := range s.N() {
				x.Set(r, j, (x.At(r, j)-mean)/sd)
			}
		}
		out[i] = dataset.New(x, s.Y, s.C())
	}
	return out
}

// writeLibsvm writes a data set in the format of libsvm. The label is +1 for class 0 and -1 for
// class 1.
func writeLibsvm(w io.Writer, s *dataset.Set) error {
	for i, y := range s.Y {
		line := fmt.Appendf(nil, "%+d", 1-2*y)
		for j, v := range s.X.RawRowView(i) {
			line = fmt.Appendf(line, " %d:%s", j+1, strconv.FormatFloat(v, 'g', -1, 64))
		}
		if _, err := fmt.Fprintf(w, "%s\n", line); err != nil {
			return err
		}
	}
	return nil
}
