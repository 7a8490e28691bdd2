package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A --set never damages results unasked: neither a column nor the levels of a table.
func TestSweepsAskBeforeTheyReplace(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	run := func(args ...string) (code int, out, errOut string) {
		return copse(append([]string{"run", file, "--out", dir}, args...)...)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if code, _, errOut := run(); code != 0 {
		t.Fatal(errOut)
	}
	if err := os.RemoveAll(filepath.Join(dir, "journal")); err != nil { // as version control brings them
		t.Fatal(err)
	}
	before := read("records.csv") + read("tables/small.md")
	for set, want := range map[string]string{
		"classifiers.5nn.k=3":        "--set would replace 8 results of 5nn in " + dir,
		"data.test.n=51":             "--set would replace 24 results of 5nn, lda, oracle in " + dir,
		"design.n=30,90":             "--set would put n = 90 beside 60 of an earlier sweep in " + dir,
		"data.generator.edge_prob=1": "--set would replace 24 results",
	} {
		code, _, errOut := run("--set", set)
		if code != exitUsage || !strings.Contains(errOut, want) || !strings.Contains(errOut, "--out, or say --force") {
			t.Errorf("%s: exit %d, want %q, got\n%s", set, code, want, errOut)
		}
		if read("records.csv")+read("tables/small.md") != before {
			t.Errorf("%s changed the folder", set)
		}
	}
	for _, set := range []string{"design.n=30,60", "design.n=60", "design.n=30,60,90", "report.tables.0.digits=1"} {
		if code, _, errOut := run("--set", set); code == exitUsage && strings.Contains(errOut, "--force") {
			t.Errorf("%s: %s", set, errOut)
		}
	}
	if code, _, errOut := run("--set", "design.n=30,40", "--force"); code != 0 {
		t.Fatal(errOut)
	}
	if table := read("tables/small.md"); !strings.Contains(table, "| 90") || !strings.Contains(table, "Results at n other than 30, 40 are of an earlier sweep") {
		t.Errorf("the table mixes sweeps and does not say so:\n%s", table)
	}
	if code, _, errOut := run("--set", "classifiers.5nn.k=3", "--force"); code != 0 {
		t.Errorf("--force: %s", errOut)
	}
}

// Folds are folds at the levels of an earlier sweep, too.
func TestEarlierSweepsAreTestedAsTheyWereDrawn(t *testing.T) {
	file := writeStudy(t, "study: s\nseed: 3\nreplicates: 10\ndesign: {set: [iris, vertebral_2c]}\ndata: {set: $set, folds: 5}\nclassifiers: [nb, lda]\n")
	out := filepath.Join(t.TempDir(), "results")
	table := func(more ...string) string {
		if code, _, errOut := copse(append([]string{"run", file, "--out", out}, more...)...); code != 0 {
			t.Fatalf("exit %d: %s", code, errOut)
		}
		text, err := os.ReadFile(filepath.Join(out, "tables", "table.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if whole, swept := table(), table("--set", "design.set=iris"); whole != swept {
		t.Errorf("%s\nbefore the sweep, then\n%s", whole, swept)
	}
}
