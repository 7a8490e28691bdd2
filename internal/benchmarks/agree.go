package main

import (
	"fmt"
	"math"
	"path/filepath"

	"copse/stats"
	"copse/stats/dataset/csvfile"
)

// A check records whether the answers of two programs agree.
type check struct {
	ok   bool
	text string // what was compared, the difference and the allowed difference
}

// A comparison compares the answers of copse and a reference program for one part of the benchmark.
// The answers are predicted labels, densities or covariances, in the folder work.
type comparison func(work, part, reference string) (check, error)

const (
	pairTolerance    = 0.01 // of densities; ks's search for the bandwidth matrix stops early
	featureTolerance = 1e-9 // of log densities
	lassoTolerance   = 1e-3 // of covariances; both solvers stop at their default tolerance 1e-4
	sigmas           = 3.0  // allowed difference between the errors of two programs, in its standard errors
)

// sameLabels compares programs that compute the same rule.
var sameLabels = labelsWithin(0)

// similarLabels compares programs that fit the same model. Some labels differ, because solvers stop
// at different points, ks computes densities from binned data, and scikit-learn uses single
// precision.
var similarLabels = labelsWithin(0.005)

// answerFile returns the file with the answers of one side, copse or a reference program.
func answerFile(work, part, side string) string {
	return filepath.Join(work, "answers", part+"-"+side+".csv")
}

// readAnswers reads the answers of copse and of a reference program, which have the same shape.
func readAnswers(work, part, reference string) (ours, theirs [][]float64, err error) {
	if ours, err = readNumbers(answerFile(work, part, copse)); err != nil {
		return nil, nil, err
	}
	if theirs, err = readNumbers(answerFile(work, part, reference)); err != nil {
		return nil, nil, err
	}
	if len(ours) != len(theirs) || len(ours[0]) != len(theirs[0]) {
		return nil, nil, fmt.Errorf("part %s: copse gives %d x %d answers, but %s gives %d x %d",
			part, len(ours), len(ours[0]), reference, len(theirs), len(theirs[0]))
	}
	return ours, theirs, nil
}

// labelsWithin returns a comparison of predicted labels, which may differ in at most the given share
// of the test rows. The comparison reads the labels of copse and of a reference program for one part
// of the benchmark from the folder work.
func labelsWithin(share float64) comparison {
	return func(work, part, reference string) (check, error) {
		ours, theirs, err := readAnswers(work, part, reference)
		if err != nil {
			return check{}, err
		}
		differ := 0
		for i := range ours {
			if ours[i][0] != theirs[i][0] { // each row contains one label
				differ++
			}
		}
		limit := share * float64(len(ours))
		text := fmt.Sprintf("%d of %d labels differ (limit %g)", differ, len(ours), limit)
		return check{float64(differ) <= limit, text}, nil
	}
}

// compareErrors compares the test errors of two programs by a sign test. Their labels may differ,
// because they use different folds, trees or losses. The test set has two classes.
func compareErrors(work, part, reference string) (check, error) {
	j, err := jobOf(part)
	if err != nil {
		return check{}, err
	}
	test, err := csvfile.ReadFile(filepath.Join(work, "data", j.test), csvfile.Options{})
	if err != nil {
		return check{}, err
	}
	ours, theirs, err := readAnswers(work, part, reference)
	if err != nil {
		return check{}, err
	}
	var ourErrors, theirErrors, differ int
	for i, y := range test.Y {
		ourLabel, theirLabel := int(ours[i][0]), int(theirs[i][0])
		if ourLabel != y {
			ourErrors++
		}
		if theirLabel != y {
			theirErrors++
		}
		if ourLabel != theirLabel { // one of the two labels is right
			differ++
		}
	}
	// For equally good programs, ourErrors - theirErrors has the standard deviation sqrt(differ).
	z := math.Abs(float64(ourErrors-theirErrors)) / math.Sqrt(max(1, float64(differ)))
	return check{z <= sigmas, fmt.Sprintf("test errors %d and %d of %d, %.1f standard errors apart (limit %g)",
		ourErrors, theirErrors, test.N(), z, sigmas)}, nil
}

// numbersWithin returns a comparison of numbers. In each column, they may differ by the given
// fraction of the largest absolute value.
func numbersWithin(tolerance float64) comparison {
	return func(work, part, reference string) (check, error) {
		ours, theirs, err := readAnswers(work, part, reference)
		if err != nil {
			return check{}, err
		}
		worst := 0.0
		for k := range theirs[0] {
			worst = max(worst, relativeDifference(stats.Column(ours, k), stats.Column(theirs, k)))
		}
		text := fmt.Sprintf("largest difference, relative to the largest number of the column: %.1g (limit %g)",
			worst, tolerance)
		return check{worst <= tolerance, text}, nil
	}
}

// relativeDifference returns the largest absolute difference of ours and theirs, relative to the
// largest absolute value in theirs.
func relativeDifference(ours, theirs []float64) float64 {
	var difference, largest float64
	for i := range theirs {
		difference = max(difference, math.Abs(ours[i]-theirs[i]))
		largest = max(largest, math.Abs(theirs[i]))
	}
	return difference / largest
}
