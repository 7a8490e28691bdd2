package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/internal/toys"
)

const keepingStudy = `study: keeping
seed: 6
replicates: 3
predictions: keep
design: {n: [40, 60]}
data: {generator: {name: forest, d: 4}, train: {n: $n}, test: {n: 50}}
classifiers: [lda, 5nn, svm, oracle]
report: {tables: [{name: t, rows: [n]}]}
`

// A metric that is added later is computed from kept predictions without new fits. It has the same values as
// if it was requested from the start.
func TestPredictionsServeLaterMetrics(t *testing.T) {
	asking := strings.Replace(keepingStudy, "predictions: keep",
		"metrics: [auc, log_loss, brier, \"average_precision:1\"]", 1)
	first, later := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "later")
	succeed(t, "run", writeStudy(t, asking), "--out", first)
	succeed(t, "run", writeStudy(t, keepingStudy), "--out", later, "-j", "2")
	texttest.Lacks(t, filetest.Read(t, filepath.Join(later, "records.csv")), "auc")
	both := strings.Replace(keepingStudy, "predictions: keep",
		"predictions: keep\nmetrics: [auc, log_loss, brier, \"average_precision:1\"]", 1)
	code, out, errOut := copse("run", writeStudy(t, both), "--out", later)
	if code != 0 || strings.Contains(out+errOut, "trials done") {
		t.Fatalf("exit %d, or fitted again\n%s%s", code, out, errOut)
	}
	if got, want := filetest.Read(t, filepath.Join(later, "records.csv")),
		filetest.Read(t, filepath.Join(first, "records.csv")); got != want {
		t.Errorf("added later:\n%s\nfrom the start:\n%s", got, want)
	}
	attempt(t, "verify", later, "--sample", "2").prints("checksums of 2 files")
}

// Exported predictions of files have the levels of the cell, the place of each row and the names of the classes.
// If a factor has the name of a column, the column gets another name.
func TestPredictionsOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	text, classOf := "x,y\n", map[string]string{} // classOf is keyed by the row in the file
	for i := range 60 {
		class := "uvw"[i%3 : i%3+1]
		text += fmt.Sprintf("%d,%s\n", i*i%17, class)
		classOf[strconv.Itoa(i+2)] = class
	}
	filetest.Write(t, "d.csv", text)
	file := writeStudy(t, "study: named\nseed: 1\ndesign: {row: [0.1, 0.2]}\n"+
		"data: {csv: d.csv, folds: 3, rows: [x != 0], missing: {mcar: $row}}\nclassifiers: [nb]\npredictions: keep\n")
	succeed(t, "run", file, "--out", "named")
	for range 2 { // the second call replaces the file
		succeed(t, "export", "named", "--predictions", "--out", "named.csv")
	}
	out, _ := succeed(t, "export", "named", "--predictions")
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	const header = "cell,row,replicate,classifier,predictions.row,data_file,file_row,truth,label,truth_class"
	if err != nil || strings.Join(lines[0][:10], ",") != header {
		t.Fatalf("header %q, %v", lines[0], err)
	}
	rows := map[string]bool{}
	for _, line := range lines[1:] {
		truth, err := strconv.Atoi(line[7])
		if err != nil || line[9] != "uvw"[truth:truth+1] || line[9] != classOf[line[6]] || line[5] != "d.csv" {
			t.Fatalf("%q", line)
		}
		rows[line[1]+","+line[6]] = true
	}
	if kept := 60 - 4; len(lines) != 1+2*kept || len(rows) != 2*kept { // x is 0 in rows 0, 17, 34 and 51
		t.Errorf("%d lines, %d different rows", len(lines), len(rows))
	}
	filetest.Remove(t, "d.csv")
	attempt(t, "export", "named", "--predictions").prints(",0.2,1,nb,1,NA,NA,")
}

