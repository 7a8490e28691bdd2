package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a column is taken for follows from its cells, so check tells it: here a mark of
// missing values that nobody declared makes levels of numbers.
func TestCheckTellsHowFilesWereRead(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString(`"age (years)";"dose, mg";stage;"outcome"` + "\n")
	for range 10 {
		text.WriteString("41,5;1,5;i;\"better, stable\"\n;-;ii;worse\n38,0;2,5;iii;\"better, stable\"\n")
	}
	if err := os.WriteFile("own.csv", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	file := writeStudy(t, `study: own
seed: 1
design: {lost: {none: 0, some: 0.1}}
data: {csv: own.csv, folds: 5, repeats: 1, missing: {mcar: $lost, where: both}}
classifiers: [{classifier: rf, impute: mean}]
`)
	code, out, errOut := copse("check", file, "--pilot", "0s")
	for _, want := range []string{`own.csv: 30 rows, classes "better, stable" (20), "worse" (10)`, `numeric: "age (years)" (10 missing)`,
		`discrete: "dose, mg" (3 levels), "stage" (3 levels)`, "missing={mcar=0.1 where=both}"} {
		if code != 0 || strings.Count(out, want) != 1 {
			t.Errorf("exit code %d; check does not say once: %s\n%s%s", code, want, out, errOut)
		}
	}
	if err := os.Rename("own.csv", filepath.Join(filepath.Dir(file), "own.csv")); err != nil {
		t.Fatal(err)
	}
	beside, here := filepath.ToSlash(filepath.Join(filepath.Dir(file), "own.csv")), func() string { dir, _ := os.Getwd(); return dir }
	const rule = "; paths are relative to the folder that copse runs in, "
	for _, want := range []string{rule + here() + "; it lies beside the study file: write " + beside, rule + here() + "; nor is it beside the study file, " + filepath.FromSlash(beside)} {
		if code, _, errOut := copse("check", file); code != 2 || !strings.Contains(errOut, want) {
			t.Errorf("exit code %d; want %s, got\n%s", code, want, errOut)
		}
		os.Remove(filepath.FromSlash(beside))
	}
	t.Chdir(filepath.Dir(file))
	if code, _, errOut := copse("check", "study.yaml"); code != 2 || !strings.Contains(errOut, rule+here()+"\n") {
		t.Errorf("in the study's folder: exit code %d; %s", code, errOut)
	}
}
