package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"copse/experiments/folder"
)

// A subject is a classifier whose time and memory are measured at several sizes of the training
// set. In theory, the time of its fit to n rows of d variables is proportional to
//
//	n^timeN d^timeD
type subject struct {
	name         string
	panel        int
	timeN, timeD float64
	leading      string // the slowest steps of the fit with the growth of their times, as in "scatter n d^2"
}

// tenthWrong is appended to the name of a classifier if a tenth of the training rows have the wrong
// class. SLB is slower on such rows, because no pair of attributes separates the classes.
const tenthWrong = "+10%"

// panels lists the titles of the panels. subject.panel is an index into this list.
var panels = []string{"densities", "classics", "kernel and Gaussian fields", "discrete Chebyshev and its rivals",
	"comparators"}

var subjects = []subject{
	{"slb", 0, 1, 2, "binned densities n d^2, SVM"},
	{"slb" + tenthWrong, 0, 1, 2, "binned densities n d^2, SVM"},
	{"slb-", 0, 1, 2, "binned densities n d^2, SVM"},
	{"lu", 0, 1, 1, "n d (series), SVM"},
	{"nb", 0, 1, 1, "n log n d"},
	{"tan", 0, 1, 2, "mutual information d^2, from a sample of the rows"},
	{"forestdens", 0, 1, 2, "binned densities n d^2, SVM"},
	{"cnc", 0, 1, 2, "Kendall's tau n log n d^2"},
	{"cnc-gaussian", 0, 1, 2, "correlations n d^2"},
	{"lingauss-tan", 0, 1, 2, "correlations n d^2"},
	{"sigmoid-tan", 0, 1, 2, "regressions n d^2"},
	{"5nn", 1, 1, 1, "distances n d"},
	{"svm", 1, 2, 1, "kernel matrix n^2 d"},
	{"svm-cv", 1, 2, 1, "kernel matrix n^2 d, grid"},
	{"rf", 1, 1, 0.5, "n log n sqrt d"},
	{"lda", 1, 1, 2, "scatter n d^2"},
	{"mpm", 1, 1, 2, "scatter n d^2, steps d^3"},
	{"khrf", 2, 2, 1, "conditional densities n^2 d"},
	{"kbn", 2, 2, 2, "conditional densities n^2 d^2"},
	{"kmrf", 2, 2, 2, "conditional densities n^2 d^2"},
	{"gmrf", 2, 1, 3, "scatter n d^2, lasso d^3"},
	{"npmrf", 2, 1, 3, "interpolated kernel sums n d, lasso d^3"},
	{"dcc", 3, 1, 2, "counts n d^2, steps d^2"},
	{"gdcc", 3, 1, 2, "counts n d^2, steps d^2"},
	{"svm-mean", 3, 1, 2, "Newton steps n d^2, cross-validation of the parameter C"},
	{"avg-w", 3, 1, 2, "Newton steps n d^2, cross-validation of the parameter C"},
	{"geom", 3, 1, 2, "Newton steps n d^2, cross-validation of the parameter C"},
	{"logistic", 4, 1, 2, "second derivatives n d^2"},
	{"qda", 4, 1, 2, "scatter n d^2"},
	{"boosting", 4, 1, 1, "histograms n d"},
	{"chow-liu", 4, 1, 2, "counts n d^2"},
	{"markov-chain", 4, 1, 2, "binned densities n d^2, chains n d^2"},
	{"tan-discriminative", 4, 1, 2, "counts n d^2, rounds"},
	{"fans", 4, 1, 1, "n d (series), 20 lasso paths"},
	{"fans2", 4, 1, 1, "n d (series), 20 lasso paths"},
	{"slb-l1", 4, 1, 2, "binned densities n d^2, lasso path"},
	{"slb-l1-svm", 4, 1, 2, "binned densities n d^2, lasso path"},
}

func printSubjects([]string) error {
	for _, s := range subjects {
		fmt.Println(s.name)
	}
	return nil
}

// fitFrom contains the smallest n and the smallest d that are used to estimate the exponents. At
// smaller sizes, other terms dominate.
var fitFrom = map[string]float64{"n": 2000, "d": 50}

// A sizePoint is a line of growth.csv: the cost of a classifier at one size of the training set.
type sizePoint struct {
	classifier, factor, outcome string
	n, d                        float64
	fit, predict                float64 // median processor times in seconds
	megabytes                   float64 // peak of the first fit and prediction, excluding the program and the data
}

func (p sizePoint) size() float64 {
	if p.factor == "n" {
		return p.n
	}
	return p.d
}

