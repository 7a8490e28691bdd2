package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// A run without trials to run or results to collect does not change the files of the folder. If one of them
// was edited or removed, it writes all of them again.
func TestNothingToCollect(t *testing.T) {
	dir := t.TempDir()
	s := toys.Load(t, toys.Study)
	toys.RunIn(t, s, dir)
	names := []string{folder.Records, folder.Timings, folder.Manifest, folder.Study}
	written := func() (infos []os.FileInfo) {
		for _, name := range names {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			infos = append(infos, info)
		}
		return infos
	}
	before := written()
	if plan := toys.RunIn(t, s, dir); len(plan.Tasks) != 0 || plan.Done != 72 {
		t.Errorf("%d tasks, %d done", len(plan.Tasks), plan.Done)
	}
	for i, now := range written() {
		if !os.SameFile(before[i], now) {
			t.Errorf("%s was written again", names[i])
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		want := filetest.Read(t, path)
		filetest.Remove(t, path)
		toys.RunIn(t, s, dir)
		if got := filetest.Read(t, path); got != want {
			t.Errorf("%s was not written again as it was", name)
		}
	}
}

// A start that fails leaves no folder.
func TestFailedStartLeavesNoFolder(t *testing.T) {
	text := strings.Replace(toys.Study, "[centroid, coin, oracle]",
		"[centroid, {id: mine, classifier: external, command: [no-such-program]}]", 1)
	dir := filepath.Join(t.TempDir(), "results", "toy")
	_, err := run.Run(t.Context(), nil, toys.Load(t, text), run.Options{Dir: dir})
	errtest.Contains(t, err, "no-such-program")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}
