package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"copse/experiments/run"
	"copse/internal/filetest"
	"copse/internal/texttest"
)

// The kind of a column follows from its values, so check prints it. Here an undeclared mark of missing values
// makes a numeric column discrete.
func TestCheckPrintsHowFilesAreRead(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString(`"age (years)";"dose, mg";stage;"outcome"` + "\n")
	for range 10 {
		text.WriteString("41,5;1,5;i;\"better, stable\"\n;-;ii;worse\n38,0;2,5;iii;\"better, stable\"\n")
	}
	filetest.Write(t, "own.csv", text.String())
	file := writeStudy(t, `study: own
seed: 1
design: {lost: {none: 0, some: 0.1}}
data: {csv: own.csv, folds: 5, repeats: 1, missing: {mcar: $lost, where: both}}
classifiers: [{classifier: rf, impute: mean}]
`)
	code, out, errOut := copse("check", file, "--pilot", "0s", "--details")
	for _, want := range []string{`own.csv: 30 rows, classes "better, stable" (20), "worse" (10)`,
		`numeric: "age (years)" (10 missing)`,
		`discrete: "dose, mg" (3 levels), "stage" (3 levels)`, "missing={mcar=0.1 where=both}"} {
		if code != 0 || strings.Count(out, want) != 1 {
			t.Errorf("exit code %d; check does not print once: %s\n%s%s", code, want, out, errOut)
		}
	}
	if err := os.Rename("own.csv", filepath.Join(filepath.Dir(file), "own.csv")); err != nil {
		t.Fatal(err)
	}
	beside, here := filepath.ToSlash(filepath.Join(filepath.Dir(file), "own.csv")),
		func() string { dir, _ := os.Getwd(); return dir }
	const rule = "; paths are relative to the working directory of copse, "
	for _, want := range []string{rule + here() +
		"; the file is in the folder of the study file, so give the path `" + beside, rule + here() +
		"; it is not in the folder of the study file either, " + filepath.FromSlash(beside)} {
		attempt(t, "check", file).fails(exitUsage, want)
		os.Remove(filepath.FromSlash(beside))
	}
	t.Chdir(filepath.Dir(file))
	attempt(t, "check", "study.yaml").fails(exitUsage, rule+here()+"\n")
}

// If a design reads a file with different columns, check describes each way to read it under its levels.
func TestCheckNamesWaysToReadAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	filetest.Write(t, "own.csv", "x,y,class\n"+strings.Repeat("1,2,a\n2,5,b\n3,3,a\n4,9,b\n", 5))
	const study = `
study: ways
seed: 1
design: {columns: {both: {drop: []}, one: {drop: [y]}}, noise: [0, 0.1]}
data: {csv: own.csv, drop: $columns.drop, folds: 2, flip: $noise}
classifiers: [nb]
`
	filetest.Write(t, "study.yaml", study)
	const both, one = "  columns=both, noise=0:\n  own.csv: 20 rows", "  columns=one, noise=0:\n  own.csv: 20 rows"
	attempt(t, "check", "study.yaml", "--pilot", "0s").prints(both, one)
	filetest.Write(t, "study.yaml", strings.Replace(study, "{drop: [y]}", "{drop: []}", 1))
	texttest.Lacks(t, attempt(t, "check", "study.yaml", "--pilot", "0s").out, "noise=0:\n")
}

