package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// Names of folders are not interpreted as patterns.
func TestFoldersNamedLikePatterns(t *testing.T) {
	file, parent := writeStudy(t, smallStudy), t.TempDir()
	for _, name := range []string{"res[1]", "res1", "res?", "res*"} {
		dir := filepath.Join(parent, name)
		succeed(t, "run", file, "--out", dir, "--set", "seed="+map[bool]string{true: "3",
			false: "4"}[name == "res1"])
		attempt(t, "status", dir).prints("24 results done, 0 missing")
	}
}

// generate and repro replace files only on request.
func TestGenerateReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "train.csv")
	filetest.Write(t, mine, "mine")
	args := []string{"generate", "--generator", "forest", "--param", "d=3", "--train", "4,4", "--test", "3,3", "--out",
		dir}
	attempt(t, args...).fails(exitFailed, "train.csv already exists")
	if text := filetest.Read(t, mine); text != "mine" {
		t.Error("train.csv is replaced")
	}
	succeed(t, append(args, "--force")...)
}

// A report keeps an edited table next to the new one.
func TestReportKeepsEdits(t *testing.T) {
	_, dir := runSmallStudy(t)
	table := filepath.Join(dir, "tables", "small.tex")
	filetest.Write(t, table, "by hand")
	attempt(t, "report", dir).prints("small.tex.kept: this file was edited, or copse did not write it")
	if text := filetest.Read(t, table+".kept"); text != "by hand" {
		t.Errorf("kept %q", text)
	}
}

// A study that cannot run is rejected with a clear error and exit code 2 before anything runs.
func TestRefusedBeforeAnythingRuns(t *testing.T) {
	file := writeStudy(t, smallStudy)
	with := func(old, new string) string { return writeStudy(t, strings.Replace(smallStudy, old, new, 1)) }
	out := filepath.Join(t.TempDir(), "r")
	for want, args := range map[string][]string{
		"--train 0,0: at least one class must": {"generate", "--generator", "forest", "--train", "0,0", "--test", "3,3",
			"--out", out},
		"--jobs -1: the number of parallel": {"run", file, "-j", "-1", "--out", out},
		`--writer "a/b": use letters`:       {"run", file, "--writer", "a/b", "--out", out},
		`--writer "..": use letters`:        {"run", file, "--writer", "..", "--out", out},
		"--out: the value is empty":         {"check", file, "--out", ""},
		"--shard: the value is empty":       {"run", file, "--shard", "", "--out", out},
		"the alias *x is inside":            {"check", with("seed: 3", "seed: 3\nsource: &x [*x]")},
		"design.n: the alias *x":            {"check", file, "--set", "design.n=&x [*x]"},
		"inference.alpha: 1e-17 is outside": {"check", with("report:", "inference: {alpha: 1e-17}\nreport:")},
		`"Small" names a file that`: {"check", with("{name: small, rows: [n]}",
			"{name: small, rows: [n]}, {name: Small, rows: [n]}")},
		"are 20000000 trials, but at most":  {"check", with("replicates: 4", "replicates: 10000000")},
		"a carriage return, which records ": {"check", with("n: [30, 60]", `n: {"3\r0": 30, "60": 60}`)},
		"report.figures[0].name: the name ": {"check", with("name: box", "name: "+strings.Repeat("box", 50))},
	} {
		code, printed, errOut := copse(args...)
		if code != exitUsage || !strings.Contains(printed+errOut, want) || strings.Contains(errOut, "panic") {
			t.Errorf("%q: exit %d, want %q; printed\n%s%s", args, code, want, printed, errOut)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

// check tests that a published table exists. The table is found from any directory.
func TestPublishedTableIsFoundBeforeTheRun(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "study.yaml")
	section := "published: [{file: papers/t.csv, columns: {n: n}, replicates: 10}]\n"
	for name, text := range map[string]string{"study.yaml": smallStudy + section,
		"papers/t.csv": "n,classifier,mean_error,sd_error\n30,lda,0.2,0.01\n60,lda,0.1,0.01\n"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		filetest.Write(t, path, text)
	}
	mistyped := writeStudy(t, smallStudy+strings.Replace(section, "papers", "paper", 1))
	attempt(t, "check", mistyped).fails(exitUsage, "published[0].file: ", "study.yaml:15:20")
	unmapped := filepath.Join(root, "unmapped.yaml")
	filetest.Write(t, unmapped, smallStudy+strings.Replace(section, "columns: {n: n}", "columns: {m: n}", 1))
	attempt(t, "check", unmapped).fails(exitUsage, `the column "n" is not mapped`)
	dir := filepath.Join(root, "results", "small")
	succeed(t, "run", file, "--out", dir)
	far := filepath.Join(t.TempDir(), "small")
	succeed(t, "run", file, "--out", far)
	t.Chdir(t.TempDir())
	// Results in a folder below the table use it there. Other results store a copy, so that they can be
	// moved.
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(far, moved); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for _, dir := range []string{dir, moved} {
			attempt(t, "report", dir).prints(" comparable numbers, ")
		}
	}
	if copies, _ := os.ReadDir(filepath.Join(dir, "tables")); slices.ContainsFunc(copies,
		func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "published") }) {
		t.Error("a copy of a table that is at hand")
	}
}

// If a table and a figure cannot be made, the report contains everything else. Both give errors with their
// keys, their old files are removed, and the other folders are reported.
func TestReportOmitsOnlyImpossibleOutputs(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), t.TempDir()
	first, second := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, out := range []string{first, second} {
		succeed(t, "run", file, "--out", out)
	}
	study := filepath.Join(first, "study.yaml")
	text := filetest.Read(t, study)
	edited := strings.Replace(text, "tables: [{name: small, rows: [n]}]",
		"tables: [{name: small, rows: [m]}, {name: other}]", 1)
	edited = strings.Replace(edited, "figures: [{name: box, panel: [n]}]",
		"figures: [{name: box, panel: [m]}, {name: heat, kind: heat}]", 1)
	filetest.Write(t, study, edited)
	code, _, errOut := copse("report", first, second)
	for _, want := range []string{"study.yaml:12:33: report.tables[0].rows: no factor \"m\"",
		"study.yaml:13:33: report.figures[0].panel: no factor \"m\""} {
		if code != exitFailed || !strings.Contains(errOut, want) {
			t.Errorf("exit %d, want %s, got\n%s", code, want, errOut)
		}
	}
	for name, wanted := range map[string]bool{"a/figures/box.svg": false, "a/tables/small.md": false,
		"a/figures/heat.svg": true, "a/tables/other.md": true, "a/report.html": true, "b/figures/box.svg": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != wanted {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If fits of a study fail, the run still writes its report, returns an error and continues with the next
// study.
func TestRunGoesOnAfterFigures(t *testing.T) {
	faulty := writeStudy(t, strings.NewReplacer("lda", "{id: broken, classifier: 5nn, k: 1000}", "panel: [n]",
		"kind: pareto, columns: [broken]").Replace(smallStudy))
	sound, dir := writeStudy(t, strings.Replace(smallStudy, "study: ", "study: second-", 1)), t.TempDir()
	code, _, errOut := copse("run", faulty, sound, "--out", dir)
	want := "report.figures[0].columns: there are no times for"
	if code != exitFailed || !strings.Contains(errOut, want) ||
		!strings.Contains(errOut, "fits failed") {
		t.Errorf("exit %d, want %s, got\n%s", code, want, errOut)
	}
	if reports, _ := filepath.Glob(filepath.Join(dir, "*", "report.html")); len(reports) != 2 {
		t.Errorf("reports: %q, want those of both studies", reports)
	}
}
