package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/internal/toys"
)

// A dump that classify reads gives the predictions of the trial: because of the schemas, levels that look
// like numbers stay discrete.
func TestDumpsKeepTheirKinds(t *testing.T) {
	study := writeStudy(t, `study: toy
seed: 3
replicates: 1
data:
  generator: {name: chebyshev-toy}
  train: {n: 60}
  test: {n: 80}
classifiers: [tan, dcc, nb]
`)
	results, dump := filepath.Join(t.TempDir(), "toy"), t.TempDir()
	succeed(t, "run", study, "--out", results)
	records := filetest.Read(t, filepath.Join(results, "records.csv"))
	rows, err := csv.NewReader(strings.NewReader(records)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cell := rows[1][slices.Index(rows[0], "cell")]
	for _, inside := range []string{results, filepath.Join(results, "new", "deep")} {
		attempt(t, "repro", results, cell+"/1", "--dump", inside).fails(exitUsage, "is inside the results folder")
	}
	succeed(t, "repro", results, cell+"/1", "--dump", dump)
	// An unusable folder is an error before the trial runs.
	if code, out, errOut := copse("repro", results, cell+"/1", "--dump", dump); code != exitFailed || out != "" ||
		!strings.Contains(errOut, "train.csv already exists") {
		t.Errorf("a second dump: exit %d\n%s%s", code, out, errOut)
	}
	text := filetest.Read(t, filepath.Join(dump, "predictions.csv"))
	predicted, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for j, name := range predicted[0][2:5] {
		code, out, errOut := copse("classify", "--classifier", name, "--train", filepath.Join(dump, "train.csv"),
			"--test", filepath.Join(dump, "test.csv"))
		want := []string{"prediction"}
		for _, row := range predicted[1:] {
			want = append(want, row[j+2])
		}
		if got := strings.Fields(out); code != 0 || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: exit %d, %s\ngot  %q\nwant %q", name, code, errOut, got, want)
		}
		code, out, errOut = copse("classify", "--scores", "--classifier", name, "--train",
			filepath.Join(dump, "train.csv"), "--test", filepath.Join(dump, "test.csv"))
		scored, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if code != 0 || err != nil {
			t.Fatalf("%s: exit %d, %s, %v", name, code, errOut, err)
		}
		for c, column := range scored[0][1:] {
			at := slices.Index(predicted[0], name+"."+column)
			if at < 0 {
				t.Fatalf("%s: no column %s in %q", name, column, predicted[0])
			}
			for i, row := range predicted[1:] {
				if row[at] != scored[i+1][c+1] {
					t.Fatalf("%s, row %d: %s is %s, classify prints %s", name, i+1, column, row[at], scored[i+1][c+1])
				}
			}
		}
		if hasShares := slices.Contains(predicted[0], name+".p_0"); hasShares != (name != "dcc") {
			t.Errorf("%s: probabilities %v", name, hasShares)
		}
	}
}

// For a level or a class that does not occur in training, and for a decimal comma, classifiers with and
// without missing values still predict and give a note.
func TestClassifyGoesOnAfterUnseenLevels(t *testing.T) {
	dir := t.TempDir()
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	rows := "a;b;class\n"
	for _, row := range []string{"1,5;red;yes", "2,5;blue;no", "1;red;yes", "3;blue;no", "1,2;blue;yes", "2,9;red;no"} {
		rows += row + "\n"
	}
	for path, text := range map[string]string{train: rows, test: "a,b,class\n1.1,green,yes\n2.8,red,perhaps\n"} {
		filetest.Write(t, path, text)
	}
	for classifier, fate := range map[string]string{"svm-mean": "read as missing",
		"svm": "read as an additional level", "5nn --param impute=knn": "read as missing"} {
		code, out, errOut := copse(append(append([]string{"classify", "--classifier"}, strings.Fields(classifier)...),
			"--train", train, "--test", test)...)
		if code != 0 || !strings.HasPrefix(out, "prediction\nyes\n") {
			t.Errorf("%s: exit %d\n%s%s", classifier, code, out, errOut)
		}
		texttest.Case(t, classifier).Contains(errOut, `no training row has the level "green"`, fate,
			`no training row has the class "perhaps"`, "decimal mark ','")
	}
}

