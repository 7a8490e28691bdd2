package main

import (
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/gonum/stat"

	"copse/stats/dataset/csvfile"
	"copse/stats/glasso"
	"copse/stats/kde"
)

// A check is the result of a comparison: whether the answers of two programs agree, and how far
// they differ.
type check struct {
	ok   bool
	text string // what was compared, how far apart it is, what is allowed
}

// Tolerances of the checks.
const (
	pairTolerance      = 0.01 // of a density's maximum: ks's search for the bandwidth matrix stops early
	featureTolerance   = 1e-9 // of log densities
	marginTolerance    = 0.01 // decision values within which labels may differ: both solvers stop at a gap of 1e-3
	objectiveTolerance = 1e-3 // relative, of the support vector machine's objective
	binnedTolerance    = 0.02 // of a density's maximum: ks bins and interpolates
	lassoTolerance     = 1e-3 // of the largest variance, both solvers at their default tolerance 1e-4
	tightTolerance     = 1e-6 // the same at a tolerance of 1e-10
	sigmas             = 3.0  // standard errors of the difference of two programs' errors
	// labelShare is the largest share of rows with different labels. Densities of ks are binned, and
	// scikit-learn's boosting computes derivatives in single precision.
	labelShare = 0.005
)

// A comparison compares the answers of copse with the answers of a reference program for one part.
type comparison func(work, part, side string) (check, error)

// checks contains the comparison for each part and reference. Other references give no answer that
// could be compared.
var checks = map[[2]string]comparison{
	{"slb-plug-in", "ks"}:                ofWork(checkPairs),
	{"slb-refit", "R"}:                   ofWork(checkFeatures),
	{"svm-process", "libsvm"}:            ofWork(checkLibsvmLabels),
	{"svm", "e1071"}:                     ofWork(checkE1071Labels),
	{"linear-svm-process", "liblinear"}:  ofFile(checkLiblinear, "linear-liblinear.model"),
	{"linear-svm", "liblinear"}:          ofFile(checkLiblinear, "linear-liblinear-library.model"),
	{"linear-svm-process", "libsvm"}:     ofWork(checkLinearLibsvm),
	{"linear-svm", "e1071"}:              ofWork(checkLinearE1071),
	{"5nn", "FNN"}:                       checkSame,
	{"rf", "randomForest"}:               checkForests,
	{"rf", "ranger"}:                     checkForests,
	{"boosting", "scikit-learn"}:         checkLabels,
	{"boosting", "XGBoost"}:              checkTestErrors,
	{"logistic", "glmnet"}:               checkTestErrors,
	{"5nn-large", "FNN"}:                 checkLabels,
	{"5nn-large", "scikit-learn"}:        checkLabels,
	{"rf-large", "ranger"}:               checkTestErrors,
	{"rf-large", "scikit-learn"}:         checkTestErrors,
	{"svm-large", "e1071"}:               checkLabels,
	{"svm-large", "scikit-learn"}:        checkLabels,
	{"qda-large", "MASS"}:                checkSame,
	{"qda-large", "scikit-learn"}:        checkSame,
	{"5nn-overlap", "scikit-learn"}:      checkLabels,
	{"rf-overlap", "scikit-learn"}:       checkTestErrors,
	{"boosting-overlap", "scikit-learn"}: checkTestErrors,
	{"5nn-million", "scikit-learn"}:      checkLabels,
	{"rf-million", "scikit-learn"}:       checkTestErrors,
	{"boosting-million", "scikit-learn"}: checkTestErrors,
	{"nb", "ks"}:                         ofWork(checkBayes),
	{"glasso-20", "glasso"}: func(work, part, _ string) (check, error) {
		return checkLasso(work, part, lassoFiles[0].file)
	},
	{"glasso-100", "glasso"}: func(work, part, _ string) (check, error) {
		return checkLasso(work, part, lassoFiles[1].file)
	},
}

// ofWork converts a comparison that needs only the working folder.
func ofWork(compare func(work string) (check, error)) comparison {
	return func(work, _, _ string) (check, error) { return compare(work) }
}

// ofFile converts a comparison that needs the path of a file with the reference's answer.
func ofFile(compare func(work, file string) (check, error), file string) comparison {
	return func(work, _, _ string) (check, error) { return compare(work, file) }
}

// checkTestErrors calls checkErrors with the test rows of the part.
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

// checkPairs compares the bivariate densities of ks at all rows with the densities of copse.
func checkPairs(work string) (check, error) {
	train, test, err := readData(work, "train.csv", "test.csv")
	if err != nil {
		return check{}, err
	}
	theirs, err := answers(work, "ks-pairs")
	if err != nil {
		return check{}, err
	}
	var worst float64
	column := 0
	for c := range train.C() {
		columns := train.Columns(train.ClassRows(c))
		for q, pair := range allPairs(train.D()) {
			if q%pairStep != 0 {
				continue
			}
			x, y := columns[pair.I], columns[pair.J]
			h, err := kde.Hpi(x, y)
			if err != nil {
				return check{}, err
			}
			at := func(r int) float64 {
				set := train
				if r >= train.N() {
					set, r = test, r-train.N()
				}
				return math.Exp(kde.Tail2(x, y, h, set.X.At(r, pair.I), set.X.At(r, pair.J)))
			}
			worst = max(worst, farthest(len(theirs), at, func(r int) float64 { return theirs[r][column] }))
			column++
		}
	}
	return limited("bivariate densities, share of their maximum", worst, pairTolerance), nil
}

