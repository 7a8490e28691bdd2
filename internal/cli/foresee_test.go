package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/reported"
)

// Mistakes that would stop a report are found before anything runs, with their places.
func TestMistakesOfTheReportAreFoundBeforeTheRun(t *testing.T) {
	published := filepath.Join(t.TempDir(), "printed.csv")
	filetest.Write(t, published, "table,n,classifier,mean_error,sd_error\n1,30,5nn,0.10,0.01\n")
	replace := func(old, now string) string { return strings.Replace(smallStudy, old, now, 1) }
	cases := [][2]string{
		{replace("rows: [n]", "rows: [m]"), `:12:33: report.tables[0].rows: no factor "m"`},
		{replace("rows: [n]", "columns: [6nn]"), `:12:36: report.tables[0].columns: no classifier "6nn"`},
		{replace("rows: [n]", "where: [n=7]"), `:12:34: report.tables[0].where: unknown level "7"`},
		{replace("panel: [n]", "kind: line, x: m"), `:13:40: report.figures[0].x: horizontal factor: no factor "m"`},
		{replace("panel: [n]", "kind: differences, champion: nb"),
			`:13:54: report.figures[0].champion: the champion "nb" is not one of the classifiers`},
		{strings.Replace(replace("panel: [n]", "kind: differences, metric: log_loss"),
			"[5nn, lda, oracle]", "[svm, lda, oracle]\nmetrics: [log_loss]", 1),
			`two classifiers with results for log loss, but this figure compares only these: LDA; list more in`},
		{replace("panel: [n]", "kind: differences, metric: fit_seconds"),
			"report.figures[0].metric: a figure of kind `differences` needs a metric that is computed from " +
				"predictions, not training time"},
		{"study: s\nseed: 1\ndata: {set: iris, folds: 5}\nclassifiers: [svm]\nreport: {tables: [{metric: brier}]}\n",
			":5:28: report.tables[0].metric: no successful fit of SVM has a value for Brier score (0 to 2)"},
		{replace("panel: [n]", "panel: [m]"), `:13:33: report.figures[0].panel: no factor "m"`},
		{replace("panel: [n]", "kind: roc"),
			":13:31: report.figures[0].kind: a figure of kind `roc` needs the predictions of the test " +
				"rows, which the study does not keep: add `predictions: keep`"},
		{strings.Replace(replace("panel: [n]", "kind: reliability, columns: [svm]"),
			"[5nn, lda, oracle]", "[svm, lda, oracle]\npredictions: keep", 1),
			`:14:53: report.figures[0].columns: a curve needs class probabilities, but these classifiers ` +
				`return none: SVM`},
		{strings.Replace(replace("panel: [n]", "kind: roc, class: ill"),
			"[5nn, lda, oracle]", "[5nn, lda, oracle]\npredictions: keep", 1),
			`:14:43: report.figures[0].class: `},
		{replace("panel: [n]", "kind: reliability, bins: 1"), `report.figures[0].bins: 1 is outside [2,100]`},
		{replace("panel: [n]", "page: [m]"), `:13:32: report.figures[0].page: no factor "m"`},
		{smallStudy + "inference: {family: [5nn, ldaa]}\n",
			`inference.family: "ldaa" is not a classifier of the study; did you mean "lda"?`},
		{replace("report:", "report:\n  labels: {m: rows}"),
			`:12:15: report.labels.m: "m" is neither a factor`},
		{replace("rows: [n]", "family: [5nn, ldaa]"),
			`report.tables[0].family: "ldaa" is not a classifier of the study; did you mean "lda"?`},
		{replace("rows: [n]", "columns: [5nn], family: [5nn, lda]"),
			"report.tables[0].family: lda is not in `columns`; add it there"},
		{replace("rows: [n]", "rows: [n]}, {name: SMALL"),
			"report.tables[1].name: \"SMALL\" names a file that `report.tables[0]` also writes; choose another name"},
		{replace("panel: [n]", "page: [n]}, {name: box-60"),
			"report.figures[1].name: \"box-60\" names a file that `report.figures[0]` also writes"},
		{smallStudy + "inference: {family: [5nn, 5nn]}\n", "inference.family: 5nn is listed twice"},
		{smallStudy + "published: [{file: none.csv, columns: {n: n}, replicates: 10}]\n",
			"published[0].file: none.csv does not exist in the working folder, in the study's folder or in any " +
				"folder above the study's; give its full path"},
		{replace("n: [30, 60]", "n: 30, 60"), "design.n: want a list of levels such as `[100, 200]`"},
		{smallStudy + "published: [{file: " + published + ", columns: {n: n}, replicates: 10}]\n",
			`the column "table" is not mapped to a factor`},
		{replace("train: {n: $n}", "train: {n: 1}"), "data.train: `n: 1` leaves class 1 of 2 empty"},
	}
	for _, c := range cases {
		text, want := c[0], c[1]
		for _, verb := range []string{"check", "run"} {
			out := filepath.Join(t.TempDir(), "results")
			attempt(t, verb, writeStudy(t, text), "--out", out).fails(exitUsage, want)
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s wrote something", verb)
			}
		}
	}
}