// Rows whose class is missing are predicted and do not count in the error rate. The flag --missing applies to
// both files.
func TestClassifyRowsWithoutClass(t *testing.T) {
	dir := t.TempDir()
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	const header, rows = "a,b,class\n", "1,1,x\n9,9,y\n2,-,x\n8,8,y\n1,2,x\n9,8,y\n"
	for text, want := range map[string]string{
		header + "2,1,\n8,9,\n":   "",
		header + "2,1,-\n8,9,x\n": "1 errors in 1 rows (100.00 %)",
		header + "2,1,x\n8,-,\n":  "0 errors in 1 rows (0.00 %)",
	} {
		for path, text := range map[string]string{train: header + rows, test: text} {
			filetest.Write(t, path, text)
		}
		out, errOut := succeed(t, "classify", "--classifier", "nb", "--train", train, "--test", test, "--missing", "-")
		if out != "prediction\nx\ny\n" || !strings.Contains(errOut, want) || want == "" && errOut != "" {
			t.Errorf("%q: %q\n%s, want %s", text, out, errOut, want)
		}
	}
}

// Impossible requests are rejected before any fit. A fit stops at its time limit.
func TestClassifyRefusals(t *testing.T) {
	dir := t.TempDir()
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	holes, three := filepath.Join(dir, "holes.csv"), filepath.Join(dir, "three.csv")
	for path, text := range map[string]string{train: "a,b,class\n1,2,x\n2,1,y\n1,3,x\n3,1,y\n",
		test: "a,b\n1,2\n2,NA\n", holes: "a,b,class\n1,2,x\n2,1,y\n1,NA,x\n3,1,y\n",
		three: "a,class\n1,x\n2,y\n3,z\n"} {
		filetest.Write(t, path, text)
	}
	for flags, want := range map[string]string{
		"--test " + test:                                         "lda: " + test + `: row 3, column "b":`,
		"--test " + train + " --train " + holes:                  "lda: " + holes + `: row 4, column "b":`,
		"--discrete a --test " + train:                           "use `--param 'prepare=[{encode: dummy}]'`",
		"--classifier slb --test " + three + " --train " + three: "use `--param 'multiclass=ovo'`",
		"--test " + train + ` --param weights={"z":2}`:           `--param: lda.weights: the data have no class "z"`,
		"--test " + train + " --param discrete=[z]":              `--param: lda.discrete: "z" is not an attribute`,
		"--test " + train + " --time-limit -1s":                  "--time-limit -1s: the time limit must be positive",
		"--test " + train + " --time-limit 1ns":                  "lda: the fit took longer than `--time-limit 1ns`",
	} {
		args := append([]string{"classify", "--classifier", "lda", "--train", train}, strings.Fields(flags)...)
		if code, _, errOut := copse(args...); code == 0 || !strings.Contains(errOut, want) {
			t.Errorf("%s: exit %d, %q; want %q", flags, code, errOut, want)
		}
	}
}

// A text column that identifies the rows and a first line that may be a row cause warnings, unless the column is
// declared or left out.
func TestClassifyWarnsAboutColumns(t *testing.T) {
	dir := t.TempDir()
	named, headless := "name,x,class\n", "0.5,7.25,no\n"
	for i := range 12 {
		named += fmt.Sprintf("case %d,%d,%d\n", i, i*i%5, i%2)
		headless += fmt.Sprintf("%d.5,%d,%s\n", i*i%5, i, []string{"no", "yes"}[i%2])
	}
	const identifies = `column "name" has a different text in each of 12 rows, such as "case 0": remove the ` +
		"column with `--drop`"
	for _, c := range []struct{ text, flag, want string }{
		{named, "", identifies},
		{named, "--discrete name", ""},
		{named, "--drop name", ""},
		{headless, "", `the names of all numeric columns are numbers, such as "0.5": if the first line is a row`},
	} {
		path := filepath.Join(dir, "t.csv")
		filetest.Write(t, path, c.text)
		args := append([]string{"classify", "--classifier", "nb", "--train", path, "--test", path},
			strings.Fields(c.flag)...)
		classify := attempt(t, args...).logs(c.want)
		if c.want == "" {
			classify.lacks("warning")
		}
	}
}

