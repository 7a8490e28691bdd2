package results

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/metrics"
	"copse/stats/records"
)

// kept returns a folder with the predictions of two replicates, and a function that reads the predictions of a cell.
// The results of four replicates are stored.
func kept(t *testing.T) (dir string, read func(cell string, each func(records.Record)) error) {
	t.Helper()
	dir = t.TempDir()
	keep(t, dir, 1)
	keep(t, dir, 2)
	if err := GatherPredictions(dir, true); err != nil {
		t.Fatal(err)
	}
	f := &Folder{Dir: dir, store: newStore()}
	for replicate := 1; replicate <= 4; replicate++ {
		row := records.Record{Classifier: "nb", Spec: "nb/2{}", Status: records.OK}
		row.Confusion = metrics.NewConfusion(2, []int{0, 1}, []int{0, replicate % 2})
		row.Errors = 1 - replicate%2
		made := &trial.Trial{Cell: "c", Replicate: replicate, NTest: 2, Results: []records.Record{row}}
		if err := f.add(made, origin{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	recipes, all := map[string]string{"nb": "nb/2{}"}, func(int, *storedResult) bool { return true }
	return dir, func(cell string, each func(records.Record)) error {
		return f.store.readKept(dir, cell, recipes, all, func(r records.Record, _ *metrics.Predictions) error {
			each(r)
			return nil
		})
	}
}

// rewrite edits the predictions of a cell. If sums is true, it also updates the list of checksums.
func rewrite(t *testing.T, dir string, sums bool, change func(string) string) {
	t.Helper()
	path := filepath.Join(dir, folder.Predictions, "c"+predictionSuffix)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	var b bytes.Buffer
	out := gzip.NewWriter(&b)
	fmt.Fprint(out, change(string(text)))
	out.Close()
	filetest.Write(t, path, b.String())
	if sums {
		if err := writeSums(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// Predictions are read only if they agree with their records.
func TestForgedPredictionsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		sums   bool
		change func(string) string
		want   string // in the error; "": none
	}{
		"as they were": {true, func(s string) string { return s }, ""},
		"another label": {true, func(s string) string { return strings.Replace(s, ",2,1,1,", ",2,1,0,", 1) },
			"replicate 1, nb: the predictions have 1 errors and the confusion matrix 1 0 1 0, but the record has 0 " +
				"errors and the matrix 1 0 0 1"},
		"the same without the list": {false, func(s string) string {
			return strings.Replace(s, ",2,1,1,", ",2,1,0,", 1)
		}, "lists"},
		"a row less": {true, func(s string) string { return s[:strings.LastIndex(strings.TrimSpace(s), "\n")+1] },
			"replicate 2, nb: the file contains predictions for 1 rows, but the record has 2 test rows"},
		"rows without end": {true, func(s string) string {
			return s + strings.Repeat(s[strings.LastIndex(strings.TrimSpace(s), "\n")+1:], 100_000)
		}, "more rows of predictions than the 2 test rows"},
		"the largest replicate": {true, func(s string) string {
			first, _, _ := strings.Cut(s, "\n2,")
			return strings.ReplaceAll(first, "\n1,", fmt.Sprintf("\n%d,", math.MaxInt)) + "\n"
		}, ""},
		"a line without end": {true, func(s string) string { return s + "3,nb," + strings.Repeat("x", 10<<20) },
			"a line is longer than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, read := kept(t)
			rewrite(t, dir, c.sums, c.change)
			err := read("c", func(records.Record) {})
			errtest.Match(t, err, c.want)
		})
	}
}

// A missing file is reported if it existed before.
func TestDeletedPredictionsAreReported(t *testing.T) {
	dir, read := kept(t)
	filetest.Remove(t, filepath.Join(dir, folder.Predictions, "c"+predictionSuffix))
	ignore := func(records.Record) {}
	errtest.Contains(t, read("c", ignore), "is missing, but")
	if err := read("d", ignore); err != nil {
		t.Error(err)
	}
}

// The message about a file that is not in the list says so.
func TestUnlistedPredictionsAreReported(t *testing.T) {
	dir, _ := kept(t)
	path := filepath.Join(dir, folder.Predictions, "d"+predictionSuffix)
	filetest.Write(t, path, "")
	problems, _, err := CheckPredictions(dir)
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0], path+" is not in "+PredictionSums) {
		t.Errorf("%q, %v", problems, err)
	}
}

// The manifest names the list of checksums, so that file and list cannot be changed together.
func TestManifestNamesTheList(t *testing.T) {
	dir, _ := kept(t)
	m := &Manifest{Format: manifestFormat, Study: "s"}
	if err := m.addPredictions(dir); err != nil || m.PredictionsSHA256 == "" {
		t.Fatalf("%q, %v", m.PredictionsSHA256, err)
	}
	if err := writeManifest(dir, m); err != nil {
		t.Fatal(err)
	}
	if problems, _, err := CheckPredictions(dir); err != nil || len(problems) > 0 {
		t.Fatalf("%q, %v", problems, err)
	}
	rewrite(t, dir, true, func(s string) string { return strings.Replace(s, "NA", "0.5", 1) })
	if problems, _, err := CheckPredictions(dir); err != nil || len(problems) != 1 ||
		!strings.Contains(problems[0], folder.Manifest) {
		t.Errorf("%q, %v", problems, err)
	}
}
