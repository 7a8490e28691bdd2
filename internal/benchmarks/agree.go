package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/glasso"
	"copse/stats/kde"
)

// A check records whether the answers of two programs agree.
type check struct {
	ok   bool
	text string // what was compared, the difference and the allowed difference
}

// Tolerances of the checks.
const (
	pairTolerance      = 0.01 // fraction of a density's maximum; ks's search for the bandwidth matrix stops early
	featureTolerance   = 1e-9 // of log densities
	marginTolerance    = 0.01 // labels may differ at decision values up to this; both solvers stop at a gap of 1e-3
	objectiveTolerance = 1e-3 // relative tolerance for the support vector machine's objective
	binnedTolerance    = 0.02 // fraction of a density's maximum; ks bins and interpolates
	lassoTolerance     = 1e-3 // fraction of the largest variance, with both solvers at their default tolerance 1e-4
	tightTolerance     = 1e-6 // the same, with both solvers at tolerance 1e-10
	sigmas             = 3.0  // allowed difference between two programs' errors, in its standard errors
	// labelShare is the largest share of test rows in which the labels of two programs may differ.
	// Labels can differ because ks computes densities from binned data, and scikit-learn uses
	// single precision.
	labelShare = 0.005
)

// A comparison is a function that compares the answers of copse and a reference program for one part
// of the benchmark. side is the name of the reference program. Answers are predictions, densities or
// model parameters in WORK/answers.
type comparison func(work, part, side string) (check, error)

// withFile returns a comparison that passes a file name to compare as its argument side.
func withFile(compare comparison, file string) comparison {
	return func(work, part, _ string) (check, error) { return compare(work, part, file) }
}

func checkTestErrors(work, part, side string) (check, error) {
	j, err := jobOf(part)
	if err != nil {
		return check{}, err
	}
	return checkErrors(work, part, side, j.test)
}

func answers(work, name string) ([][]float64, error) {
	return readNumbers(filepath.Join(work, "answers", name+".csv"))
}

// checkPairs compares the bivariate densities that copse and the R package ks estimate at the
// training and test rows. ks estimates only every pairStep-th pair of variables in each class.
func checkPairs(work, _, _ string) (check, error) {
	train, test, err := readData(work, "train.csv", "test.csv")
	if err != nil {
		return check{}, err
	}
	theirs, err := answers(work, "ks-pairs")
	if err != nil {
		return check{}, err
	}
	var ours [][]float64 // the densities of each compared pair, class by class
	for c := range train.C() {
		columns, pairs := train.Columns(train.ClassRows(c)), stats.Pairs(train.D())
		for q := 0; q < len(pairs); q += pairStep {
			densities, err := pairDensities(columns[pairs[q].I], columns[pairs[q].J], pairs[q], train, test)
			if err != nil {
				return check{}, err
			}
			ours = append(ours, densities)
		}
	}
	worst := 0.0
	for k, densities := range ours {
		worst = max(worst, farthest(densities, stats.Column(theirs, k)))
	}
	return atMost("bivariate densities, relative to their maximum", worst, pairTolerance), nil
}

// pairDensities estimates the joint density of two variables from the values x and y. It returns
// the density at the rows of train, followed by the rows of test.
func pairDensities(x, y []float64, pair stats.Pair, train, test *dataset.Set) ([]float64, error) {
	h, err := kde.Hpi(x, y, false) // as in ks
	if err != nil {
		return nil, err
	}
	var densities []float64
	for _, set := range []*dataset.Set{train, test} {
		for r := range set.N() {
			logDensity := kde.Tail2(x, y, h, set.X.At(r, pair.I), set.X.At(r, pair.J))
			densities = append(densities, math.Exp(logDensity))
		}
	}
	return densities, nil
}

// farthest returns the largest absolute difference of ours and theirs, relative to the largest
// absolute value in theirs.
func farthest(ours, theirs []float64) float64 {
	var difference, largest float64
	for i := range theirs {
		difference = max(difference, math.Abs(ours[i]-theirs[i]))
		largest = max(largest, math.Abs(theirs[i]))
	}
	return difference / largest
}