// Figures without values are drawn empty.
func TestFiguresWithoutValuesAreForeseen(t *testing.T) {
	const study = "study: s\nseed: 1\nreplicates: 4\ndesign: {d: [2, 3], flip: [0, 0.1]}\ndata: {generator: {name: " +
		"forest, d: $d}, sample: {n: 30}, folds: 2, flip: $flip}\nclassifiers: [lda, 5nn, {id: nb, classifier: nb, " +
		"only: {d: 2}}]\n"
	for _, figure := range []string{"kind: line, x: d, metric: predict_seconds, band: quartiles",
		"kind: line, x: flip, panel: [d], columns: [nb], log2_x: false, scales: free"} {
		succeed(t, "check", writeStudy(t, study+"report: {figures: [{name: f, "+figure+"}]}\n"), "--pilot", "0s")
	}
}

// A key that requests a test over fits on one test set is rejected with its place. If predictions are kept,
// tables compare the classifiers on the test rows and state the scope of the conclusion.
func TestOneTestSetHasNoDifferences(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.csv")
	filetest.Write(t, file, "x,part,class\n1,train,a\n2,train,b\n3,train,a\n4,train,b\n5,test,a\n6,test,b\n")
	study := "study: s\nseed: 1\nreplicates: 3\ndata: {csv: " + filepath.ToSlash(file) +
		", split: part}\nclassifiers: [{classifier: lda, impute: mean}, {classifier: 5nn, k: 1, impute: mean}]\n"
	succeed(t, "check", writeStudy(t, study), "--pilot", "0s")
	noisy, out := strings.Replace(study, "split: part", "split: part, missing: {mcar: 0.01}", 1),
		filepath.Join(t.TempDir(), "out")
	const untested, tested = "There are no tests. With predictions: keep",
		"conclusions apply to these fits on new test rows"
	kept := strings.Replace(noisy, "data:", "predictions: keep\ndata:", 1)
	for i, c := range []struct{ text, remark string }{{study, untested}, {noisy, untested}, {kept, tested}} {
		attempt(t, "run", writeStudy(t, c.text), "--out", out+fmt.Sprint(i)).prints(c.remark)
	}
	named := kept + "inference: {test: corrected-t}\n"
	attempt(t, "check", writeStudy(t, named), "--pilot", "0s").fails(exitUsage,
		"inference.test: ", "mcnemar, delong, row-bootstrap")
	differences := writeStudy(t, study+"report: {figures: [{name: d, kind: differences}]}\n")
	attempt(t, "check", differences, "--pilot", "0s").fails(exitUsage,
		":6:20: report.figures[0]: the design violates the test's assumption", "share one test set")
}

// No committed study with a report is rejected, so the checks before a run are not too strict.
func TestCommittedStudiesAreForeseen(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	folders, err := os.ReadDir("results")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range folders {
		dir := filepath.Join("results", f.Name())
		if checkResultsFolder(dir) != nil {
			continue
		}
		seen++
		f, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		sections, err := reported.Sections(f.Study)
		if err != nil {
			t.Fatal(err)
		}
		if err := sections.CheckReport(); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if seen == 0 {
		t.Fatal("no results folder")
	}
}

// The help of every verb contains an example.
func TestEveryVerbHasAnExample(t *testing.T) {
	for _, verb := range newRoot().Commands() {
		if verb.Hidden || verb.Name() == "help" || verb.Name() == "completion" {
			continue
		}
		example := verb.Example
		for _, below := range verb.Commands() {
			example += below.Example
		}
		if !strings.Contains(example, "copse "+verb.Name()) {
			t.Errorf("the field Example of the command %s has no line with `copse %s`", verb.Name(), verb.Name())
		}
	}
}
