package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/filetest"
)

// isCurrent reports whether a run of the study would compute and write nothing.
func isCurrent(dir string, s *study.Study) bool {
	f, err := results.OpenFor(dir, s)
	if err != nil || run.NewPlan(f).Missing > 0 {
		return false
	}
	collected, err := f.IsCollected()
	return err == nil && collected && f.HasCurrentReport()
}

// A second run writes no report. After any change of an input or an output it reads the results
// again, and repairs the folder. The next run is short again.
func TestRunOfACurrentFolder(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "results")
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	read := func(name string) string {
		return filetest.Read(t, path(name))
	}
	write := func(name, text string) {
		filetest.Write(t, path(name), text)
	}
	current := func() bool {
		s, err := study.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		return isCurrent(dir, s)
	}
	succeed(t, "run", file, "--out", dir)
	shortRun := func() {
		t.Helper()
		if !current() {
			t.Fatal("the folder is not current after a run")
		}
		out, errOut := succeed(t, "run", file, "--out", dir)
		if out != "the report in "+dir+" is up to date; `copse report "+dir+"` prints it\n" ||
			!strings.Contains(errOut, "nothing to run, all 24 results are in "+dir) {
			t.Fatalf("the short run printed %s%s", out, errOut)
		}
	}
	shortRun()
	tables := read("tables/small.md") + read("tables/small.csv")
	for _, change := range []struct {
		name   string
		change func()
	}{
		{"journal longer", func() {
			text := read("journal/main.jsonl")
			lines := strings.SplitAfter(text, "\n")
			write("journal/main.jsonl", text+lines[len(lines)-2])
		}},
		{"another journal", func() { write("journal/copy.jsonl", read("journal/main.jsonl")) }},
		{"table edited", func() { write("tables/small.csv", read("tables/small.csv")+"\n") }},
		{"table deleted", func() { os.Remove(path("tables/small.md")) }},
		{"page deleted", func() { os.Remove(path("report.html")) }},
		{"records edited", func() { write("records.csv", strings.Replace(read("records.csv"), "ok", "OK", 1)) }},
		{"times deleted", func() { os.Remove(path("timings.csv")) }},
		{"manifest deleted", func() { os.Remove(path("manifest.json")) }},
		{"receipt forged", func() {
			text := read("journal/report.json")
			write("journal/report.json", strings.Replace(text, "{", `{"failed": 0, "printed": "forged",`, 1))
		}},
		{"receipt deleted", func() { os.Remove(path("journal/report.json")) }},
		{"new binary", func() {
			text := read("journal/report.json")
			_, digest, _ := strings.Cut(text, `"binary_sha256": "`)
			write("journal/report.json", strings.Replace(text, digest[:64], strings.Repeat("0", 64), 1))
		}},
	} {
		change.change()
		if current() {
			t.Errorf("%s: the folder is still current", change.name)
		}
		succeed(t, "run", file, "--out", dir)
		if read("tables/small.md")+read("tables/small.csv") != tables {
			t.Errorf("%s: run did not restore the tables", change.name)
		}
		shortRun()
	}
	attempt(t, "run", file, "--out", dir, "--set", "design.n=30").prints("written to")
	if current() {
		t.Error("the folder of another study is current")
	}
	write("records.csv.gz", "outdated")
	attempt(t, "run", file, "--out", dir).fails(exitFailed, "contains both")
}

// A run with --steal leaves out a trial that another process has leased. If that process dies, the next run
// computes the trial.
func TestRunAfterAnAbandonedLease(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "results")
	s, err := study.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	leases := filepath.Join(dir, "journal", "leases")
	if err := os.MkdirAll(leases, 0o777); err != nil {
		t.Fatal(err)
	}
	lease := filepath.Join(leases, s.Cells[0].ID+"-1.lease")
	filetest.Write(t, lease, "another process")
	succeed(t, "run", file, "--out", dir, "--shard", "1/1", "--steal")
	if isCurrent(dir, s) {
		t.Error("the folder is current without the leased trial")
	}
	attempt(t, "run", file, "--out", dir).prints("written to")
}

// A short run reports failed fits as a long one does, and runs them again on request.
func TestRunOfACurrentFolderWithFailures(t *testing.T) {
	text := strings.Replace(smallStudy, "lda", "lda, {id: broken, classifier: 5nn, k: 1000}", 1)
	file, dir := writeStudy(t, text), filepath.Join(t.TempDir(), "results")
	code, _, long := copse("run", file, "--out", dir)
	again, out, short := copse("run", file, "--out", dir)
	_, last, _ := strings.Cut(long, "copse: ")
	if code != 1 || again != 1 || !strings.Contains(out, "is up to date") || !strings.HasSuffix(short, last) {
		t.Errorf("exit codes %d and %d\n%s%s%s", code, again, long, out, short)
	}
	attempt(t, "run", file, "--out", dir, "--retry-failed").lacks("is up to date")
}

// A run is not short after a change of the program files in the results folder, and copies them again.
func TestRunRestoresProgramFiles(t *testing.T) {
	file, dir := writeStudy(t, withMethod(smallStudy)), filepath.Join(t.TempDir(), "results")
	filetest.Write(t, filepath.Join(filepath.Dir(file), "notes.txt"), "kept")
	finish(t, 0, "written to", "run", file, "--out", dir)
	finish(t, 0, "is up to date", "run", file, "--out", dir)
	notes := filepath.Join(dir, "notes.txt")
	for step, change := range map[string]func() error{
		"edited":  func() error { return os.WriteFile(notes, []byte("edited"), 0o666) },
		"deleted": func() error { return os.Remove(notes) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		finish(t, 0, "nothing to run", "run", file, "--out", dir)
		if text, err := os.ReadFile(notes); err != nil || string(text) != "kept" {
			t.Errorf("%s: the folder has %q, error %v", step, text, err)
		}
	}
}