// atMost checks that value does not exceed limit. The argument what is the name of the value in the
// message.
func atMost(what string, value, limit float64) check {
	return check{value <= limit, fmt.Sprintf("%s: %.1g (limit %g)", what, value, limit)}
}

// checkFeatures compares the log densities of R and copse at the training and test rows.
func checkFeatures(work, _, _ string) (check, error) {
	train, test, err := readData(work, "train.csv", "test.csv")
	if err != nil {
		return check{}, err
	}
	theirs, err := answers(work, "R-features")
	if err != nil {
		return check{}, err
	}
	ours, err := productFeatures(train, train.X, test.X)
	if err != nil {
		return check{}, err
	}
	var both mat.Dense
	both.Stack(ours[0], ours[1])
	var worst float64
	for r, row := range theirs {
		for k, v := range row {
			worst = max(worst, math.Abs(v-both.At(r, k)))
		}
	}
	return atMost("log densities", worst, featureTolerance), nil
}

// checkSame compares the labels of copse and a reference program. They compute the same rule, so
// all labels must be equal.
func checkSame(work, part, side string) (check, error) {
	differ, n, err := differing(work, part+"-copse", part+"-"+side)
	return check{len(differ) == 0, fmt.Sprintf("%d of %d labels differ (none may)", len(differ), n)}, err
}

// labelColumn is the column of an answer file that contains the predicted labels.
const labelColumn = 0

// differing returns the rows whose labels differ between two answer files. n is the total number of
// rows.
func differing(work, ours, theirs string) (rows []int, n int, err error) {
	a, err := answers(work, ours)
	if err != nil {
		return nil, 0, err
	}
	b, err := answers(work, theirs)
	if err != nil {
		return nil, 0, err
	}
	if len(a) != len(b) {
		return nil, 0, fmt.Errorf("the answer file %s has %d rows, but %s has %d", ours, len(a), theirs, len(b))
	}
	for i := range a {
		if a[i][labelColumn] != b[i][labelColumn] {
			rows = append(rows, i)
		}
	}
	return rows, len(a), nil
}

// checkForests compares the mean number of test errors per forest in copse and in a reference
// program. The two means may differ by up to three standard errors of their difference.
func checkForests(work, _, side string) (check, error) {
	ours, err := forestErrors(work, copse)
	if err != nil {
		return check{}, err
	}
	theirs, err := forestErrors(work, side)
	if err != nil {
		return check{}, err
	}
	ourMean, ourSD := stat.MeanStdDev(ours, nil)
	theirMean, theirSD := stat.MeanStdDev(theirs, nil)
	se := math.Hypot(ourSD/math.Sqrt(float64(len(ours))), theirSD/math.Sqrt(float64(len(theirs))))
	difference := math.Abs(ourMean - theirMean)
	return check{difference <= sigmas*se,
		fmt.Sprintf("test errors %.1f and %.1f of 1000, %.1f standard errors apart (limit %g)", ourMean, theirMean,
			difference/se, sigmas)}, nil
}

// checkLabels compares the labels of copse and a reference program. Both programs fit the same
// model, but the labels of a few test rows may differ (see labelShare).
func checkLabels(work, part, side string) (check, error) {
	differ, n, err := differing(work, part+"-copse", part+"-"+side)
	return check{float64(len(differ)) <= labelShare*float64(n),
		fmt.Sprintf("%d of %d labels differ (limit %g)", len(differ), n, labelShare*float64(n))}, err
}