// check remarks on figures that are too large for paper or for reading, with a remedy. If the study follows
// the remedy, there is no remark.
func TestCheckRemarksOnFigures(t *testing.T) {
	study := func(figure string) string {
		return `
study: many
seed: 1
replicates: 2
design:
  d: [2, 3, 4, 5]
  n: [20, 30, 40, 50]
  noise: [0, 1, 2]
data: {generator: {name: forest, d: $d}, train: {n: $n}, test: {n: 10}, irrelevant: $noise}
classifiers: [nb, tan, lu, 5nn, svm, rf, lda, qda, mpm, cnc, dcc, logistic, oracle]
report: {figures: [` + figure + `]}
`
	}
	for figure, want := range map[string]string{
		`{name: high, panel: [d, n, noise], columns: [nb, rf], per_row: 1}`:         "figure high: the figure is ",
		`{name: high, panel: [d], page: [n, noise], columns: [nb, rf], per_row: 1}`: "",
		`{name: many, kind: nested, panel: [d, noise]}`: "remark: figure many: each " +
			"panel has 12 classifiers, but readers can distinguish only 7",
		`{name: narrow, kind: nested, width: column, columns: [nb, rf]}`: "remark: figure narrow: the " +
			"steps are too narrow for error bars",
		`{name: narrow, kind: nested, panel: [d], columns: [nb, rf]}`: "",
	} {
		check := attempt(t, "check", writeStudy(t, study(figure)), "--pilot", "0s").prints(want)
		if want == "" {
			check.lacks("remark: figure")
		}
	}
}

// Columns that look like dates or identifiers, and classes that look mistyped or have fewer rows than folds,
// get a remark. Other files do not. Run prints the remarks, too, and the page shows them.
func TestCheckRemarksOnFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	odd, plain := "case,date,x,one,two,far,class\n", "x,letter,class\n"
	for i := range 30 {
		class := []string{"ill", "well"}[i%2]
		plain += fmt.Sprintf("%d,%c,%s\n", i*i, 'a'+i%11, class)
		if i == 7 {
			class = "Well"
		}
		far := i * i
		if i == 3 {
			far = -1e9
		}
		odd += fmt.Sprintf("%d,2026-01-%02d,%d,5,%d,%d,%s\n", 101+i, max(i, 1), i*i, i%2, far, class)
	}
	for name, text := range map[string]string{"odd.csv": strings.ReplaceAll(odd, ",", ";"), "plain.csv": plain} {
		filetest.Write(t, name, text)
	}
	study := "study: own\nseed: 1\ndata: {csv: odd.csv, folds: 5, repeats: 1}\nclassifiers: [rf]\n"
	attempt(t, "check", writeStudy(t, study), "--pilot", "0s").prints(`remark: odd.csv: read with the separator ';'`,
		`remark: "case" numbers the rows`, `remark: "date" has 29 levels in 30 rows`,
		`remark: class "Well" has fewer rows (1) than there are folds (5)`, `if it is a misspelling of "well", join`,
		`remark: "far" has the value -1e+09, but half of its values lie between `,
		`remark: columns with the same value in all rows: "one"`, `remark: numeric columns with two values: "two"; if`,
		`remark: classes "Well" and "well" differ in upper and lower case only`)
	dir := filepath.Join(t.TempDir(), "own")
	_, errOut := succeed(t, "run", writeStudy(t, study), "--out", dir)
	for _, want := range []string{`remark: odd.csv: read with the separator ';'`,
		`remark: odd.csv: "date" has 29 levels in 30 rows`} {
		if strings.Count(errOut, want) != 1 {
			t.Errorf("run does not print once: %s\n%s", want, errOut)
		}
	}
	const shown = "<dt>remarks on odd.csv</dt>"
	page := filetest.Read(t, filepath.Join(dir, "report.html"))
	texttest.Contains(t, page, shown)
	filetest.Remove(t, "odd.csv")
	succeed(t, "report", dir)
	if filetest.Read(t, filepath.Join(dir, "report.html")) != page {
		t.Error("without the data, the page differs")
	}
	file := writeStudy(t, strings.Replace(study, "odd.csv", "plain.csv", 1))
	attempt(t, "check", file, "--pilot", "0s").prints().lacks("remark")
}

