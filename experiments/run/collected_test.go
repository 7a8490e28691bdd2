package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/internal/toys"
)

// A run that has nothing to run and nothing to collect leaves the files of the folder alone.
// Where one of them was edited or removed, it writes all of them again.
func TestNothingToCollect(t *testing.T) {
	dir := t.TempDir()
	s := toys.Load(t, toys.Study)
	toys.Run(t, s, run.Options{Dir: dir})
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
	toys.Run(t, s, run.Options{Dir: dir})
	for i, now := range written() {
		if !os.SameFile(before[i], now) {
			t.Errorf("%s was written again", names[i])
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		want := toys.ReadFile(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		toys.Run(t, s, run.Options{Dir: dir})
		if got := toys.ReadFile(t, path); got != want {
			t.Errorf("%s was not written again as it was", name)
		}
	}
}