// checkErrors compares the test errors of copse and a reference program by a sign test. Labels can
// differ, because the programs use different folds or trees. testName is the file of a test set
// with two classes.
func checkErrors(work, part, side, testName string) (check, error) {
	test, err := readSet(filepath.Join(work, "data", testName), csvfile.Options{})
	if err != nil {
		return check{}, err
	}
	differ, _, err := differing(work, part+"-copse", part+"-"+side)
	if err != nil {
		return check{}, err
	}
	ours, err := answers(work, part+"-copse")
	if err != nil {
		return check{}, err
	}
	isOurError := func(row int) bool { return int(ours[row][labelColumn]) != test.Y[row] }
	ourErrors, onlyOurs := 0, 0
	for row := range test.Y {
		if isOurError(row) {
			ourErrors++
		}
	}
	for _, row := range differ {
		if isOurError(row) {
			onlyOurs++
		}
	}
	onlyTheirs := len(differ) - onlyOurs // of two different labels, one is right
	theirErrors := ourErrors - onlyOurs + onlyTheirs
	// For equally good programs, onlyOurs - onlyTheirs has the standard deviation
	// sqrt(len(differ)).
	z := math.Abs(float64(onlyOurs-onlyTheirs)) / math.Sqrt(max(1, float64(len(differ))))
	return check{z <= sigmas, fmt.Sprintf("test errors %d and %d of %d, %.1f standard errors apart (limit %g)",
		ourErrors, theirErrors, test.N(), z, sigmas)}, nil
}

// checkBayes compares the densities and labels of naive Bayes in copse and ks.
func checkBayes(work, _, _ string) (check, error) {
	train, test, err := readData(work, "train.csv", "test.csv")
	if err != nil {
		return check{}, err
	}
	theirs, err := answers(work, "nb-ks")
	if err != nil {
		return check{}, err
	}
	var worst float64
	for c := range train.C() {
		for j, x := range train.Columns(train.ClassRows(c)) {
			density, err := kde.PlugIn.Density(x)
			if err != nil {
				return check{}, err
			}
			ours := make([]float64, test.N())
			for r := range ours {
				ours[r] = density.At(test.X.At(r, j))
			}
			worst = max(worst, farthest(ours, stats.Column(theirs, c*train.D()+j)))
		}
	}
	densities := atMost("densities, relative to their maximum", worst, binnedTolerance)
	labels, err := checkLabels(work, "nb", "labels-ks") // the answers nb-copse and nb-labels-ks
	return check{densities.ok && labels.ok, densities.text + "; " + labels.text}, err
}

// checkLasso compares the covariance matrices of copse and the R package glasso for a data file.
//
// The answers of glasso are in two files. The file named part has a matrix for each penalty,
// computed with the default tolerance. The file with the suffix "-tight" has the matrix for one
// penalty, computed with tolerance 1e-10.
func checkLasso(work, part, file string) (check, error) {
	s, err := lassoCovariance(work, file)
	if err != nil {
		return check{}, err
	}
	o := glasso.DefaultOptions()
	path, err := lassoPath(s, o)
	if err != nil {
		return check{}, err
	}
	worst, err := lassoDifference(work, part, path)
	if err != nil {
		return check{}, err
	}
	o.Tolerance = 1e-10
	tightPath, err := lassoPath(s, o)
	if err != nil {
		return check{}, err
	}
	at := len(tightPath)/2 - 1 // the penalty in the file "-tight": lambda[10] of 20 in reference.R, which counts from 1
	worstTight, err := lassoDifference(work, part+"-tight", tightPath[at:at+1])
	if err != nil {
		return check{}, err
	}
	result := atMost("covariances, relative to the largest", worst, lassoTolerance)
	result.ok = result.ok && worstTight <= tightTolerance
	result.text += fmt.Sprintf("; solved to 1e-10: %.1g (limit %g)", worstTight, tightTolerance)
	return result, nil
}

// lassoDifference compares the covariances in ours with the answers of glasso in the file with the
// given name. It returns the largest difference, divided by the largest covariance of glasso.
func lassoDifference(work, name string, ours []*glasso.Estimate) (float64, error) {
	theirs, err := answers(work, name)
	if err != nil {
		return 0, err
	}
	return farthest(covariances(ours), slices.Concat(theirs...)), nil
}

// covariances returns the entries of all covariance matrices, row by row.
func covariances(path []*glasso.Estimate) (entries []float64) {
	for _, e := range path {
		d := e.W.SymmetricDim()
		for i := range d {
			for j := range d {
				entries = append(entries, e.W.At(i, j))
			}
		}
	}
	return entries
}
