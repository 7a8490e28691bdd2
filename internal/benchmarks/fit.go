package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/glasso"
)

// A job is a classifier that copse fits for one part of the benchmark, with its data.
type job struct {
	classifier  string
	params      []string
	train, test string
	perClass    bool // times cover only the fit and are divided by the number of classes
}

// copse is the name of copse in the column "side" of times.csv.
const copse = "copse"

var jobs = map[string]job{
	"slb-plug-in": {"slb", []string{"bandwidth=plug-in", libsvmTolerance}, "train.csv", "test.csv", false},
	"slb-refit":   {"slb", []string{libsvmTolerance}, "train.csv", "test.csv", false},
	"svm":         {"svm", []string{libsvmTolerance}, "train.csv", "test.csv", false},
	"linear-svm":  {"svm", linearParams, "features-train.csv", "features-test.csv", false},
	"5nn":         {"5nn", rawColumns, "train.csv", "test.csv", false},
	"rf":          {"rf", forestParams, "train.csv", "test.csv", false},
	"boosting":    {"boosting", nil, "train.csv", "test.csv", false},
	"logistic":    {"logistic", nil, "features-train.csv", "features-test.csv", false},
	"nb":          {"nb", nil, "train.csv", "test.csv", false},
	"khrf":        {"khrf", nil, "rows250.csv", "test.csv", true},
	"kbn":         {"kbn", nil, "rows250.csv", "test.csv", true},
	"kmrf":        {"kmrf", nil, "rows250.csv", "test.csv", true},
	"dcc":         {"dcc", []string{"ridges=[]"}, "binary.csv", "binary-test.csv", false},
}

// millionSuffix ends the names of parts with a million rows. These parts are timed only if the
// variable MILLION of compare.sh is set.
const millionSuffix = "-million"

// jobOf returns the job of a part. The name of a part is a key of jobs, or a classifier with a
// suffix for the data set, as in "rf-large". The suffixes are
//
//   - "-large": 100,000 rows.
//   - "-million": a million rows.
//   - "-overlap": 100,000 rows, a tenth of them in the wrong class.
func jobOf(part string) (job, error) {
	if j, ok := jobs[part]; ok {
		return j, nil
	}
	for _, suffix := range []string{"-large", "-overlap", millionSuffix} {
		if name, ok := strings.CutSuffix(part, suffix); ok {
			return job{
				classifier: name,
				params:     jobs[name].params,
				train:      suffix[1:] + ".csv",
				test:       suffix[1:] + "-test.csv",
			}, nil
		}
	}
	return job{}, fmt.Errorf("unknown part %q", part)
}

// libsvmTolerance is the default tolerance of libsvm and e1071, the references for support vector
// machines.
const libsvmTolerance = "tolerance=0.001"

// rawColumns turns off standardisation in 5nn, because the other programs do not standardise.
var rawColumns = []string{"standardise=false"}

// forestParams sets the number of trees in all programs. The default of copse is 500.
var forestParams = []string{"trees=50"}

var linearParams = []string{"kernel=linear", "standardise=false", libsvmTolerance}

