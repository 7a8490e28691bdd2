package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"copse/classifiers"
)

func TestSummarise(t *testing.T) {
	var times []timing
	for round, seconds := range [][]float64{{5, 1, 2}, {4, 8}, {3}} { // medians 2, 6, 3
		for k, s := range seconds {
			times = append(times, timing{"a", "ks", round + 1, k + 1, usage{cpu: s}})
		}
	}
	times = append(times, timing{"a", copse, 1, 1, usage{cpu: 100}}, timing{"b", "ks", 1, 1, usage{cpu: 100}})
	if got, want := summarise(times, "a", "ks", cpuOf), (summary{3, 2, 6, 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if none := summarise(times, "c", "ks", cpuOf); none.rounds != 0 || !math.IsNaN(none.median) {
		t.Errorf("a part that was not timed: %+v", none)
	}
}

func TestResultTargets(t *testing.T) {
	times := []timing{{"5nn", copse, 1, 1, usage{cpu: 2}}, {"5nn", "FNN", 1, 1, usage{cpu: 4}}}
	for _, test := range []struct {
		row         row
		timesTarget float64
		verdict     string
	}{
		{row{part: "5nn", reference: "FNN", compare: sameLabels, ratio: 4}, 0.5, "**missed**"},
		{row{part: "5nn", reference: "FNN", compare: sameLabels, scale: 10, ratio: 4}, 5, "met"},
		{row{part: "5nn", seconds: 3}, 1.5, "met"},
	} {
		test.row.part = "5nn"
		r, err := test.row.evaluate("", times)
		if test.row.reference != "" { // the answers are not here
			if err == nil {
				t.Fatal("no error without answers")
			}
		} else if err != nil {
			t.Fatal(err)
		}
		if r.timesTarget != test.timesTarget || r.verdict() != test.verdict {
			t.Errorf("%+v: timesTarget %g, %q", test.row, r.timesTarget, r.verdict())
		}
	}
}

// The peak is the largest memory of copse over all rounds and, for a million rows, over all parts.
func TestPeaks(t *testing.T) {
	times := []timing{
		{"nb-million", copse, 1, 1, usage{megabytes: 300}},
		{"nb-million", copse, 2, 1, usage{megabytes: 400}},
		{"rf-million", copse, 1, 1, usage{megabytes: 500}},
		{"rf-million", "scikit-learn", 1, 1, usage{megabytes: 900}},
		{"workers", copse, 1, 1, usage{megabytes: 1000}},
		{"5nn", copse, 1, 1, usage{cpu: 1}},
	}
	if got := peak(times, "nb-million"); got != 400 {
		t.Errorf("naive Bayes: %g MB, want 400", got)
	}
	if got := peak(times, "5nn"); !math.IsNaN(got) {
		t.Errorf("memory that was not measured: %g MB", got)
	}
	if got := millionPeak(times); got != 500 {
		t.Errorf("a million rows: %g MB, want 500", got)
	}
	if got := millionPeak(times[4:]); !math.IsNaN(got) {
		t.Errorf("no part with a million rows: %g MB", got)
	}
}

func TestCommands(t *testing.T) {
	got := commands([]string{"a", "b", "--", "c"})
	if want := [][]string{{"a", "b"}, {"c"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestExponent(t *testing.T) {
	var s []sizePoint
	for _, n := range []float64{200, 2000, 5000, 20000} {
		s = append(s, sizePoint{factor: "n", outcome: measured, n: n, fit: 3 * math.Pow(n, 1.5)})
	}
	s[0].fit = 1e9 // below where the fit begins
	s = append(s, sizePoint{factor: "n", outcome: capped, n: 50000, fit: 1})
	if got := exponent(s, secondsOf); math.Abs(got-1.5) > 1e-12 {
		t.Errorf("exponent %g, want 1.5", got)
	}
}

// Every classifier of the registry has its place in the table of growth.
func TestSubjects(t *testing.T) {
	var names []string
	for _, s := range subjects {
		if !strings.HasSuffix(s.name, tenthWrong) {
			names = append(names, s.name)
		}
		if s.panel >= len(panels) {
			t.Errorf("%s has no panel", s.name)
		}
	}
	names = append(names, "knn") // 5nn is knn with other defaults
	for _, spec := range classifiers.Registry {
		if !slices.Contains(names, spec.Name) {
			t.Errorf("%s is not a subject: add it to subjects in growth.go", spec.Name)
		}
	}
	if len(names) != len(classifiers.Registry) {
		t.Errorf("%d subjects, %d classifiers", len(names), len(classifiers.Registry))
	}
}

// Every row with a reference compares an answer and has a time of copse.
func TestRowsHaveAnswers(t *testing.T) {
	alone := []string{
		"workers",          // a time without another program's answer
		"logistic-million", // another penalty
	}
	for _, r := range rows {
		if r.reference != "" && r.compare == nil && !slices.Contains(alone, r.part) {
			t.Errorf("%s with %s: no check", r.part, r.reference)
		}
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0.012345: "0.0123", 1.2345: "1.23", 123.45: "123", 477.3: "477"} {
		if got := digits(v); got != want {
			t.Errorf("digits(%g) = %q, want %q", v, got, want)
		}
	}
}

// TestCompareErrors: of ten rows of class 0, copse mislabels the first three and the other program the third
// and the fourth.
func TestCompareErrors(t *testing.T) {
	work := t.TempDir()
	for _, dir := range []string{"data", "answers"} {
		if err := os.Mkdir(filepath.Join(work, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	test, ours, theirs := "x1,class\n", "", ""
	for i := range 12 {
		test += fmt.Sprintf("%d.5,%d\n", i, i/10) // the last two are of class 1
		ours += fmt.Sprintln(map[bool]int{true: 1}[i < 3 || i >= 10])
		theirs += fmt.Sprintln(map[bool]int{true: 1}[i == 2 || i == 3 || i >= 10])
	}
	for name, text := range map[string]string{"data/test.csv": test, "answers/5nn-copse.csv": ours,
		"answers/5nn-other.csv": theirs} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := compareErrors(work, "5nn", "other")
	if want := "test errors 3 and 2 of 12, 0.6 standard errors apart (limit 3)"; err != nil || !got.ok ||
		got.text != want {
		t.Errorf("%+v, %v, want %q", got, err, want)
	}
}

// Each number in table.csv is in its column. Numbers that were not measured are empty.
func TestTableCSV(t *testing.T) {
	r := result{title: "a", reference: "ks", unit: "s", theirs: summary{2, 1, 3, 5}, ours: summary{0.5, 0.25, 1, 5},
		megabytes: math.NaN(), ratio: 4, target: "3 x faster", timesTarget: 1.5, check: check{true, "equal"}, note: "n"}
	var b strings.Builder
	if err := writeCSV(&b, []result{r}); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(b.String(), "\n")
	if want := "a,ks,s,2,1,3,0.5,0.25,1,,5,4,3 x faster,1.5,true,equal,n\n"; line != want {
		t.Errorf("%s, want %s", line, want)
	}
	committed, err := os.ReadFile("../../results/benchmarks/table.csv")
	if header := strings.Join(csvColumns, ",") + "\n"; err != nil || !strings.HasPrefix(string(committed), header) {
		t.Errorf("the committed table has other columns than %s (%v)", header, err)
	}
}

// The names of curves are in one column, to the right of all curves, and do not overlap.
func TestNamesOfGrowthAreApart(t *testing.T) {
	points, err := readPoints("../../results/benchmarks/growth.csv")
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		left, y vg.Length
		name    string
	}
	for panel := range panels {
		for _, factor := range []string{"n", "d"} {
			var drawn recorder.Canvas
			drawPanel(draw.NewCanvas(&drawn, 262, 150), points, panel, factor, secondsOf)
			var names []place
			for _, action := range drawn.Actions {
				name, ok := action.(*recorder.FillString)
				if !ok || !slices.ContainsFunc(subjects, func(s subject) bool { return s.name == name.String }) {
					continue
				}
				b := place{name.Point.X, name.Point.Y, name.String}
				for _, other := range names {
					if b.left != other.left || math.Abs(float64(b.y-other.y)) < 0.7*float64(name.Font.Size) {
						t.Errorf("%s, %s: %s overlaps %s or a curve", panels[panel], factor, b.name, other.name)
					}
				}
				names = append(names, b)
			}
			if len(names) < 5 {
				t.Errorf("%s, %s: %d names", panels[panel], factor, len(names))
			}
		}
	}
}
