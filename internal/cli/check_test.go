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
	if code, _, errOut := copse("check", file); code != 2 || !strings.Contains(errOut, "relative to the folder that copse runs in") {
		t.Errorf("exit code %d; %s", code, errOut)
	}
}