// A first line that may be a row, single quotes, a column of one text, two names of one number, and a 0 far from
// all other values get a remark. Columns that pandas numbered do not.
func TestCheckRemarksOnHeadersAndQuotes(t *testing.T) {
	t.Chdir(t.TempDir())
	headless, quoted, numbered, twice := "0.095,1.25,g,no\n", "x,y,f,class\n", "0,1,2,3\n", "x,colour,class\n"
	zero := "x,class\n0,no\n"
	for i := range 30 {
		row := fmt.Sprintf("%d.5,%d,%c,", i*i, i%7, 'a'+i%11)
		headless += row + []string{"no", "yes"}[i%2] + "\n"
		quoted += row + []string{"'no'", "'yes'"}[i%2] + "\n"
		numbered += row + []string{"no", "yes"}[i%2] + "\n"
		zero += fmt.Sprintf("%d,%s\n", 1e6+i*i%100, []string{"no", "yes"}[i%2])
		twice += fmt.Sprintf("%d,red,%s\n", i*i, []string{"2", "1", "2.0"}[i%3])
	}
	// Lines without a header: the first line repeats a class or a level.
	lines := strings.Repeat("1,red,s,no\n2,blue,t,yes\n4,red,u,yes\n", 10)
	for text, want := range map[string]string{
		"7,hot,w,yes\n" + lines:    `remark: "yes" is the name of the class column and of a class: if the first line`,
		"7,blue,w,class\n" + lines: `remark: "blue" is the name of a column and one of its levels: if the first line`,
		"1,2,3,4\n" + lines:        "",
		headless:                   `remark: the names of all numeric columns are numbers, such as "0.095": if`,
		quoted:                     `remark: the single quotes are part of the class name "'no'"`,
		numbered:                   "",
		zero:                       `remark: "x" has the value 0, but half of its values lie between 1.0`,
		twice: `remark: columns with the same value in all rows: "colour"` + "\n    " +
			`remark: classes "2" and "2.0" are the same number: if they are one class, join them with merge`,
	} {
		filetest.Write(t, "own.csv", text)
		study := writeStudy(t, "study: own\nseed: 1\ndata: {csv: own.csv, folds: 5, repeats: 1}\nclassifiers: [rf]\n")
		check := attempt(t, "check", study, "--pilot", "0s").prints(want)
		if want == "" {
			check.lacks("remark")
		}
	}
}

// check lists a training file and its official test file with the rows of each, remarks on classifiers
// without the class probabilities of a metric, and rejects a class that occurs only in the test file.
func TestCheckReadsOfficialTestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{
		"train.csv": "x,y,class\n" + strings.Repeat("1,2,a\n2,1,b\n2,2,a\n", 10),
		"test.csv":  "x,y,class\n" + strings.Repeat("1,2,a\n2,1,b\n", 5),
		"more.csv":  "x,y,class\n" + strings.Repeat("1,2,a\n2,1,c\n", 5),
		"part.csv":  "x,part,class\n" + strings.Repeat("1,train,a\n2,train,b\n3,test,a\n4,test,c\n", 5),
	}
	for name, text := range files {
		filetest.Write(t, name, text)
	}
	text := "study: official\nseed: 1\nreplicates: 1\ndata: {csv: train.csv, test: {csv: test.csv}}\n" +
		"classifiers: [lda, svm, slb, {classifier: svm, id: platt, probabilities: platt}]\nmetrics: [auc, log_loss]\n"
	attempt(t, "check", writeStudy(t, text), "--pilot", "0s").prints(`train.csv: 30 rows, classes "a" (20), "b" (10)`,
		`test.csv: 10 rows, classes "a" (5), "b" (5)`,
		"remark: log_loss needs class probabilities, but these classifiers do not return them: svm, slb; "+
			"add `probabilities: platt`\n")
	const column = "csv: part.csv, split: part"
	for data, want := range map[string]string{
		"csv: train.csv, test: {csv: more.csv}": `data.test: more.csv: class "c" has test rows (5) but no training row`,
		column:                                  `data.split: part.csv: class "c" has test rows (5) but no training`,
		column + ", rows: [class != c]":         "",
	} {
		text := strings.Replace(text, "csv: train.csv, test: {csv: test.csv}", data, 1)
		code, out, errOut := copse("check", writeStudy(t, text), "--pilot", "0s")
		sizes := "  training part of part.csv: 10 rows, classes \"a\" (5), \"b\" (5)\n" +
			"  test part of part.csv: 5 rows, classes \"a\" (5), \"b\" (0)\n"
		if isRefused := code == 2 && strings.Contains(errOut, want); isRefused != (want != "") ||
			want == "" && !strings.Contains(out, sizes) {
			t.Errorf("%s: exit code %d, want %s\n%s%s", data, code, want, out, errOut)
		}
	}
}

