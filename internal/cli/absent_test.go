package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// filesStudy uses files in all ways for which records do not contain the numbers of rows: an uneven holdout,
// an official test file, a column that splits, and a learning curve.
const filesStudy = `study: files
seed: 8
replicates: 6
design:
  how:
    holdout: {csv: A, holdout: 0.2}
    official: {csv: A, test: {csv: B}}
    column: {csv: C, split: part}
    curve: {csv: A, holdout: 0.3, train: {n: 12}}
data: $how
classifiers: [lda, 5nn, nb]
inference: {test: corrected-t}
report:
  tables:
    - {name: errors, rows: [how]}
    - {name: found, metric: "sensitivity:yes", rows: [how]}
published:
  - {file: P, columns: {how: how}, replicates: 6}
`

// A page depends only on the results folder: another machine without the data makes a page with the same
// bytes.
func TestPagesDoNotDependOnTheData(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o777); err != nil {
		t.Fatal(err)
	}
	rows := func(n int, split bool) string {
		text := "x,y,class\n"
		if split {
			text = "x,y,part,class\n"
		}
		for i := range n {
			text += fmt.Sprintf("%d,%d,", i*7%23+9*(i%3/2), i*i*11%31)
			if split {
				text += map[bool]string{true: "test,", false: "train,"}[i%4 == 0]
			}
			text += map[bool]string{true: "yes\n", false: "no\n"}[i%3 == 2]
		}
		return text
	}
	published := "how,classifier,mean_error,sd_error\nholdout,lda,0.3,0.1\ncurve,lda,0.3,0.1\n"
	study := filesStudy
	for name, text := range map[string]string{"A": rows(43, false), "B": rows(17, false), "C": rows(41, true),
		"P": published} {
		path := filepath.Join(data, name+".csv")
		if name == "P" {
			path = filepath.Join(dir, "published.csv")
		}
		filetest.Write(t, path, text)
		study = strings.NewReplacer("csv: "+name, "csv: "+path, "file: "+name, "file: "+path).Replace(study)
	}
	out := filepath.Join(dir, "results")
	succeed(t, "run", writeStudy(t, study), "--out", out)
	with := pages(t, out)
	filetest.Remove(t, data)
	for _, journals := range []bool{true, false} {
		if !journals { // as version control brings it
			filetest.Remove(t, filepath.Join(out, "journal"))
		}
		succeed(t, "report", out)
		for name, text := range pages(t, out) {
			if text != with[name] {
				t.Errorf("journals %v: %s is another one without the data", journals, name)
			}
		}
	}
}

// pages are a folder's tables, page and manifest.
func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tables", "*"))
	if err != nil || len(files) < 8 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	texts := map[string]string{}
	for _, file := range append(files, filepath.Join(dir, "report.html"), filepath.Join(dir, "manifest.json")) {
		texts[file] = filetest.Read(t, file)
	}
	return texts
}
