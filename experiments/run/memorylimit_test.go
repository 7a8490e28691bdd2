package run_test

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// Under a memory limit, the first trial runs alone. Then as many run as fit into memory. The records are
// those of a run without one, and Go's settings are as before.
func TestMemoryCeilingBoundsTheWorkers(t *testing.T) {
	const hoard = 64 << 20
	s := toys.Load(
		t,
		strings.Replace(toys.Study, "coin", "{classifier: hoarder, bytes: 67108864}", 1),
		"design.n=20",
		"replicates=4",
	)
	reference, dir := t.TempDir(), t.TempDir()
	toys.Run(t, s, run.Options{Dir: reference, Workers: 1})
	debug.FreeOSMemory()
	watch := &notes{}
	hoards.most.Store(0)
	toys.Run(
		t,
		s,
		run.Options{
			Dir:      dir,
			Workers:  8,
			Progress: watch,
			Memory:   run.MemoryCeiling{Bytes: heldMemory() + 3*hoard + hoard/2, Source: "a test", Exact: true},
		},
	)
	if most := hoards.most.Load(); most > 3 {
		t.Errorf("%d times 64 MB at a time under a ceiling for 3", most)
	}
	if len(watch.texts) != 1 || !strings.Contains(watch.texts[0], "the first trial took") ||
		strings.Contains(watch.texts[0], "so 1 will run") {
		t.Errorf("reported %q", watch.texts)
	}
	if watch.early > 1 {
		t.Errorf("%d trials before the first one was measured", watch.early)
	}
	if got, want := filetest.Read(t, dir+"/"+folder.Records),
		filetest.Read(t, reference+"/"+folder.Records); got != want {
		t.Errorf("records differ:\n%s\nwant\n%s", got, want)
	}
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Error("Go's memory limit stays")
	}
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("Go's GC percent stays at %d", percent)
	}
}

type notes struct {
	stopAfter
	texts []string
	early int // trials that had ended when it was told
}

func (n *notes) Note(text string) { n.texts, n.early = append(n.texts, text), n.done }

func TestMemoryCeilingRefused(t *testing.T) {
	s := toys.Load(t, toys.Study)
	_, err := run.Run(
		t.Context(),
		nil,
		s,
		run.Options{Dir: t.TempDir(), Memory: run.MemoryCeiling{Bytes: 1e6, Source: "--memory"}},
	)
	errtest.Contains(t, err, "the memory limit of 1 MB (--memory) is too low")
}

// A fit whose expected memory exceeds --memory is refused before anything runs. Limits that the user did not choose
// refuse nothing, because the estimate may be too high.
func TestRunRefusesFitsAboveTheMemoryFlag(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "coin", "{classifier: rf, trees: 10000000}", 1))
	limit := run.MemoryCeiling{Bytes: 1e9, Source: run.MemoryFlag}
	dir := t.TempDir()
	_, err := run.Run(t.Context(), nil, s, run.Options{Dir: dir, Memory: limit})
	errtest.Contains(t, err, "the memory limit of 1.0 GB (--memory) is too low: rf needs about ")
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("wrote %v", files)
	}
	draining := make(chan struct{})
	close(draining)
	limit.Source = "GOMEMLIMIT"
	_, err = run.Run(t.Context(), draining, s, run.Options{Dir: dir, Memory: limit})
	errtest.Equal(t, err, run.ErrDrained.Error())
}

// heldMemory is the memory that counts towards Go's memory limit.
func heldMemory() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
