package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/internal/toys"
	"copse/stats/metrics"
)

// rowMetrics are the names of all metrics that need probabilities or scores of all classes.
var rowMetrics = func() (names []string) {
	for _, m := range metrics.Registry {
		if m.NeedsRows() && !m.PerClass {
			names = append(names, m.Name)
		}
	}
	return names
}()

var metricStudy = `study: measured
seed: 5
replicates: 3
metrics: [` + strings.Join(rowMetrics, ", ") + `]
data: {generator: {name: forest, d: 4}, train: {n: 60}, test: {n: 80}}
classifiers: [lda, 5nn, svm, oracle]
inference: {test: t, alternative: less, champion: lda, correction: holm, margin: 0.02, rope: 0.01}
report:
  tables:
    - {name: loss, metric: log_loss, digits: 3}
    - {name: excess, metric: auc, excess: true, digits: 3}
    - {name: mcc, metric: mcc, digits: 3}
`

// Tables, page and protocol state a champion and a classifier that the study got after its first run.
func TestChangesAreStated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "changed")
	early := strings.NewReplacer("alternative: less, champion: lda, ", "", "5nn, ", "").Replace(metricStudy)
	const sentence = "The study was changed after an earlier run: new classifiers (5nn), inference.alternative, " +
		"inference.champion. The tests keep their levels only if these changes did not depend on the results."
	for _, run := range []struct {
		study     string
		isChanged bool
	}{{early, false}, {metricStudy, true}} {
		succeed(t, "run", writeStudy(t, run.study), "--out", dir)
		protocol, _ := succeed(t, "protocol", dir)
		for name, text := range map[string]string{"protocol": protocol,
			"table": filetest.Read(t, filepath.Join(dir, "tables", "mcc.md")),
			"page":  filetest.Read(t, filepath.Join(dir, "report.html"))} {
			words := strings.Join(strings.Fields(text), " ")
			texttest.Case(t, name).ContainsIf(run.isChanged, words, sentence)
		}
	}
}

// The tables state an extension by --replicates. A repeated run is not an extension. If the study then has fewer
// replicates, tables, page and protocol also count the omitted results, even without their journals.
func TestExtensionsAreStated(t *testing.T) {
	file, dir := writeStudy(t, metricStudy), filepath.Join(t.TempDir(), "extended")
	for _, flags := range [][]string{nil, {"--replicates", "5"}, {"--replicates", "5"}} {
		succeed(t, append([]string{"run", file, "--out", dir}, flags...)...)
	}
	table := filepath.Join(dir, "tables", "mcc.md")
	text := filetest.Read(t, table)
	if want := "The study was extended: from 3 to 5 replicates on "; strings.Count(text, want) != 1 ||
		strings.Contains(text, "5 to 5") {
		t.Errorf("%s", text)
	}
	succeed(t, "run", file, "--out", dir) // again with 3 replicates
	const credit = "cff-version: 1.2.0\ntitle: T\nauthors: [{name: N}]\nlicense: CC0-1.0\n"
	citation := filepath.Join(t.TempDir(), "CITATION.cff")
	filetest.Write(t, citation, credit)
	archive := filepath.Join(t.TempDir(), "pack.zip")
	succeed(t, "pack", dir, "--out", archive, "--citation", citation)
	unpacked, _ := unzip(t, archive)
	hasHistory := func(name, file string) {
		t.Helper()
		text := strings.Join(strings.Fields(filetest.Read(t, file)), " ")
		if strings.Contains(text, "The study was extended") || !strings.Contains(text,
			"run with up to 5 replicates, but the report uses only the first 3.") {
			t.Errorf("the %s does not describe earlier numbers of replicates:\n%s", name, text)
		}
		const omitted = "also computed results that the report omits: 8 results of replicates above 3."
		if file != table && !strings.Contains(text, omitted) {
			t.Errorf("the %s lacks %q:\n%s", name, omitted, text)
		}
	}
	page := filepath.Join(dir, "report.html")
	hasHistory("table", table)
	hasHistory("page", page)
	packed := filepath.Join(unpacked, "protocol.md")
	hasHistory("protocol", packed)
	if out, _ := succeed(t, "protocol", dir); out != filetest.Read(t, packed) {
		t.Errorf("the packed protocol differs from:\n%s", out)
	}
	filetest.Remove(t, filepath.Join(dir, "journal")) // as version control brings them
	for _, command := range [][]string{{"report", dir}, {"run", file, "--out", dir, "--retry-failed"}} {
		succeed(t, command...)
		hasHistory("table", table)
		hasHistory("page", page)
	}
}

