package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

func TestExport(t *testing.T) {
	_, dir := runSmallStudy(t)
	to := filepath.Join(t.TempDir(), "r.parquet")
	attempt(t, "export", dir, "--out", to).prints("24 records")
	text, err := os.ReadFile(to)
	if err != nil || !strings.HasPrefix(string(text), "PAR1") {
		t.Errorf("no Parquet file: %v", err)
	}
	if code, out, errOut := copse("export", dir); code != 0 || out != string(text) {
		t.Errorf("to standard output: exit %d, %s", code, errOut)
	}
	for name, want := range map[string]string{"r.CSV": "the output is Parquet; choose a name that ends in `.parquet`",
		"r.parquet": "the output is CSV without compression; choose a name that ends in `.csv`",
		"r.csv.gz":  "the output is CSV without compression; choose a name that ends in `.csv`"} {
		to := filepath.Join(t.TempDir(), name)
		predictions := fmt.Sprintf("--predictions=%v", strings.Contains(want, "CSV"))
		attempt(t, "export", dir, "--out", to, predictions).fails(exitUsage, want)
		if exists(to) {
			t.Errorf("%s to %s: something was written", predictions, name)
		}
	}
}

// export and index warn if the journals have newer results than records.csv.
func TestWarningOfNewerResults(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	page := filepath.Join(t.TempDir(), "index.html")
	warns := func() bool {
		t.Helper()
		const warning = "warning: the journals have changed since records.csv was written"
		_, exportErr := succeed(t, "export", dir)
		_, indexErr := succeed(t, "index", dir, "--out", page)
		if strings.Contains(indexErr, warning) != strings.Contains(exportErr, warning) {
			t.Errorf("index: %s\nexport: %s", indexErr, exportErr)
		}
		return strings.Contains(exportErr, warning)
	}
	succeed(t, "run", file, "--out", dir)
	if warns() {
		t.Error("a warning for new records")
	}
	succeed(t, "run", file, "--out", dir, "--replicates", "5", "--shard", "1/2")
	if !warns() {
		t.Error("no warning for old records")
	}
	succeed(t, "report", dir)
	if warns() {
		t.Error("a warning after report")
	}
}

// No command replaces a file of another kind or writes into a results folder, even if the paths of the folder
// and the file have different forms. All of them replace what they wrote before.
func TestCommandsReplaceOnlyTheirOwnFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	kept := strings.Replace(smallStudy, "seed: 3", "predictions: keep\nseed: 3", 1)
	succeed(t, "run", writeStudy(t, kept), "--out", "r")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"notes.txt": "my notes", "CITATION.cff": citation, "box.pdf": "mine"} {
		filetest.Write(t, name, text)
	}
	journal := filepath.Join("r", "journal", "main.jsonl")
	before := filetest.Read(t, journal)
	for name, command := range map[string][]string{
		"a.parquet": {"export", "r"}, "a.csv": {"export", "r", "--predictions"}, "a.zip": {"pack", "r"},
		"a.html": {"index", "r"},
	} {
		for range 2 {
			succeed(t, append(command, "--out", name)...)
		}
		for path, want := range map[string]string{
			"notes.txt": "not of the kind that this command writes", journal: "is inside the results folder",
			filepath.Join(here, journal): "is inside the results folder", "r/new": "is inside the results folder",
		} {
			attempt(t, append(command, "--out", path)...).fails(exitUsage, want)
		}
	}
	attempt(t, "plot", "r", "box", "--format", "pdf").fails(exitUsage,
		"box.pdf exists, and its content is not of the kind")
	if filetest.Read(t, journal) != before || filetest.Read(t, "notes.txt") != "my notes" ||
		filetest.Read(t, "box.pdf") != "mine" {
		t.Error("a file was replaced")
	}
	for range 2 {
		succeed(t, "plot", "r", "box", "--format", "svg,png", "--out", "plots")
	}
}
