package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"copse/internal/filetest"
	"copse/internal/randtest"
)

// Eight processes run trials of each other's shards, and some of them are killed at random. No result is
// lost, and no trial is stored twice. Killed shards are started again.
func TestStealingProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: starts several processes on one folder")
	}
	const shards = 8
	text := strings.NewReplacer("replicates: 12", "replicates: 60", "[30, 60]", "[2000, 4000]").Replace(killStudy)
	file, want := undisturbed(t, text)
	dir := filepath.Join(t.TempDir(), "r")
	begin := func(k int) *process {
		return start(t, "run", file, "--out", dir, "-j", "1", "--shard", fmt.Sprintf("%d/%d", k+1, shards), "--steal")
	}
	rng := randtest.New(1)
	var processes [shards]*process
	for k := range processes {
		processes[k] = begin(k)
	}
	waitFor(t, "trials", func() bool { return exists(filepath.Join(dir, "journal", "leases", "*.lease")) })
	for range shards / 2 {
		time.Sleep(time.Duration(rng.Float64() * float64(200*time.Millisecond)))
		processes[rng.Intn(shards)].Process.Kill() // fails when it has ended already
	}
	killed := 0
	for k, p := range processes {
		if code := p.end(t); code == -1 {
			killed++
			p = begin(k)
			if code = p.end(t); code != exitDone {
				t.Fatalf("shard %d again: exit %d: %s", k+1, code, p.output())
			}
		} else if code != exitDone {
			t.Fatalf("shard %d: exit %d: %s", k+1, code, p.output())
		}
	}
	stored := map[string]int{}
	journals, _ := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	trial := regexp.MustCompile(`"trial":{"cell":"\w+","levels":{[^}]*},"replicate":\d+`)
	for _, path := range journals {
		text := filetest.Read(t, path)
		for line := range strings.Lines(text) {
			if key := trial.FindString(line); key != "" {
				stored[key]++
			}
		}
	}
	for key, n := range stored {
		if n > 1 {
			t.Errorf("%s: stored %d times", key, n)
		}
	}
	finish(t, exitDone, "", "run", file, "--out", dir) // a kill may have left an empty lease
	sameOutputs(t, outputs(t, dir), want)
	if exists(filepath.Join(dir, "journal", "leases")) {
		t.Error("leases are left")
	}
	t.Logf("%d trials stored by %d processes, %d of which were killed", len(stored), shards, killed)
}

// --steal needs the shard of its process.
func TestStealNeedsAShard(t *testing.T) {
	finish(t, exitUsage, "--shard", "run", writeStudy(t, killStudy), "--steal")
}
