package run_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/internal/toys"
)

// One worker runs one trial at a time.
func TestOneWorker(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "coin", "{classifier: hoarder, bytes: 1000}", 1), "replicates=8")
	hoards.most.Store(0)
	toys.Run(t, s, run.Options{Dir: t.TempDir(), Workers: 1})
	if most := hoards.most.Load(); most != 1 {
		t.Errorf("%d trials at a time, want 1", most)
	}
}

// A shard writes its results only to the journal. report collects all shards into records.
func TestShardWritesNoRecords(t *testing.T) {
	dir := t.TempDir()
	toys.Run(t, toys.Load(t, toys.Study), run.Options{Dir: dir, Shard: run.Shard{Index: 1, Count: 2}})
	if _, err := os.Stat(filepath.Join(dir, folder.Records)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one of two shards wrote records: %v", err)
	}
}
