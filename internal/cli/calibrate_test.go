package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
)

const openStudy = `study: open
seed: 3
replicates: 3
predictions: keep
design: {n: [30, 60]}
data:
  generator: {name: forest, d: 3}
  train: {n: $n}
  test: {n: 100}
classifiers: [nb, 5nn]
published: [{file: FILE, columns: {n: n}, replicates: 50}]
calibrate:
  blocks: [n=30]
  free:
    - {parameter: edge_prob, low: 0, high: 1}
    - {parameter: max_depth, low: 0, high: 2}
  rounds: 2
  readings: 6
  stages:
    - {replicates: 3, classifiers: [5nn], keep: 4}
    - {replicates: 4, keep: 2}
  finalists: 3
  confirm: 5
`

// A calibration writes a record of every reading, a page and a figure. A second run of the command runs no
// trials and writes the same bytes, from the journal or the record.
func TestCalibrate(t *testing.T) {
	dir := t.TempDir()
	printed := filepath.Join(dir, "printed.csv")
	numbers := "n,classifier,mean_error,sd_error\n30,nb,0.40,0.05\n30,5nn,0.41,0.05\n" +
		"60,nb,0.35,0.04\n60,5nn,0.37,0.04\n"
	filetest.Write(t, printed, numbers)
	file, out := writeStudy(t, strings.Replace(openStudy, "FILE", printed, 1)), filepath.Join(dir, "results")
	names := []string{"losses.csv.gz", "calibration.md", "readings.png", "readings.svg", "readings.pdf", "study.yaml"}
	var first map[string]string
	for _, step := range []string{"anew", "from the journal", "from the record"} {
		if step == "from the record" {
			filetest.Remove(t, filepath.Join(out, "calibration", "journal"))
		}
		said, errOut := succeed(t, "calibrate", file, "--out", out, "-j", "2")
		texttest.Case(t, step).Contains(said, "The search tried 13 readings", "cannot be distinguished")
		texttest.Case(t, step).ContainsIf(step == "anew", errOut, "to run")
		// In the second stage, 5nn has results on three replicates of four readings.
		const second = "16 trials (20 results) to run, 2 in parallel; 12 results are already done"
		if step == "anew" && !strings.Contains(errOut, second) {
			t.Errorf("want %q: %s", second, errOut)
		}
		files := map[string]string{}
		for _, name := range names {
			files[name] = filetest.Read(t, filepath.Join(out, "calibration", name))
			if first != nil && first[name] != files[name] {
				t.Errorf("%s: %s is another one", step, name)
			}
		}
		first = files
	}
	if _, err := os.Stat(filepath.Join(out, "calibration", "predictions")); !os.IsNotExist(err) {
		t.Errorf("predictions of readings are kept but never collected: %v", err)
	}
	texttest.Contains(t, first["calibration.md"], "| edge\\_prob | · |", "n=60 | no | nb | 35.0 (4.0)",
		"fresh replicates")
	attempt(t, "calibrate", file, "--out", out, "--set", "seed=4").fails(exitFailed, "seed 3")
	losses := filepath.Join(out, "calibration", "losses.csv.gz")
	for _, damaged := range []string{losses, filepath.Join(out, "calibration", "calibration.json")} {
		kept := filetest.Read(t, damaged)
		for _, text := range []string{first["calibration.md"], string(kept[:len(kept)/2]), ""} {
			filetest.Write(t, damaged, text)
			attempt(t, "calibrate", file, "--out", out).fails(exitFailed,
				damaged+" was edited or damaged; restore the file, or move the folder away")
		}
		filetest.Write(t, damaged, kept)
	}
	filetest.Remove(t, losses)
	attempt(t, "calibrate", file, "--out", out).fails(exitFailed,
		losses+" is missing, but calibration.json is not; restore the file")
	attempt(t, "calibrate", file, "--replicates", "5").fails(exitUsage, "--replicates has no effect on a calibration")
	for _, verb := range [][]string{{"calibrate"}, {"run"}, {"check"}, {"submit", "slurm", "--tasks", "2"}} {
		attempt(t, append(verb, file, "--out", printed)...).fails(exitUsage,
			"--out "+printed+" is a file; give the name of a folder")
	}
	attempt(t, "calibrate", writeStudy(t, smallStudy)).fails(exitUsage, "has no section `calibrate`")
}

// A printed number without a standard deviation, also in held-out cells, and a stage without numbers are
// errors before anything runs.
func TestCalibrateWantsDeviations(t *testing.T) {
	for text, want := range map[string]string{
		"30,nb,0.40,0.05\n30,5nn,0.41,0\n": "the mean of 5nn in the cell n=30 needs a standard " +
			"deviation above 0",
		"30,nb,0.40,0.05\n30,5nn,0.41,0.05\n60,nb,0.3,NA\n": "the mean of nb in the cell n=60 needs a standard " +
			"deviation above 0",
		"30,nb,0.40,0.05\n": "calibrate.stages[0].classifiers: ",
	} {
		dir := t.TempDir()
		printed, out := filepath.Join(dir, "printed.csv"), filepath.Join(dir, "results")
		filetest.Write(t, printed, "n,classifier,mean_error,sd_error\n"+text)
		study := writeStudy(t, strings.Replace(openStudy, "FILE", printed, 1))
		attempt(t, "calibrate", study, "--out", out).fails(exitUsage, want, printed)
		if exists(out) {
			t.Errorf("%s: something was written", text)
		}
	}
}

// A study without a published table and a table of balanced error rates are errors before anything runs.
func TestCalibrateWantsErrorRates(t *testing.T) {
	dir := t.TempDir()
	printed, out := filepath.Join(dir, "printed.csv"), filepath.Join(dir, "results")
	filetest.Write(t, printed, "n,classifier,mean_ber,sd_ber\n30,5nn,0.4,0.05\n")
	balanced := strings.Replace(openStudy, "FILE", printed, 1)
	for study, want := range map[string]string{
		balanced: "study.yaml:11:20: published[0].file: " + printed + " contains balanced error rates",
		strings.Replace(balanced, "published:", "#", 1): "study.yaml:1:1: published: `copse calibrate` needs " +
			"exactly one published table, but the study has 0; list one table",
	} {
		attempt(t, "calibrate", writeStudy(t, study), "--out", out).fails(exitUsage, want)
		if exists(out) {
			t.Errorf("something was written, want %s", want)
		}
	}
}
