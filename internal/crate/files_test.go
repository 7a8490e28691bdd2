package crate

import (
	"os"
	"path/filepath"
	"testing"

	"copse/experiments/data"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/errtest"
	"copse/internal/filetest"
)

// cellReading returns the manifest of a study with one cell, which read a file.
func cellReading(name, sha256 string) []results.ManifestCell {
	return []results.ManifestCell{{ID: "c", FileFacts: results.FileFacts{Files: map[string]string{name: sha256}}}}
}

// Data files that changed or that no longer exist are not in a crate.
func TestCrateRefusesChangedData(t *testing.T) {
	t.Chdir(t.TempDir())
	filetest.Write(t, "own.csv", "a,class\n1,x\n")
	for name, want := range map[string]string{"own.csv": "own.csv has changed since the study read it",
		"none.csv": "run `copse pack` in the folder in which the study ran"} {
		var files fileList
		errtest.Contains(t, files.addData(".", cellReading(name, "0123")), want)
	}
}

// A study from somebody else cannot add other files of this computer to a crate through links to schemas. The data
// may be links, because their content must have the checksum in the manifest.
func TestCrateRefusesLinkedSchemas(t *testing.T) {
	t.Chdir(t.TempDir())
	const rows = "a,class\n1,x\n"
	for _, name := range []string{"real/own.csv", "a.csv"} {
		filetest.Write(t, name, rows)
	}
	filetest.Write(t, "private.json", "{}")
	for link, target := range map[string]string{"a.schema.json": "private.json", "b.csv": "a.csv", "linked": "real"} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	add := func(name string) error {
		var files fileList
		return files.addData(".", cellReading(name, folder.DigestBytes([]byte(rows))))
	}
	const refusal = " cannot be packed, because it is a symbolic link or in a linked folder"
	errtest.Contains(t, add("a.csv"), "a.schema.json"+refusal)
	for _, name := range []string{"real/own.csv", "linked/own.csv", "b.csv"} {
		if err := add(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	filetest.Write(t, "real/own.schema.json", "{}")
	errtest.Contains(t, add("linked/own.csv"), filepath.Join("linked", "own.schema.json")+refusal)
}

// A crate never contains rows that may not be redistributed, under any name.
func TestCrateRefusesRestrictedRows(t *testing.T) {
	pima, _ := data.Lookup("pima")
	for name, sum := range map[string]string{"pima": "", "mine.csv": pima.Digest()} {
		var files fileList
		dir, cells := t.TempDir(), cellReading(name, sum)
		errtest.Case(t, name).Contains(files.addData(dir, cells), "the data set pima must not be")
		if err := files.addPredictions(dir, cells); err != nil {
			t.Errorf("%s, which has no predictions: %v", name, err)
		}
		path := filepath.Join(dir, "predictions", "c.csv.gz")
		filetest.Write(t, path, "")
		errtest.Case(t, name).Contains(files.addPredictions(dir, cells),
			"classes of test rows in cell c: rows of the data set pima")
		if d := dataNotIn(files, cells); len(d) != 1 || len(files) != 0 {
			t.Errorf("%s: %v, %v", name, d, files)
		}
	}
}
