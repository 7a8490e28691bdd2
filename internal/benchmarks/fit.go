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
	"copse/experiments/folder"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/glasso"
)

// A job is a classifier that copse fits for one part of the benchmark, with its data.
type job struct {
	classifier   string
	params       []string
	train, test  string // names of the data files
	timePerClass bool   // the part measures the training of a single class, without predictions
	// computeAnswers computes the answers that are compared with a reference. If it is nil, the answers
	// are the predicted labels.
	computeAnswers func(train, test *dataset.Set) (*mat.Dense, error)
}

// copse is the name of copse in the column "side" of times.csv.
const copse = "copse"

var jobs = map[string]job{
	"slb-plug-in": {"slb", []string{"bandwidth=plug-in", libsvmTolerance}, "train.csv", "test.csv", false, pairAnswers},
	"slb-refit":   {"slb", []string{libsvmTolerance}, "train.csv", "test.csv", false, featureAnswers},
	"svm":         {"svm", []string{libsvmTolerance}, "train.csv", "test.csv", false, nil},
	"linear-svm":  {"svm", linearParams, "features-train.csv", "features-test.csv", false, nil},
	"5nn":         {"5nn", rawColumns, "train.csv", "test.csv", false, nil},
	"rf":          {"rf", forestParams, "train.csv", "test.csv", false, nil},
	"boosting":    {"boosting", nil, "train.csv", "test.csv", false, nil},
	"logistic":    {"logistic", nil, "features-train.csv", "features-test.csv", false, nil},
	"nb":          {"nb", nil, "train.csv", "test.csv", false, nil},
	"khrf":        {"khrf", nil, "rows250.csv", "test.csv", true, nil},
	"kbn":         {"kbn", nil, "rows250.csv", "test.csv", true, nil},
	"kmrf":        {"kmrf", nil, "rows250.csv", "test.csv", true, nil},
	"dcc":         {"dcc", []string{"ridges=[]"}, "binary.csv", "binary-test.csv", false, nil},
}

// millionSuffix ends the names of parts with a million rows. These parts are timed only if the
// variable MILLION of compare.sh is set.
const millionSuffix = "-million"