// Labels for levels that the study does not have, including levels removed by --set, get a remark but are not
// an error.
func TestCheckRemarksOnLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	study := writeStudy(t, "study: words\nseed: 1\nreplicates: 2\ndesign: {n: [60, 120]}\ndata:\n  generator: {name: "+
		"forest, d: 3}\n  train: {n: $n}\n  test: {n: 20}\nclassifiers: [nb]\n"+
		"report:\n  labels: {n: rows, n=60: sixty, n=120: more, n=12O: most}\n")
	const mistyped, gone = `report.labels.n=12O has no effect: the factor n has no level "12O"; did you mean "120"?`,
		`report.labels.n=120 has no effect`
	for set, want := range map[string]bool{"design.n=60,120": false, "design.n=60": true} {
		check := attempt(t, "check", study, "--pilot", "0s", "--set", set).prints(`has no level "12O"`)
		check.lacks("n=60 has no effect")
		texttest.Case(t, set).ContainsIf(want, check.out, gone)
		if !want {
			check.prints(mistyped)
		}
	}
}

// If a factor varies a parameter of a classifier, check lists its recipes, and the protocol lists all values.
// A label that names a parameter shows its value.
func TestVariedParametersAreNamed(t *testing.T) {
	text := `study: varied
seed: 1
replicates: 4
design: {k: [1, 5], fill: {by-mean: mean, by-median: median}}
data:
  generator: {name: forest, d: 4}
  train: {n: 40}
  test: {n: 50}
  missing: {mcar: 0.1, where: both}
classifiers: [{classifier: knn, k: $k, impute: $fill}, {classifier: rf, impute: mean}]
`
	for _, c := range []struct{ text, check, protocol string }{
		{text, "  knn            knn/1{k=1}+impute=mean\n  knn            knn/1{k=1}+impute=median\n  " +
			"knn            knn/1{}+impute=mean\n",
			"- k-NN (knn, version 1). K nearest neighbours by Euclidean distance. " +
				"Fix and Hodges (1951); R's FNN::knn. " +
				"Parameters: k = 1 or 5, standardise = true (default), impute = mean or median."},
		{strings.Replace(text, "[1, 5]", "[1]", 1), "  knn            knn/1{k=1}+impute=mean\n",
			"- 1-NN (knn, version 1). K nearest neighbours by Euclidean distance. " +
				"Fix and Hodges (1951); R's FNN::knn. " +
				"Parameters: k = 1, standardise = true (default), impute = mean or median."},
	} {
		file := writeStudy(t, c.text)
		attempt(t, "check", file, "--pilot", "0", "--details").prints(c.check)
		attempt(t, "protocol", file).prints(c.protocol)
	}
}