// readPoints reads growth.csv, which has a header and the columns that growthPoint writes.
func readPoints(path string) ([]sizePoint, error) {
	lines, err := readLines(path)
	if err != nil {
		return nil, err
	}
	const classifier, factor, n, d, outcome, fit, predict, megabytes = 0, 1, 2, 3, 4, 5, 6, 7 // columns
	var points []sizePoint
	for _, line := range lines[1:] { // without the header
		var v [8]float64 // values by column; the columns with text keep 0
		for _, column := range []int{n, d, fit, predict, megabytes} {
			if v[column], err = strconv.ParseFloat(line[column], 64); err != nil {
				return nil, err
			}
		}
		points = append(points, sizePoint{classifier: line[classifier], factor: line[factor], outcome: line[outcome],
			n: v[n], d: v[d], fit: v[fit], predict: v[predict], megabytes: v[megabytes]})
	}
	return points, nil
}

func series(points []sizePoint, classifier, factor string) []sizePoint {
	var s []sizePoint
	for _, p := range points {
		if p.classifier == classifier && p.factor == factor {
			s = append(s, p)
		}
	}
	return s
}

// exponent returns the least-squares slope of log value against log size. It uses measured,
// positive values at sizes of at least fitFrom. It returns NaN for fewer than two of them.
func exponent(s []sizePoint, value func(sizePoint) float64) float64 {
	var x, y []float64
	for _, p := range s {
		if p.outcome == measured && p.size() >= fitFrom[p.factor] && value(p) > 0 {
			x, y = append(x, math.Log(p.size())), append(y, math.Log(value(p)))
		}
	}
	if len(x) < 2 {
		return math.NaN()
	}
	_, b := stat.LinearRegression(x, y, nil, false)
	return b
}

func secondsOf(p sizePoint) float64   { return p.fit + p.predict }
func megabytesOf(p sizePoint) float64 { return p.megabytes }

// writeGrowth writes growth.md and two figures to the folder OUT.
func writeGrowth(args []string) error {
	points, err := readPoints(args[0])
	if err != nil {
		return err
	}
	out := args[1]
	return errors.Join(
		folder.WriteFile(filepath.Join(out, "growth.md"),
			func(w io.Writer) error { return writeGrowthTable(w, points) }),
		drawGrowth(filepath.Join(out, "growth-time.svg"), points, "fit and prediction (s)", secondsOf),
		drawGrowth(filepath.Join(out, "growth-memory.svg"), points, "peak memory (MB)", megabytesOf),
	)
}

// writeGrowthTable writes a table with a row for each classifier. The columns contain the estimated
// and expected exponents and the largest sizes measured.
func writeGrowthTable(w io.Writer, points []sizePoint) error {
	lines := []string{
		"| classifier | time: exponent of n | theory | time: exponent of d | theory | memory: exponent of n | " +
			"memory: exponent of d | leading term | largest n | largest d |",
		"|---|--:|--:|--:|--:|--:|--:|---|--:|--:|",
	}
	for _, s := range subjects {
		n, d := series(points, s.name, "n"), series(points, s.name, "d")
		if len(n)+len(d) == 0 { // the classifier was not measured
			continue
		}
		cells := []string{s.name,
			power(exponent(n, secondsOf)), fmt.Sprintf("%g", s.timeN),
			power(exponent(d, secondsOf)), fmt.Sprintf("%g", s.timeD),
			power(exponent(n, megabytesOf)), power(exponent(d, megabytesOf)),
			s.leading, describeLargest(n), describeLargest(d)}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
	}
	lines = append(lines, "",
		fmt.Sprintf("The exponents are least-squares slopes on logarithmic scales, for n >= %g (d = 20) and d >= %g "+
			"(n = 1000).", fitFrom["n"], fitFrom["d"]),
		fmt.Sprintf("%q after a name means that a tenth of the training rows have the wrong label, so the classes "+
			"overlap.", tenthWrong),
		"The last two columns show the largest size measured, its time for fit and prediction in seconds and its "+
			"memory in megabytes. If a larger size was tried, its outcome comes first.")
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func power(b float64) string {
	if math.IsNaN(b) {
		return "–"
	}
	return fmt.Sprintf("%.2f", b)
}

// describeLargest describes the largest measured point of a series, as in "n = 5e+05: 6 s, 400 MB".
// If larger sizes were tried but not measured, the outcome of the largest comes first, as in "capped;
// n = 5e+05: 6 s, 400 MB".
func describeLargest(s []sizePoint) string {
	if len(s) == 0 {
		return ""
	}
	last := s[len(s)-1]
	if last.outcome == measured {
		return last.describe()
	}
	for _, p := range slices.Backward(s) {
		if p.outcome == measured {
			return last.outcome + "; " + p.describe()
		}
	}
	return last.outcome
}

// describe describes a measured point, as in "n = 1e+06: 12 s, 800 MB".
func (p sizePoint) describe() string {
	return fmt.Sprintf("%s = %g: %s s, %.0f MB", p.factor, p.size(), digits(secondsOf(p)), p.megabytes)
}