func TestPredictionsExport(t *testing.T) {
	file, dir := writeStudy(t, keepingStudy), filepath.Join(t.TempDir(), "kept")
	for _, shard := range []string{"2/2", "1/2"} {
		succeed(t, "run", file, "--out", dir, "--shard", shard)
	}
	succeed(t, "report", dir)
	code, out, errOut := copse("export", dir, "--predictions")
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != 0 || err != nil || len(lines) != 1+2*3*4*50 {
		t.Fatalf("exit %d, %d lines, %v\n%s", code, len(lines), err, errOut)
	}
	if head := strings.Join(lines[0],
		","); head != "cell,n,replicate,classifier,row,data_file,file_row,truth,label,truth_class,label_class,"+
		"score_0,score_1,p_0,p_1" {
		t.Errorf("header %s", head)
	}
	wrong := map[string]int{}
	for _, line := range lines[1:] {
		if line[7] != line[8] {
			wrong[line[0]+","+line[2]+","+line[3]]++
		}
		if line[9] != line[7] || line[10] != line[8] || line[5]+line[6] != "NANA" { // generated data
			t.Fatalf("classes or place of %q", line)
		}
		if (line[13] == "NA") != (line[3] == "svm") {
			t.Fatalf("probabilities of %q", line)
		}
	}
	records, err := csv.NewReader(strings.NewReader(filetest.Read(t, filepath.Join(dir, "records.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] { // study,cell,n,replicate,classifier,status,n_test,errors
		if key := r[1] + "," + r[3] + "," + r[4]; r[7] != strconv.Itoa(wrong[key]) {
			t.Errorf("%s: %d wrong predictions, %s errors", key, wrong[key], r[7])
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "predictions", "*.csv.gz"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	filetest.Write(t, files[0], "damaged")
	attempt(t, "verify", dir, "--sample", "0").finds("has the SHA-256")
	attempt(t, "export", dir, "--predictions").fails(exitFailed, filepath.Base(files[0]))
}

// Curves are drawn from the kept predictions of a folder, also if shards wrote them. Without predictions, the
// report states which figure is missing and why, and contains everything else.
func TestCurvesOfKeptPredictions(t *testing.T) {
	study := strings.Replace(keepingStudy, "rows: [n]}]", "rows: [n]}], figures: [{name: box}, {name: roc, kind: "+
		"roc}, {name: rel, kind: reliability, page: [n]}], formats: [svg]", 1)
	file, dir := writeStudy(t, study), filepath.Join(t.TempDir(), "kept")
	for _, shard := range []string{"2/2", "1/2"} {
		succeed(t, "run", file, "--out", dir, "--shard", shard)
	}
	succeed(t, "report", dir)
	names := []string{"roc.svg", "rel-40.svg", "rel-60.svg"}
	figure := func(name string) string { return filetest.Read(t, filepath.Join(dir, "figures", name)) }
	first := map[string]string{}
	for _, name := range names {
		first[name] = figure(name)
		texttest.Contains(t, filetest.Read(t, filepath.Join(dir, "outputs.sha256")), "figures/"+name)
	}
	for name, want := range map[string]string{"roc.svg": "area below the curve",
		"rel-40.svg": "Left out, because they return no class probabilities: SVM."} {
		texttest.Case(t, name).Contains(first[name], want)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	succeed(t, "run", file, "--out", whole)
	for _, name := range names {
		if filetest.Read(t, filepath.Join(whole, "figures", name)) != first[name] {
			t.Errorf("%s of one run differs from that of shards", name)
		}
	}
	filetest.Remove(t, filepath.Join(dir, "predictions"))
	code, out, errOut := copse("report", dir)
	if want := "report.figures[1].kind: the predictions folder beside the records contains no predictions for " +
		"this figure"; code != exitFailed || !strings.Contains(errOut, want) ||
		!strings.Contains(out, "figures/box.svg") {
		t.Errorf("exit %d, want %q\n%s%s", code, want, out, errOut)
	}
	texttest.Contains(t, filetest.Read(t, filepath.Join(dir, "report.html")), "contains no predictions for this figure")
	const missing = "24 results: stored without predictions, which the study now requires"
	for _, args := range [][]string{{"verify", dir, "--sample", "0"}, {"check", file, "--out", dir, "--pilot", "0s"}} {
		_, out, _ := copse(args...)
		texttest.Case(t, args).Contains(out, missing)
	}
	succeed(t, "run", file, "--out", dir) // runs the fits again
	for _, name := range names {
		if figure(name) != first[name] {
			t.Errorf("%s differs after the fits ran again", name)
		}
	}
	succeed(t, "verify", dir, "--sample", "0")
}

// Folders of shards that ran or were reported again can be copied into one folder without losing predictions.
// Curves, exports and later metrics of a single shard use the predictions that it has.
func TestCopiedShardsKeepPredictions(t *testing.T) {
	study := strings.Replace(keepingStudy, "rows: [n]}]", "rows: [n]}], figures: [{name: roc, kind: roc}]", 1)
	file, whole := writeStudy(t, study), filepath.Join(t.TempDir(), "whole")
	succeed(t, "run", file, "--out", whole)
	want, _ := succeed(t, "export", whole, "--predictions")
	merged, exported := filepath.Join(t.TempDir(), "merged"), 0
	for _, shard := range []string{"1/2", "2/2"} {
		dir := filepath.Join(t.TempDir(), "shard")
		run := []string{"run", file, "--out", dir, "--shard", shard}
		succeed(t, run...)
		succeed(t, run...)
		attempt(t, "report", dir).prints().lacks("curves omit")
		part, _ := succeed(t, "export", dir, "--predictions")
		exported += strings.Count(part, "\n") - 1 // without the header
		if err := os.CopyFS(merged, overwriting(t, merged, dir)); err != nil {
			t.Fatal(err)
		}
		added := strings.Replace(study, "predictions: keep", "predictions: keep\nmetrics: [auc]", 1)
		attempt(t, "run", writeStudy(t, added), "--out", dir, "--shard", shard).logs(
			"computed missing metrics of 12 results")
	}
	if lines := strings.Count(want, "\n") - 1; exported != lines {
		t.Errorf("the shards exported %d lines, want %d", exported, lines)
	}
	succeed(t, "status", merged)
	succeed(t, "report", merged)
	if got, _ := succeed(t, "export", merged, "--predictions"); got != want {
		t.Error("merged shards have other predictions than a single run")
	}
	sameOutputs(t, outputs(t, merged), outputs(t, whole))
	succeed(t, "verify", merged, "--sample", "0")
}

// If a study keeps predictions and some results have none, because only the journals of a shard were copied or
// the key was added later, check, status, verify, report and export state so, and run computes these results
// again. If a file of predictions was deleted, the fits of its cell run again.
func TestLackingPredictionsRunAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: runs ten studies")
	}
	for _, metrics := range []string{"", "metrics: [auc]\n"} {
		file, dir := writeStudy(t, metrics+keepingStudy), filepath.Join(t.TempDir(), "kept")
		plain := writeStudy(t, metrics+strings.Replace(keepingStudy, "predictions: keep\n", "", 1))
		succeed(t, "run", plain, "--out", dir)
		records := filetest.Read(t, filepath.Join(dir, "records.csv"))
		// The study file of the folder keeps predictions, but only the first replicate has run since.
		succeed(t, "run", file, "--out", dir, "--replicates", "1")
		study := filepath.Join(dir, "study.yaml")
		whole := strings.Replace(filetest.Read(t, study), "replicates: 1", "replicates: 3", 1)
		filetest.Write(t, study, whole)
		reduced := toys.Open(t, dir)
		if lacking, err := reduced.LackPredictions(reduced.Select()); lacking != 2*2*4 || err != nil {
			t.Fatalf("%d results lack predictions, %v", lacking, err)
		}
		const reason = "16 results: stored without predictions, which the study now requires"
		attempt(t, "check", file, "--out", dir, "--pilot", "0s").prints(
			"to run: 16 results in 4 trials; 8 are already done", reason)
		attempt(t, "report", dir).prints("curves omit 16 results whose")
		attempt(t, "export", dir, "--predictions").fails(exitFailed, dir+" contains no predictions for 16 results")
		succeed(t, "run", file, "--out", dir)
		files, err := filepath.Glob(filepath.Join(dir, "predictions", "*.csv.gz"))
		if err != nil || len(files) != 2 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		deleted := filetest.Read(t, files[0])
		filetest.Remove(t, files[0])
		attempt(t, "status", dir).finds("12 results done, 12 missing")
		succeed(t, "run", file, "--out", dir)
		if filetest.Read(t, files[0]) != deleted || filetest.Read(t, filepath.Join(dir, "records.csv")) != records {
			t.Error("the predictions or records differ")
		}
		succeed(t, "verify", dir, "--sample", "0")
		succeed(t, "export", dir, "--predictions")
		attempt(t, "run", file, "--out", dir).logs("nothing to run")
	}
}

// Records of a cross-validation contain the repeat and the fold. Records of other cells contain neither.
func TestRecordsHaveFolds(t *testing.T) {
	file := writeStudy(t, `study: folded
seed: 6
replicates: 6
design: {rows: {folded: {set: iris, folds: 3}, held-out: {set: iris, holdout: 0.3}}}
data: $rows
classifiers: [lda]
`)
	dir := filepath.Join(t.TempDir(), "folded")
	finish(t, 0, "", "run", file, "--out", dir)
	want := map[string]string{"folded": "1/1 1/2 1/3 2/1 2/2 2/3", "held-out": "0/0 0/0 0/0 0/0 0/0 0/0"}
	got := map[string][]string{}
	for _, r := range toys.Records(t, dir).Rows {
		level := r.Levels.Of("rows")
		got[level] = append(got[level], fmt.Sprintf("%d/%d", r.Repeat, r.Fold))
	}
	for level, places := range want {
		if strings.Join(got[level], " ") != places {
			t.Errorf("%s: repeat/fold %v, want %s", level, got[level], places)
		}
	}
	finish(t, 0, "", "export", dir, "--out", filepath.Join(t.TempDir(), "records.parquet"))
}