// The page describes the splits and the preparation of all cells. It separates noise in all cells from noise in
// some of them.
func TestPageDescribesSplitsAndNoise(t *testing.T) {
	file, dir := writeStudy(t, `study: noisy
seed: 1
replicates: 4
design: {m: {none: {mcar: 0}, some: {mcar: 0.1, where: both}}}
data: {set: iris, holdout: 0.3, random: true, subsample: 100, missing: $m, flip: 0.05}
classifiers: [{classifier: 5nn, impute: mean}, {classifier: rf, impute: mean}]
`), filepath.Join(t.TempDir(), "noisy")
	succeed(t, "run", file, "--out", dir)
	page := filetest.Read(t, filepath.Join(dir, "report.html"))
	texttest.Contains(t, page, "<dt>split</dt><dd>holdout of 0.3, not stratified, of 100 rows drawn first</dd>",
		"<dt>noise</dt><dd>each training label is replaced by another class with probability 0.05; "+
			"depending on the cell: each training and test value is missing with probability 0.1</dd>")
}

// Two classifiers with the same label get a remark, because their columns would have the same head.
func TestCheckRemarksOnEqualLabels(t *testing.T) {
	for classifiers, want := range map[string]bool{
		"[{id: a, classifier: rf, label: RF}, lda, {classifier: rf, label: RF}]": true,
		"[{id: a, classifier: rf, label: RF}, lda, rf]":                          false,
		"[{id: a, classifier: rf}, lda, rf]":                                     false,
	} {
		study := writeStudy(t, "study: heads\nseed: 1\nreplicates: 2\ndata:\n  generator: {name: forest, d: 3}\n  "+
			"train: {n: 20}\n  test: {n: 20}\nclassifiers: "+classifiers+"\n")
		out, _ := succeed(t, "check", study, "--pilot", "0s")
		texttest.Case(t, classifiers).ContainsIf(want, out,
			"remark: classifiers a and rf have the same label RF; give one of them another label")
	}
}