// farthest returns the largest absolute difference between ours and theirs, divided by the largest
// absolute value of theirs.
func farthest(n int, ours, theirs func(i int) float64) float64 {
	var difference, largest float64
	for i := range n {
		difference = max(difference, math.Abs(ours(i)-theirs(i)))
		largest = max(largest, math.Abs(theirs(i)))
	}
	return difference / largest
}

func limited(what string, value, limit float64) check {
	return check{value <= limit, fmt.Sprintf("%s: %.1g (at most %g)", what, value, limit)}
}

func checkFeatures(work string) (check, error) {
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
	var worst float64
	for r, row := range theirs {
		set, i := 0, r
		if r >= train.N() {
			set, i = 1, r-train.N()
		}
		for k, v := range row {
			worst = max(worst, math.Abs(v-ours[set].At(i, k)))
		}
	}
	return limited("log densities", worst, featureTolerance), nil
}

// checkSame compares the labels of two programs that compute the same rule. No label may differ.
func checkSame(work, part, side string) (check, error) {
	differ, n, err := differing(work, part+"-copse", part+"-"+side)
	return check{len(differ) == 0, fmt.Sprintf("%d of %d labels differ (none may)", len(differ), n)}, err
}

// differing returns the rows whose labels differ between two files, and the number n of all rows.
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
		return nil, 0, fmt.Errorf("%s has %d rows, %s %d", ours, len(a), theirs, len(b))
	}
	for i := range a {
		if a[i][0] != b[i][0] {
			rows = append(rows, i)
		}
	}
	return rows, len(a), nil
}

// checkForests compares the mean number of test errors over all forests. The means may differ by
// three standard errors.
func checkForests(work, _, side string) (check, error) {
	ours, err := forestErrors(work, copse)
	if err != nil {
		return check{}, err
	}
	theirs, err := forestErrors(work, side)
	if err != nil {
		return check{}, err
	}
	m1, s1 := stat.MeanStdDev(ours, nil)
	m2, s2 := stat.MeanStdDev(theirs, nil)
	se := math.Hypot(s1/math.Sqrt(float64(len(ours))), s2/math.Sqrt(float64(len(theirs))))
	return check{math.Abs(m1-m2) <= sigmas*se,
		fmt.Sprintf("test errors %.1f and %.1f of 1000, %.1f standard errors apart (at most %g)", m1, m2,
			math.Abs(m1-m2)/se, sigmas)}, nil
}

// checkLabels compares the labels of two programs that fit the same model. A small share of the
// labels may differ.
func checkLabels(work, part, side string) (check, error) {
	differ, n, err := differing(work, part+"-copse", part+"-"+side)
	return check{float64(len(differ)) <= labelShare*float64(n),
		fmt.Sprintf("%d of %d labels differ (at most %g)", len(differ), n, labelShare*float64(n))}, err
}

// checkErrors compares the test errors of two programs that use different folds or trees. Some rows
// are labelled wrongly by one program only. If the programs are equally good, each of them has
// about half of these rows (sign test).
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
	wrong, alone := 0, 0 // errors of copse, and errors of copse in rows that the reference labels correctly
	for i, y := range test.Y {
		if int(ours[i][0]) != y {
			wrong++
		}
	}
	for _, i := range differ {
		if int(ours[i][0]) != test.Y[i] {
			alone++
		}
	}
	theirs := wrong - alone + len(differ) - alone // with two classes, one of two different labels is right
	z := math.Abs(float64(2*alone-len(differ))) / math.Sqrt(max(1, float64(len(differ))))
	return check{z <= sigmas, fmt.Sprintf("test errors %d and %d of %d, %.1f standard errors apart (at most %g)",
		wrong, theirs, test.N(), z, sigmas)}, nil
}

// checkBayes compares the binned densities of ks at the test rows with copse's densities, and the
// labels that follow from them.
func checkBayes(work string) (check, error) {
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
			worst = max(worst, farthest(test.N(), func(r int) float64 { return density.At(test.X.At(r, j)) },
				func(r int) float64 { return theirs[r][c*train.D()+j] }))
		}
	}
	differ, n, err := differing(work, "nb-copse", "nb-labels-ks")
	result := limited("densities, share of their maximum", worst, binnedTolerance)
	result.ok = result.ok && float64(len(differ)) <= labelShare*float64(n)
	result.text += fmt.Sprintf("; %d of %d labels differ (at most %g)", len(differ), n, labelShare*float64(n))
	return result, err
}

// checkLasso compares the covariance matrices of two graphical lassos at all penalties.
func checkLasso(work, part, file string) (check, error) {
	s, err := lassoCovariance(work, file)
	if err != nil {
		return check{}, err
	}
	theirs, err := answers(work, part)
	if err != nil {
		return check{}, err
	}
	path, err := lassoPath(s, glasso.DefaultOptions())
	if err != nil {
		return check{}, err
	}
	d := s.SymmetricDim()
	worst := farthest(len(theirs)*d, func(i int) float64 { return path[i/d/d].W.At(i/d%d, i%d) },
		func(i int) float64 { return theirs[i/d][i%d] })
	tight, err := answers(work, part+"-tight")
	if err != nil {
		return check{}, err
	}
	o := glasso.DefaultOptions()
	o.Tolerance = 1e-10
	exact, err := lassoPath(s, o)
	if err != nil {
		return check{}, err
	}
	w := exact[len(exact)/2-1].W
	worstTight := farthest(d*d, func(i int) float64 { return w.At(i/d, i%d) },
		func(i int) float64 { return tight[i/d][i%d] })
	result := limited("covariances, share of the largest", worst, lassoTolerance)
	result.ok = result.ok && worstTight <= tightTolerance
	result.text += fmt.Sprintf("; solved to 1e-10: %.1g (at most %g)", worstTight, tightTolerance)
	return result, nil
}
