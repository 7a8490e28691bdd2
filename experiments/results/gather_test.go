package results

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/metrics"
	"copse/stats/records"
)

// keep writes the part of a replicate with two rows.
func keep(t *testing.T, dir string, replicate int) {
	t.Helper()
	said := trial.FitPredictions{
		ID:          "nb",
		Spec:        "nb/2{}",
		Classes:     2,
		Predictions: metrics.Predictions{Truth: []int{0, 1}, Labels: []int{0, replicate % 2}},
	}
	if err := KeepPredictions(dir, &trial.Trial{Cell: "c", Replicate: replicate,
		Predictions: []trial.FitPredictions{said}}); err != nil {
		t.Fatal(err)
	}
}

// Leftovers of a part by a killed process are removed only when no process writes parts. The part itself may
// belong to another process that ran the same trials.
func TestGatherRemovesLeftovers(t *testing.T) {
	if os.Getenv("COPSE_LOCKS") == "off" {
		t.Skip("without locks, other writers cannot be detected")
	}
	dir := t.TempDir()
	keep(t, dir, 1)
	parts, err := filesIn(partsOf(dir))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	left := filepath.Join(partsOf(dir), "."+filepath.Base(parts[0])+".17.part")
	filetest.Write(t, left, "half")
	j, err := OpenJournal(dir, "1-of-2", &Session{Format: JournalFormat, Study: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for _, atWork := range []bool{true, false} {
		if err := GatherPredictions(dir, true); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(left); (err == nil) != atWork {
			t.Errorf("somebody at work: %v; the leftover: %v", atWork, err)
		}
		if !atWork {
			break
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := PredictionFiles(dir); err != nil || len(files) != 1 {
		t.Errorf("%q, %v", files, err)
	}
}

// A file whose name lacks the replicate is reported, not merged.
func TestGatherReportsStrayFiles(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	stray := filepath.Join(partsOf(dir), "c"+predictionSuffix)
	filetest.Write(t, stray, "")
	want := stray + " is not named after a trial"
	errtest.Contains(t, GatherPredictions(dir, true), want)
	if _, err := os.Stat(stray); err != nil {
		t.Error(err)
	}
}

// After a kill between writing the file of a cell and the list of checksums, the waiting trials show this,
// and the next gathering repairs it. A list without its files is damaged.
func TestCheckAfterAKill(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, 1)
	if err := GatherPredictions(dir, true); err != nil {
		t.Fatal(err)
	}
	keep(t, dir, 2)
	cell := filepath.Join(dir, folder.Predictions, "c"+predictionSuffix)
	parts, err := filesIn(partsOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := gatherCell(cell, parts); err != nil { // and killed here
		t.Fatal(err)
	}
	problems, _, err := CheckPredictions(dir)
	if waiting, waitingErr := WaitingPredictions(dir); len(waiting) != 1 || errors.Join(err, waitingErr) != nil ||
		len(problems) != 1 {
		t.Errorf("waiting %q, %v, %v, problems %q", waiting, err, waitingErr, problems)
	}
	if err := GatherPredictions(dir, true); err != nil {
		t.Fatal(err)
	}
	if problems, files, err := CheckPredictions(dir); len(problems) > 0 || files != 1 || err != nil {
		t.Errorf("%d files, %v, problems %q", files, err, problems)
	}
	lines := 0
	err = readBlocks(cell, allLines, func(b block) error { lines += len(b.lines); return nil })
	if err != nil || lines != 4 {
		t.Errorf("%d lines, %v", lines, err)
	}
	filetest.Remove(t, cell)
	problems, _, err = CheckPredictions(dir)
	if err != nil ||
		!slices.ContainsFunc(
			problems,
			func(p string) bool { return strings.Contains(p, "c"+predictionSuffix+" is missing") },
		) {
		t.Errorf("%v, problems %q", err, problems)
	}
}

// While results are missing, each trial keeps its own file. copse reads it together with the file of the cell, and
// repairs a list of checksums that a killed process left.
func TestIncompleteStudiesKeepFilesOfTrials(t *testing.T) {
	dir, read := kept(t)
	keep(t, dir, 4)
	parts, err := WaitingPredictions(dir)
	if err != nil {
		t.Fatal(err)
	}
	wantFour := func() {
		t.Helper()
		var list []int
		err := read("c", func(r records.Record) { list = append(list, r.Replicate) })
		if err != nil || !slices.Equal(list, []int{1, 2, 3, 4}) {
			t.Errorf("replicates %v, %v", list, err)
		}
	}
	if err := gatherCell(cellFile(dir, "c"), parts); err != nil { // and killed here
		t.Fatal(err)
	}
	keep(t, dir, 3) // the study was extended
	if err := GatherPredictions(dir, false); err != nil {
		t.Fatal(err)
	}
	if waiting, err := WaitingPredictions(dir); len(waiting) != 2 || err != nil {
		t.Errorf("waiting %q, %v", waiting, err)
	}
	wantFour()
	filetest.Write(t, parts[0], "half")
	if problems, _, err := CheckPredictions(dir); len(problems) != 1 || err != nil {
		t.Errorf("a damaged file: %v, problems %q", err, problems)
	}
	keep(t, dir, 4)
	if err := GatherPredictions(dir, true); err != nil {
		t.Fatal(err)
	}
	if waiting, err := WaitingPredictions(dir); len(waiting) != 0 || err != nil {
		t.Errorf("waiting %q, %v", waiting, err)
	}
	wantFour()
}

// A file of a cell whose replicates are not in order is an error, because its blocks could replace one another.
func TestUnsortedPredictionsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c"+predictionSuffix)
	err := writeBlocks(path, gzip.BestSpeed, func(put func(block) error) error {
		var err error
		for _, replicate := range []string{"2", "1"} {
			line := []string{replicate, "nb", "12345678", "1", "0", "0", noNumber, noNumber}
			err = errors.Join(err, put(block{lines: [][]string{line}}))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = mergeBlocks(path, nil, allLines, func(block) error { return nil })
	errtest.Contains(t, err, "replicate 1 follows replicate 2")
}