// The cost of classifiers without times is unknown. Memory for reading is printed only if it is large.
func TestUnknownCostAndReadingMemory(t *testing.T) {
	var out strings.Builder
	printCost(&out, &run.Estimate{Cells: 1, Unknown: []string{"lda", "rf"}})
	printReadingMemory(&out, 30<<20)
	printReadingMemory(&out, 900<<20)
	const want = "cost: unknown for these classifiers: lda, rf; only built-in classifiers get trial fits; " +
		"try a longer `--pilot`\n" +
		"memory: 944 MB for reading the study and its data, once for all workers (measured)\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// If a classifier fails in every cell, check exits with code 1, as run does, and does not suggest other
// cells.
func TestCheckFindsClassifiersThatAlwaysFail(t *testing.T) {
	study := writeStudy(t, "study: fails\nseed: 1\nreplicates: 2\ndesign: {n: [40, 80]}\n"+
		"data: {generator: {name: forest, d: 5}, train: {n: $n}, test: {n: 20}}\n"+
		"classifiers: [lda, {classifier: rf, mtry: 50}]\n")
	const message = "rf failed at n=40: rf: mtry is 50, but the training set has 5 columns"
	check := attempt(t, "check", study)
	check.finds("pilot: "+message,
		"\n  every trial fit of this classifier failed; correct its parameters or the data\n")
	texttest.Lacks(t, check.out, "only")
	attempt(t, "check", study, "--json").finds(`{"type":"message","level":"warning","text":"` + message)
	attempt(t, "check", study, "--set", "classifiers.rf.mtry=2").prints("cost: ")
}

// If the pilot cannot draw the data of any cell, check prints the reason once and exits with code 1, as run does.
func TestCheckFindsDrawsThatAlwaysFail(t *testing.T) {
	study := writeStudy(t, "study: fails\nseed: 1\nreplicates: 2\ndesign: {p: [9, 10]}\n"+
		"data: {generator: {name: polybeta, d: 60, p_min: $p, p_max: 10, a_max: 500, max_redraws: 0}, "+
		"train: {n: 40}, test: {n: 20}}\nclassifiers: [lda, nb]\n")
	check := attempt(t, "check", study)
	check.finds("pilot: drawing the data failed at p=", ": polybeta: found no usable problem: ",
		"\n  without data, all fits of a trial fail; correct the section `data`\n")
	if strings.Count(check.out, "\npilot: ") != 1 {
		t.Errorf("want one failure:\n%s", check.out)
	}
}

// The pilot's failed fits are reported with the cell, the reason and a remedy, once for
// each classifier, before anything runs.
func TestCheckReportsFailedFits(t *testing.T) {
	study := writeStudy(t, "study: fails\nseed: 1\nreplicates: 2\ndesign: {n: [20, 60]}\n"+
		"data: {generator: {name: forest, d: 3}, train: {n: $n}, test: {n: 20}}\n"+
		"classifiers: [lda, {id: far, classifier: 5nn, k: 30}, {id: few, classifier: lda, prepare: [{pca: 2}]}]\n")
	out, _ := succeed(t, "check", study)
	want := "pilot: far failed at n=20: 5nn: k is 30, but the training set has only 20 rows: choose a smaller k\n" +
		"  limit the classifier"
	if !strings.Contains(out, want) || strings.Count(out, "\npilot: ") != 1 {
		t.Errorf("want one remark, %q:\n%s", want, out)
	}
	for message, want := range map[string]string{
		"lda: takes numeric attributes only, \"x1\" is discrete":  "set prepare: [{encode: dummy}]",
		"svm: row 2, column \"x1\": missing value (NaN)":          "set prepare: [{impute: median}]",
		"slb: takes at most 2 classes, the training set has 3":    "set multiclass: ovo",
		"time limit of 1s exceeded":                               "set a longer time_limit",
		"lda: \"x1\" is discrete: prepare: [{encode: dummy}]":     "limit the classifier to other cells",
		"qda: class \"a\" has 3 rows, fewer than the 5 variables": "limit the classifier to other cells",
	} {
		if got := remedyOf(run.FailedFit{ID: "svm", Message: message}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}

// Cells without the nested factor have a column of their own.
func TestCheckGridOfNestedDesign(t *testing.T) {
	file := writeStudy(t, `study: nested
seed: 3
replicates: 4
design:
  family: {forest: {name: forest, d: 6}, network: {name: bayesnet, d: 6, common_nodes: $common}}
  n: [100, 200]
nested: [{under: {family: network}, design: {common: {none: 0, some: 3}}}]
data: {generator: $family, train: {n: $n}, test: {n: 300}}
classifiers: [nb, lda]
`)
	_, out, _ := copse("check", file, "--pilot", "0s")
	grid := regexp.MustCompile(`\n +family +n +no common +common=none +common=some
 +forest +100 +8 +- +-
 +forest +200 +8 +- +-
 +network +100 +- +8 +8
 +network +200 +- +8 +8
`)
	if !grid.MatchString(out) {
		t.Errorf("no grid with a column for cells without the nested factor:\n%s", out)
	}
}

// Without problems check fits a screen: a grid of factors, short names, one line each for memory and cost. --details
// names the cells, recipes and results.
func TestCheckFitsScreen(t *testing.T) {
	twice := strings.NewReplacer("n: [30, 60]", "n: [30, 60], d: [4, 5]", "d: 4}", "d: $d}")
	file := writeStudy(t, twice.Replace(smallStudy))
	code, out, errOut := copse("check", file, "--pilot", "1s")
	if lines := strings.Count(out, "\n"); code != 0 || errOut != "" || lines > 24 {
		t.Errorf("exit %d, %d lines:\n%s%s", code, lines, out, errOut)
	}
	grid := regexp.MustCompile(`(?m)^results to run:\n +n +d=4 +d=5\n +30 +12 +12\n +60 +12 +12\n`)
	if !grid.MatchString(out) || strings.Contains(out, "new cell)") {
		t.Errorf("no grid of cells:\n%s", out)
	}
	if _, out, _ = copse("check", file, "--pilot", "0", "--details"); strings.Count(out, "new cell)") != 4 ||
		!strings.Contains(out, "\nrecipes:\n  5nn  ") {
		t.Errorf("details:\n%s", out)
	}
}
