package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

func TestDataVerbs(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("COPSE_DATA", folder)
	file := filepath.Join(t.TempDir(), "mine.csv")
	filetest.Write(t, file, "a;b;class\n1,5;7;u\n2,5;8;v\n")
	for _, c := range []struct {
		args      string
		code      int
		out, told string
	}{
		{"data list", 0, "pima                             768     8           2        add it    Pima", ""},
		{"data list", 0, "iris                             150     4           3        here      Iris", ""},
		{"data list sonar", 0, "CC BY 4.0", ""},
		{"data list sonar", 0, "copse data fetch sonar", ""},
		{"data list pima", 0, "not fetched: the custodian (NIDDK) asked", ""},
		{"data list miniboone", 0, "SHA-256 of MiniBooNE_PID.txt: 577ab8bc", ""},
		{"data list nothing", 2, "", "no data set of this name"},
		{"data fetch", 2, "", "give the names of the data sets"},
		{"data fetch --offline iris", 0, "iris: on this machine, SHA-256 e1412f8c", ""},
		{"data fetch --offline iris sonar", 1, "iris: on this machine", "missing data sets: 1 of 2"},
		{"data fetch --offline ../../configs/real-quickstart.yaml", 0, "vertebral_2c: on this machine", ""},
		{"data fetch --offline ../../configs/dcc2014-table2.yaml", 1, "votes: on this machine",
			"missing data sets: 7 of 8"},
		{"data fetch --offline nothing.yaml", 2, "", "nothing.yaml: there is no such file"},
		{"data fetch pima", 1, "", "copse does not download pima: the custodian"},
		{"data path sonar", 1, "", "not on this machine"},
		{"data add " + file, 2, "", "name"},
		{"data add " + file + " --name mine --discrete b", 0, "mine: " + filepath.Join(folder, "mine.csv"),
			"separator ';'"},
		{"data path mine", 0, filepath.Join(folder, "mine.csv"), ""},
		{"data list", 0, "mine                             2       2           2        here      not registered, " +
			"from mine", ""},
		{"data list mine", 0, "1 discrete: b", ""},
		{"data add " + file + " --name mine", 1, "", "was not replaced"},
		{"data add " + file + " --name sonar", 1, "", "the registered CSV file of sonar has 82d753681b41"},
		{"data add " + file + " --name miniboone", 1, "",
			"mine.csv is not an original file of the data set miniboone: MiniBooNE_PID.txt has SHA-256"},
	} {
		code, out, errOut := copse(strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errOut, c.told) {
			t.Errorf("%s: exit %d\n%s\n%s", c.args, code, out, errOut)
		}
	}
}

// The quick start with real data needs no download, because copse contains its data sets.
func TestRealQuickstartRunsFromAFreshClone(t *testing.T) {
	t.Setenv("COPSE_DATA", t.TempDir())
	out := t.TempDir()
	succeed(t, "run", filepath.Join("..", "..", "configs", "real-quickstart.yaml"), "--replicates", "5", "--out", out)
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil || !strings.Contains(string(page), "UCI Machine Learning Repository, data set 53") ||
		!strings.Contains(string(page), "CC BY 4.0") {
		t.Errorf("the page does not cite iris: %v", err)
	}
	manifest, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil || !strings.Contains(string(manifest),
		`"iris": "e1412f8c8c69c78fea91c42d8732f7edeb182234e9a67261b29617cc6097cc7b"`) {
		t.Errorf("the manifest does not tell the content of iris: %v", err)
	}
}

// run locks an added data set in a file next to the study. check rejects another set with the same name, with
// its place.
func TestRunLocksDataSets(t *testing.T) {
	folder, dir := t.TempDir(), t.TempDir()
	t.Setenv("COPSE_DATA", folder)
	rows, file := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "s.yaml")
	add := func(shift string) {
		text := "a,b,class\n"
		for i := range 20 {
			text += strings.Repeat("1", i%7+1) + shift + ",2" + strings.Repeat("3", i%3) + "," + "uv"[i%2:i%2+1] + "\n"
		}
		for _, name := range []string{"mine.csv", "mine.origin.json", "mine.schema.json"} {
			os.Remove(filepath.Join(folder, name))
		}
		filetest.Write(t, rows, text)
		succeed(t, "data", "add", rows, "--name", "mine")
	}
	add("")
	filetest.Write(t, file, "study: s\nseed: 1\nreplicates: 2\ndata: {set: mine, holdout: 0.3}\n"+
		"classifiers: [5nn]\nreport: {tables: [], figures: []}\n")
	succeed(t, "run", file, "--out", filepath.Join(dir, "r"))
	if lock, err := os.ReadFile(filepath.Join(dir, "data.lock.json")); err != nil ||
		!strings.Contains(string(lock), `"mine": {`) {
		t.Errorf("lock file %q, %v", lock, err)
	}
	add("0")
	attempt(t, "check", file).fails(exitUsage, "s.yaml:4:13: data.set: ", "data.lock.json")
}