// The metrics of a study are in its records, tables and exports, and a replay computes the same values.
func TestMetricsOfAStudy(t *testing.T) {
	file, dir := writeStudy(t, metricStudy), filepath.Join(t.TempDir(), "measured")
	succeed(t, "run", file, "--out", dir)
	rows := toys.Records(t, dir)
	c := rows.Cells()[0]
	for _, m := range metrics.Registry {
		if m.PerClass || m.Measured() {
			continue
		}
		for _, id := range rows.Classifiers {
			values, failed := c.Values(&m, id)
			want := 3
			if id == "svm" && m.Needs == metrics.Probabilities {
				want = 0
			}
			if len(values) != want || failed != 0 {
				t.Errorf("%s of %s: %v, %d failed", m.Name, id, values, failed)
			}
		}
	}
	for name, want := range map[string]string{
		"loss":   "Some results have no log loss, which needs class probabilities: SVM 3 of 3.",
		"excess": "Shortfall of AUC",
		"mcc":    "one-sided paired t test on paired replicates; family-wise level 0.05, Holm",
	} {
		text, err := os.ReadFile(filepath.Join(dir, "tables", name+".md"))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s.md lacks %q: %v\n%s", name, want, err, text)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || !strings.Contains(string(page), "Bayesian signed-rank test") || !strings.Contains(string(page),
		"two one-sided tests") {
		t.Errorf("the page names neither equivalence test: %v", err)
	}
	succeed(t, "verify", dir, "--sample", "2")
	before := filetest.Read(t, filepath.Join(dir, "records.csv"))
	filetest.Remove(t, filepath.Join(dir, "journal")) // as from version control
	succeed(t, "run", file, "--out", dir, "--replicates", "4")
	after, err := os.ReadFile(filepath.Join(dir, "records.csv"))
	if err != nil || !strings.HasPrefix(string(after), before) {
		t.Errorf("an extension without journals changed the records: %v\n%s\n%s", err, before, after)
	}
	texttest.Contains(t, string(after), ",confusion,"+strings.Join(rowMetrics, ",")+"\n")
}

// Platt scaling makes a separate recipe, and tables name it.
func TestPlattOfAStudy(t *testing.T) {
	study := strings.Replace(metricStudy, "[lda, 5nn, svm, oracle]", "[lda, svm, {classifier: svm, id: scaled, "+
		"probabilities: platt, label: Scaled}, {classifier: 5nn, probabilities: platt}]", 1)
	study = strings.Replace(study, "    - {name: excess, metric: auc, excess: true, digits: 3}\n", "", 1)
	dir := filepath.Join(t.TempDir(), "measured")
	succeed(t, "run", writeStudy(t, study), "--out", dir)
	text, err := os.ReadFile(filepath.Join(dir, "tables", "loss.md"))
	for _, want := range []string{"| LDA | SVM | Scaled | 5-NN (Platt) |",
		"Scaled, 5-NN (Platt): probabilities by Platt scaling",
		"Some results have no log loss, which needs class probabilities: SVM 3 of 3."} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("loss.md lacks %q: %v\n%s", want, err, text)
		}
	}
}

// A test whose assumption the design breaks is rejected before anything runs, with its place and the valid
// tests. The same holds for impossible metrics.
func TestMisfitsAreRefused(t *testing.T) {
	folds := "study: folds\nseed: 1\nreplicates: 10\ndata: {set: iris, folds: 5}\nclassifiers: [lda, 5nn]\n"
	for _, c := range [][2]string{
		{"study.yaml:6:19: inference.test: the design violates the test's assumption: signed-rank assumes",
			folds + "inference: {test: signed-rank}\n"},
		{"use one of corrected-t", folds + "inference: {test: sign}\n"},
		{"study.yaml:6:19: inference.test: the design violates the test's assumption: calibrated-t was calibrated " +
			"for 10 repeats of 10 folds and needs `folds: 10` and `repeats: 10`; use `test: corrected-t`",
			strings.Replace(folds, "folds: 5", "folds: 10", 1) + "inference: {test: calibrated-t}\n"},
		{"study.yaml:6:19: inference.unit: tasks of one data set", folds + "inference: {unit: task}\n"},
		{`no metric "roc"; choose one of: error`,
			strings.Replace(metricStudy, "metrics: [", "metrics: [roc, ", 1)},
		{"study.yaml:6:21: inference.margin: 3 is outside [0,1); write 3% as `0.03`",
			folds + "inference: {margin: 3}\n"},
		{"data.holdout: 30 is outside (0,1); write 30% as `0.3`",
			strings.Replace(folds, "folds: 5", "holdout: 30", 1)},
		{"data.flip: 5 is outside [0,1); write 5% as `0.05`",
			strings.Replace(folds, "folds: 5", "folds: 5, flip: 5", 1)},
		{"inference.alternative: `less` needs a champion", folds + "inference: {alternative: less}\n"},
		{`inference.champion: "lad" is not a classifier of the study; did you mean "lda"?`,
			folds + "inference: {alternative: less, champion: lad}\n"},
		{"study.yaml:6:19: inference.rope: the design violates the test's assumption: the Bayesian " +
			"signed-rank test (`rope`) assumes",
			folds + "inference: {rope: 0.01}\n"},
		{`report.tables[0].metric: sensitivity:rose: no class "rose"; the classes are "Iris-setosa", ` +
			`"Iris-versicolor", "Iris-virginica"`,
			folds + "report: {tables: [{metric: 'sensitivity:rose'}]}\n"},
		{`report.tables[0].metric: no metric "logloss"; did you mean "log_loss"?`,
			strings.Replace(metricStudy, "metric: log_loss,", "metric: logloss,", 1)},
	} {
		want, text := c[0], c[1]
		attempt(t, "check", writeStudy(t, text)).fails(exitUsage, want)
	}
	several := "study: sets\nseed: 1\nreplicates: 5\ndesign: {set: [iris, vertebral_2c]}\ndata: {set: $set, folds: " +
		"5}\nclassifiers: [lda, 5nn]\n"
	// which cell, by its levels
	for _, inference := range []string{"{rope: 0.01}", "{test: signed-rank}", "{unit: task}"} {
		attempt(t, "check", writeStudy(t, several+"inference: "+inference+"\n")).fails(exitUsage, "(cell set=iris)")
	}
	half := several + "inference: {rope: 0.01}\n" +
		"report: {tables: [{name: each, rows: [set]}, {name: over, rows: []}]}\n"
	attempt(t, "check", writeStudy(t, half)).fails(exitUsage,
		"set `rows: []` in every table, so that its single row pools several data sets")
	for _, text := range []string{folds, // what is ruled out within a set is valid over sets
		several + "inference: {test: sign, rope: 0.01}\nreport: {tables: [{name: over, rows: []}]}\n"} {
		succeed(t, "check", "--pilot", "0", writeStudy(t, text))
	}
}