// Probabilities are printed beside the prediction, sum to one and are largest there; for a classifier without
// probabilities, the error names the way to get them.
func TestClassifyProbabilities(t *testing.T) {
	dir := t.TempDir()
	succeed(t, "generate", "--generator", "forest", "--param", "d=3", "--train", "30,30", "--test",
		"20,20", "--out", dir)
	ask := func(more ...string) (int, string, string) {
		return copse(append([]string{"classify", "--probabilities", "--train", filepath.Join(dir, "train.csv"),
			"--test", filepath.Join(dir, "test.csv")}, more...)...)
	}
	for _, classifier := range [][]string{{"--classifier", "nb"}, {"--classifier", "svm", "--param",
		"probabilities=platt", "--param", "labels=calibrated"}} {
		code, out, errOut := ask(classifier...)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if code != 0 || err != nil || strings.Join(rows[0], " ") != "prediction p_0 p_1" || len(rows) != 41 {
			t.Fatalf("%v: exit %d, %v, %s%s", classifier, code, err, out, errOut)
		}
		for _, row := range rows[1:] {
			p0, _ := strconv.ParseFloat(row[1], 64)
			p1, _ := strconv.ParseFloat(row[2], 64)
			if math.Abs(p0+p1-1) > 1e-12 || (row[0] == "1") != (p1 > p0) {
				t.Errorf("%v: %v", classifier, row)
			}
		}
	}
	if code, _, errOut := ask("--classifier", "svm"); code != 2 ||
		!strings.Contains(errOut, "--param probabilities=platt") {
		t.Errorf("without probabilities: exit %d, %s", code, errOut)
	}
}

// A further column of the test file is not taken for the class column, so that it gives no error rate.
func TestClassifyIgnoresFurtherColumns(t *testing.T) {
	dir := t.TempDir()
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	for file, text := range map[string]string{
		train: "a,b,class\n1,2,x\n2,1,x\n3,2,x\n7,8,y\n8,7,y\n9,8,y\n", test: "guess,b,a\ny,2,1\n",
	} {
		filetest.Write(t, file, text)
	}
	classify := attempt(t, "classify", "--classifier", "lda", "--train", train, "--test", test)
	classify.logs(`the column "guess" is ignored, because the training set does not have it`).lacks("errors in")
	if classify.out != "prediction\nx\n" {
		t.Error(classify.out)
	}
}

// If the data of a trial are not available, repro and verify state that they compared nothing.
func TestReproWithoutData(t *testing.T) {
	csv := filepath.Join(t.TempDir(), "rows.csv")
	rows := "x,class\n" + strings.Repeat("1.5,a\n2.5,b\n1.25,a\n2.75,b\n", 5)
	filetest.Write(t, csv, rows)
	file := writeStudy(t, "study: gone\nseed: 1\ndata: {csv: "+csv+", folds: 2}\nclassifiers: [lda]\n")
	dir := filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir)
	cell := toys.Records(t, dir).Rows[0].Cell
	filetest.Remove(t, csv)
	attempt(t, "repro", dir, cell+"/1").finds("data: not compared: cannot be read again")
	attempt(t, "verify", dir, "--sample", "2", "--seed", "1").finds(
		"recomputed: not checked (2 of 2 trials, chosen with seed 1; ",
		"; results that cannot be computed on this computer: 2)",
		"\n  not checked: data: cannot be read again: ")
}