// jobOf returns the job of a part. The name of a part is a key of jobs, possibly with the suffix
// "-process", or a classifier with a suffix for the data set, as in "rf-large". These suffixes are
//
//   - "-large": 100,000 rows.
//   - "-million": a million rows.
//   - "-overlap": 100,000 rows, a tenth of them in the wrong class.
func jobOf(part string) (job, error) {
	if j, ok := jobs[strings.TrimSuffix(part, "-process")]; ok {
		return j, nil
	}
	for _, suffix := range []string{"-large", "-overlap", millionSuffix} {
		if name, ok := strings.CutSuffix(part, suffix); ok {
			return job{
				classifier: name,
				params:     jobs[name].params,
				train:      suffix[1:] + ".csv", // suffix without the hyphen
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
	train, test, err := readData(work, j.train, j.test)
	if err != nil {
		return err
	}
	labels, err := j.fitRepeatedly(train, test, work, part, round, repeats)
	if err != nil {
		return err
	}
	if j.timePerClass { // no predictions, so no answers
		return nil
	}
	answers := column(labels)
	if j.computeAnswers != nil {
		answers, err = j.computeAnswers(train, test)
		if err != nil {
			return err
		}
	}
	return writeAnswers(work, part, answers)
}

// fitRepeatedly fits the classifier of a part several times (repeats) and records the cost of each
// fit. It returns the labels that the last fit predicts for the test rows.
func (j *job) fitRepeatedly(
	train, test *dataset.Set, work, part string, round, repeats int,
) (labels []int, err error) {
	recipe, err := study.NewClassifier(j.classifier, j.params)
	if err != nil {
		return nil, err
	}
	for repeat := 1; repeat <= repeats; repeat++ {
		// WithoutDerived removes values cached by earlier repeats, which would make this fit
		// faster.
		var cost usage
		labels, cost, err = j.fitOnce(recipe.Classifier, train.WithoutDerived(), test, part, round, repeat)
		if err != nil {
			return nil, err
		}
		if err := record(work, part, copse, round, repeat, cost); err != nil {
			return nil, err
		}
	}
	return labels, nil
}

// column returns a matrix with one column, which contains the labels.
func column(labels []int) *mat.Dense {
	m := mat.NewDense(len(labels), 1, nil)
	for i, label := range labels {
		m.Set(i, 0, float64(label))
	}
	return m
}

// fitOnce is fit for one repeat of a part. For parts with a million rows, it also measures the peak
// memory of this process, which must not exceed millionMemory.
func (j *job) fitOnce(
	c classifiers.Classifier, train, test *dataset.Set, part string, round, repeat int,
) (labels []int, cost usage, err error) {
	seed := uint64(1000*round + repeat) // unique, because there are fewer than 1000 repeats
	if !strings.HasSuffix(part, millionSuffix) {
		return j.fit(c, train, test, seed)
	}
	if _, err := resetPeak(); err != nil {
		return nil, cost, err
	}
	if labels, cost, err = j.fit(c, train, test, seed); err != nil {
		return nil, cost, err
	}
	cost.megabytes, err = statusMegabytes("VmHWM") // the peak since resetPeak
	return labels, cost, err
}

// fit fits a classifier and predicts the labels of the test rows. The result cost includes the fit
// and the prediction. It returns an error if the discrete Chebyshev classifier (dcc) did not
// converge.
//
// If j.timePerClass is set, fit measures the time per class: it predicts no labels, and divides the
// times of the fit by the number of classes.
func (j *job) fit(
	c classifiers.Classifier, train, test *dataset.Set, seed uint64,
) (labels []int, cost usage, err error) {
	rng := stream.New(seed, "", 1, stream.Classifier(""))
	var rule *classifiers.Rule
	cost, err = timed(func() (err error) {
		rule, err = classifiers.Fit(context.Background(), c, train, rng)
		if err == nil && !j.timePerClass {
			labels = rule.Predict(test.X)
		}
		return err
	})
	if err != nil {
		return nil, cost, err
	}
	if j.classifier == "dcc" && len(rule.Warnings) > 0 {
		return nil, cost, fmt.Errorf("dcc: %v", rule.Warnings)
	}
	if j.timePerClass {
		classes := float64(train.C())
		cost.cpu, cost.wall = cost.cpu/classes, cost.wall/classes
	}
	return labels, cost, nil
}

// writeAnswers writes a file with the answers of copse for one part of the benchmark.
func writeAnswers(work, part string, answers mat.Matrix) error {
	return folder.WriteFile(answerFile(work, part, copse), func(w io.Writer) error { return writeNumbers(w, answers) })
}

// The graphical lasso is fitted at penaltyCount penalties. The largest penalty is just large enough
// to remove all edges. The smallest penalty is penaltyRatio times the largest.
const (
	penaltyCount = 20
	penaltyRatio = 0.01
)

// lassoFiles lists the data sets of the graphical lasso. A path consists of a fit for each penalty.
// Because a path can be too short for the clock, pathsPerTime paths are timed together.
var lassoFiles = []struct {
	part, file   string
	pathsPerTime int
}{{"glasso-20", "train.csv", 10}, {"glasso-100", "wide.csv", 1}}

// fitLassos times the graphical lasso on the first class of each data set. Each repeat fits
// pathsPerTime paths and records their mean time. A path consists of a fit for each penalty.
func fitLassos(work string, round, repeats int) error {
	for _, l := range lassoFiles {
		set, err := csvfile.ReadFile(filepath.Join(work, "data", l.file), csvfile.Options{})
		if err != nil {
			return err
		}
		covariance := glasso.Covariance(set.Columns(set.ClassRows(0)), 0) // without a ridge
		var path *mat.Dense
		for repeat := 1; repeat <= repeats; repeat++ {
			cost, err := timed(func() (err error) {
				for range l.pathsPerTime {
					path, err = lassoPath(covariance)
				}
				return err
			})
			if err != nil {
				return err
			}
			cost.cpu, cost.wall = cost.cpu/float64(l.pathsPerTime), cost.wall/float64(l.pathsPerTime)
			if err := record(work, l.part, copse, round, repeat, cost); err != nil {
				return err
			}
		}
		if err := writeAnswers(work, l.part, path); err != nil {
			return err
		}
	}
	return nil
}

// lassoPath fits the graphical lasso at all penalties. It starts each fit from zero. It returns the
// estimated covariance matrices, one below the other.
func lassoPath(s *mat.SymDense) (*mat.Dense, error) {
	d := s.SymmetricDim()
	path := mat.NewDense(penaltyCount*d, d, nil)
	for k, lambda := range glasso.Grid(s, penaltyCount, penaltyRatio) {
		e, err := glasso.Fit(context.Background(), s, lambda, glasso.DefaultOptions(), nil)
		if err != nil {
			return nil, err
		}
		path.Slice(k*d, (k+1)*d, 0, d).(*mat.Dense).Copy(e.W)
	}
	return path, nil
}