// A metric of one class accepts the name or the code of the class. A class that no data of the study have is
// a mistake.
func TestMetricsOfAClass(t *testing.T) {
	study := `study: flowers
seed: 5
data: {set: iris, folds: 5, repeats: 1}
classifiers: [lda, 5nn]
metrics: ["average_precision:Iris-virginica", "average_precision:2"]
report:
  tables:
    - {name: ap, metric: "average_precision:Iris-virginica", digits: 3}
`
	file, dir := writeStudy(t, study), filepath.Join(t.TempDir(), "flowers")
	attempt(t, "run", file, "--out", dir).prints("Average precision of class Iris-virginica")
	rows := toys.Records(t, dir)
	if len(rows.Rows) != 10 {
		t.Fatalf("%d rows", len(rows.Rows))
	}
	for _, r := range rows.Rows {
		byName, byCode := r.Metrics["average_precision:Iris-virginica"], r.Metrics["average_precision:2"]
		if !(byName > 0.8 && byName <= 1) || byName != byCode {
			t.Errorf("%s/%d: %v by name, %v by code", r.Classifier, r.Replicate, byName, byCode)
		}
	}
	wrong := writeStudy(t, strings.Replace(study, "precision:2", "precision:rose", 1))
	attempt(t, "check", wrong).fails(exitUsage,
		`:5:10: metrics: average_precision:rose: no class "rose"; the classes are "`)
	some := strings.NewReplacer("data: {set: iris,", "design: {flowers: [iris, vertebral_2c]}\ndata: {set: $flowers,",
		"metric: \"average_precision:Iris-virginica\", ", "").Replace(study)
	attempt(t, "check", "--pilot", "0s", writeStudy(t, some)).prints(
		`remark: metrics: average_precision:Iris-virginica: no class "Iris-virginica"; ` +
			`the classes are "Abnormal", "Normal" (cell flowers=vertebral_2c); the key ` + "`where` ")
}

// Without fused multiply-add, the last bits of scores differ. AUC is the same, and the manifest states
// another platform.
func TestAUCWithoutFMA(t *testing.T) {
	text := strings.NewReplacer("seed: 3", "seed: 3\nmetrics: [auc]\npredictions: keep", "[5nn, lda, oracle]",
		"[5nn, lda, qda, nb, tan]").Replace(smallStudy)
	file, dir := writeStudy(t, text), t.TempDir()
	predictions := map[string]string{}
	for name, setting := range map[string]string{"with": "", "without": "cpu.fma=off,cpu.avx2=off"} {
		t.Setenv("GODEBUG", setting)
		finish(t, 0, "", "run", file, "--out", filepath.Join(dir, name))
		out, _ := succeed(t, "export", filepath.Join(dir, name), "--predictions")
		predictions[name] = out
	}
	if predictions["with"] == predictions["without"] {
		t.Skip("NOT TESTED: this processor has no fused multiply-add, or the classifiers do not use it")
	}
	read := func(name, file string) string {
		text, err := os.ReadFile(filepath.Join(dir, name, file))
		must(err)
		return string(text)
	}
	if with, without := read("with", "records.csv"), read("without", "records.csv"); with != without {
		t.Errorf("records with\n%s\nwithout\n%s", with, without)
	}
	texttest.Contains(t, read("without", "manifest.json"), `"cpu_off": "cpu.avx2=off,cpu.fma=off"`)
	texttest.Lacks(t, read("with", "manifest.json"), "cpu_off")
}