// fitPart fits the classifier of one part REPEATS times in this process. It writes the times and
// answers to the folder WORK. The arguments are PART WORK ROUND REPEATS.
func fitPart(args []string) error {
	part, work := args[0], args[1]
	round, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	repeats, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	if part == "glasso" {
		return fitLassos(work, round, repeats)
	}
	j, err := jobOf(part)
	if err != nil {
		return err
	}
	recipe, err := study.NewClassifier(j.classifier, j.params)
	if err != nil {
		return err
	}
	train, test, err := readData(work, j.train, j.test)
	if err != nil {
		return err
	}
	fit := j.fit
	if strings.HasSuffix(part, millionSuffix) {
		fit = j.fitWithPeak // the memory of these parts has a limit, see millionMemory
	}
	for repeat := 1; repeat <= repeats; repeat++ {
		seed := uint64(1000*round + repeat) // a different one for each fit, as there are fewer than 1000 repeats
		// WithoutDerived removes values cached by earlier repeats, which would make this fit
		// faster.
		rule, labels, cost, err := fit(recipe.Classifier, train.WithoutDerived(), test, seed)
		if err != nil {
			return err
		}
		if err := record(work, part, copse, round, repeat, cost); err != nil {
			return err
		}
		if err := keepAnswers(work, part, rule, labels, test); err != nil {
			return err
		}
		if part == "rf" { // forests are random: programs are compared by the errors of all forests
			if err := appendForestErrors(work, round, repeat, wrongLabels(labels, test.Y)); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendForestErrors records how many test rows a forest misclassified.
func appendForestErrors(work string, round, repeat, wrong int) error {
	line := fmt.Sprintf("copse,%d,%d,%d", round, repeat, wrong)
	return appendLine(filepath.Join(work, "answers", "forest-errors.csv"), line)
}

// fitWithPeak is like fit, but also measures the peak memory of this process during the fit.
func (j *job) fitWithPeak(c classifiers.Classifier, train, test *dataset.Set, seed uint64) (rule *classifiers.Rule,
	labels []int, cost usage, err error) {
	if _, err := resetPeak(); err != nil {
		return nil, nil, cost, err
	}
	if rule, labels, cost, err = j.fit(c, train, test, seed); err != nil {
		return nil, nil, cost, err
	}
	cost.megabytes, err = statusMegabytes("VmHWM") // the peak since resetPeak
	return rule, labels, cost, err
}

// fit fits a classifier and predicts the labels of the test rows. The result cost includes the fit
// and the prediction.
//
// If perClass is set, cost includes only the fit, and its times are divided by the number of
// classes.
func (j *job) fit(c classifiers.Classifier, train, test *dataset.Set, seed uint64) (rule *classifiers.Rule,
	labels []int, cost usage, err error) {
	rng := stream.New(seed, "", 1, stream.Classifier(""))
	cost, err = timed(func() (err error) {
		rule, err = classifiers.Fit(context.Background(), c, train, rng)
		if err == nil && !j.perClass {
			labels = rule.Predict(test.X)
		}
		return err
	})
	if err == nil && j.perClass {
		cost.cpu, cost.wall = cost.cpu/float64(train.C()), cost.wall/float64(train.C())
		labels = rule.Predict(test.X)
	}
	return rule, labels, cost, err
}

// keepAnswers writes the labels to WORK/answers, and for support vector machines also their scores
// or weights. It returns an error if the discrete Chebyshev classifier (dcc) did not converge.
func keepAnswers(work, part string, rule *classifiers.Rule, labels []int, test *dataset.Set) error {
	predicted := make([][]float64, len(labels))
	for i, l := range labels {
		predicted[i] = []float64{float64(l)}
	}
	if err := writeAnswers(work, part+"-copse", predicted); err != nil {
		return err
	}
	switch part {
	case "svm":
		return writeAnswers(work, "svm-copse-scores", matrixRows(rule.Scores(test.X)))
	case "linear-svm":
		return writeAnswers(work, "linear-svm-copse-weights", [][]float64{linearFunction(rule, test.D())})
	case "dcc":
		if len(rule.Warnings) > 0 {
			return fmt.Errorf("dcc: %v", rule.Warnings)
		}
	}
	return nil
}

func writeAnswers(work, name string, rows [][]float64) error {
	return writeFile(filepath.Join(work, "answers", name+".csv"),
		func(w io.Writer) error { return writeNumbers(w, rows) })
}

func wrongLabels(labels, y []int) int {
	wrong := 0
	for i, label := range labels {
		if label != y[i] {
			wrong++
		}
	}
	return wrong
}

// linearFunction returns the weights of a linear decision function and then the intercept. It
// computes them from the values at 0 and at the unit vectors.
func linearFunction(rule *classifiers.Rule, d int) []float64 {
	x := mat.NewDense(d+1, d, nil)
	for j := range d {
		x.Set(j, j, 1)
	}
	f := mat.Col(nil, 0, rule.Scores(x))
	for j := range d {
		f[j] -= f[d]
	}
	return f
}

// The graphical lasso is fitted at penaltyCount penalties. The largest penalty is just large enough
// to remove all edges. The smallest penalty is penaltyRatio times the largest.
const (
	penaltyCount = 20
	penaltyRatio = 0.01
)

// lassoFiles lists the data sets of the graphical lasso. A path consists of a fit for each penalty.
// Short paths are timed together, and pathsPerTime is their number.
var lassoFiles = []struct {
	part, file   string
	pathsPerTime int
}{{"glasso-20", "train.csv", 10}, {"glasso-100", "wide.csv", 1}}

func lassoCovariance(work, file string) (*mat.SymDense, error) {
	set, err := readSet(filepath.Join(work, "data", file), csvfile.Options{})
	if err != nil {
		return nil, err
	}
	return glasso.Covariance(set.Columns(set.ClassRows(0)), 0), nil
}

// fitLassos times the graphical lasso on all data sets. Each repeat records the mean time of one
// path.
func fitLassos(work string, round, repeats int) error {
	for _, l := range lassoFiles {
		s, err := lassoCovariance(work, l.file)
		if err != nil {
			return err
		}
		for repeat := 1; repeat <= repeats; repeat++ {
			u, err := timed(func() (err error) {
				for range l.pathsPerTime {
					_, err = lassoPath(s, glasso.DefaultOptions())
				}
				return err
			})
			if err != nil {
				return err
			}
			u.cpu, u.wall = u.cpu/float64(l.pathsPerTime), u.wall/float64(l.pathsPerTime)
			if err := record(work, l.part, copse, round, repeat, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// lassoPath fits the graphical lasso at all penalties. It starts each fit from zero.
func lassoPath(s *mat.SymDense, o glasso.Options) ([]*glasso.Estimate, error) {
	var path []*glasso.Estimate
	for _, lambda := range glasso.Grid(s, penaltyCount, penaltyRatio) {
		e, err := glasso.Fit(context.Background(), s, lambda, o, nil)
		if err != nil {
			return nil, err
		}
		path = append(path, e)
	}
	return path, nil
}
