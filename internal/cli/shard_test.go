package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/randtest"
	"copse/internal/texttest"
)

// The bytes do not depend on the number of workers, the division of the study, the order of its parts, or how
// often they are merged.
func TestAnyDivisionGivesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: divides a run into shards in many ways")
	}
	file, want := undisturbed(t, killStudy)
	division := func(workers int, shards ...string) func(t *testing.T) {
		return func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "r")
			for _, s := range shards {
				succeed(t, "run", file, "--out", dir, "-j", fmt.Sprint(workers), "--shard", s)
			}
			for range 2 {
				succeed(t, "report", dir)
				sameOutputs(t, outputs(t, dir), want)
			}
		}
	}
	var sevenths []string
	for _, k := range randtest.New(1).Perm(7) {
		sevenths = append(sevenths, fmt.Sprintf("%d/7", k+1))
	}
	t.Run("whole", division(1, "1/1"))
	t.Run("whole, 16 workers", division(16, "1/1"))
	t.Run("sevenths", division(2, sevenths...))
	t.Run("sevenths, some again", division(3, append(sevenths, sevenths[2:5]...)...))
	t.Run("thirds over sevenths", division(2, sevenths[0], sevenths[1], "2/3", "3/3", "1/3"))
}

// A shard that has no trial to run stores an edit of the study that needs no new result, and submit names the
// command that updates the report.
func TestShardStoresTheEditedStudy(t *testing.T) {
	file, dir := runSmallStudy(t)
	edited := strings.Replace(filetest.Read(t, file), "title: ", "title: Edited ", 1)
	filetest.Write(t, file, edited)
	attempt(t, "submit", "slurm", file, "--out", dir, "--tasks", "2").prints(
		"to update the report: copse run " + file + " --out " + dir)
	succeed(t, "run", file, "--out", dir, "--shard", "1/2")
	succeed(t, "report", dir)
	for _, name := range []string{"study.yaml", "report.html"} {
		texttest.Case(t, name).Contains(filetest.Read(t, filepath.Join(dir, name)), "Edited ")
	}
}

// A shard without trials ends without an error, because a study may shrink.
func TestMoreShardsThanTrials(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	attempt(t, "run", file, "--out", dir, "--shard", "1/99999999999").logs(
		"warning: small has only 8 trials, so some of the 99999999999 shards")
	attempt(t, "run", file, "--out", dir, "--shard", "1/8").prints().lacks("warning")
}

// Without a shared disk, each shard writes its own folder. Copied into one folder, in any order and
// repeatedly, they give the same bytes as one machine. Results of a half-copied journal are missing until the
// rest is copied. A shard of another study is rejected.
func TestCopiedShards(t *testing.T) {
	file, want := undisturbed(t, killStudy)
	dir := filepath.Join(t.TempDir(), "all")
	var shards []string
	for k := 1; k <= 3; k++ {
		own := filepath.Join(t.TempDir(), fmt.Sprint(k))
		succeed(t, "run", file, "--out", own, "--shard", fmt.Sprintf("%d/3", k))
		shards = append(shards, own)
	}
	for _, k := range []int{2, 0, 2, 1} {
		if err := os.CopyFS(dir, overwriting(t, dir, shards[k])); err != nil {
			t.Fatal(err)
		}
	}
	half := truncateJournal(t, dir)
	attempt(t, "report", dir).prints("The study is not complete")
	half() // the rest arrives
	succeed(t, "report", dir)
	sameOutputs(t, outputs(t, dir), want)

	other := filepath.Join(t.TempDir(), "other")
	text := strings.Replace(killStudy, "study: ", "study: not-", 1)
	shard := []string{"run", writeStudy(t, text), "--out", other, "--shard", "1/3", "--writer", "other"}
	succeed(t, shard...)
	journal := filepath.Join(dir, "journal")
	if err := os.CopyFS(journal, overwriting(t, journal, filepath.Join(other, "journal"))); err != nil {
		t.Fatal(err)
	}
	attempt(t, "report", dir).fails(exitFailed, "belongs to the study")
}

// overwriting returns the files of a folder after removing those of the same name in dir, as a
// copy over them does.
func overwriting(t *testing.T, dir, from string) fs.FS {
	t.Helper()
	files := os.DirFS(from)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// truncateJournal cuts a journal in the middle of a line, as an interrupted copy does, and returns a function
// that copies it again.
func truncateJournal(t *testing.T, dir string) (restore func()) {
	t.Helper()
	journals, err := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	if err != nil || len(journals) != 3 {
		t.Fatalf("journals: %v, %v", journals, err)
	}
	whole := filetest.Read(t, journals[1])
	filetest.Write(t, journals[1], whole[:2*len(whole)/3])
	return func() { filetest.Write(t, journals[1], whole) }
}

// check names the keys that would run, and the reason. status names the shards that lack results.
func TestCheckAndStatusNameWhatIsMissing(t *testing.T) {
	file, dir := writeStudy(t, killStudy), filepath.Join(t.TempDir(), "r")
	for _, shard := range []string{"1/5", "4/5"} {
		copse("run", file, "--out", dir, "--shard", shard)
	}
	attempt(t, "status", dir).finds("3 of 5 shards lack results: 2-3,5",
		"copse submit slurm "+filepath.Join(dir, "study.yaml")+" --tasks 5")
	succeed(t, "run", file, "--out", dir)
	attempt(t, "check", file, "--out", dir, "--replicates", "14", "--set", "classifiers.5nn.k=3", "--pilot", "0",
		"--details").prints(
		"28 results: changed classifier 5nn: was 5nn/2{}, is 5nn/2{k=3}",
		"8 results: new replicate",
		"/13-14: lda oracle (n=30; new replicate)",
		"/1-14: 5nn (n=60; changed classifier 5nn)")
}

// If results of a study are missing, the report states their number in its tables and on its page.
func TestReportOfSomeShardsStatesIt(t *testing.T) {
	file, dir := writeStudy(t, killStudy), filepath.Join(t.TempDir(), "r")
	for shard := range 5 {
		copse("run", file, "--out", dir, "--shard", fmt.Sprintf("%d/5", shard+1))
		_, state, _ := copse("status", dir)
		_, missing, _ := strings.Cut(state, " results done, ")
		missing, _, _ = strings.Cut(missing, " missing")
		words := "The study is not complete: " + missing + " results are missing"
		_, out, _ := copse("report", dir)
		page, err := os.ReadFile(filepath.Join(dir, "report.html"))
		if last := shard == 4; err != nil || strings.Contains(out, words) == last || strings.Contains(string(page),
			words) == last || last != (missing == "0") {
			t.Errorf("%d shards of 5, %s missing: %v\n%s", shard+1, missing, err, out)
		}
	}
}

// Status names the cells that lack results, and counts the others; --details names all.
func TestStatusIsShort(t *testing.T) {
	_, dir := runSmallStudy(t)
	if _, out, _ := copse("status", dir); !strings.Contains(out, "\n2 cells are complete, without failures\n") ||
		strings.Contains(out, "n=30") {
		t.Errorf("status:\n%s", out)
	}
	if _, out, _ := copse("status", dir, "--details"); strings.Count(out, "  n=") != 2 {
		t.Errorf("status --details:\n%s", out)
	}
}
