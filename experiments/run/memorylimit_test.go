package run_test

import (
	"math"
	"path/filepath"
	"runtime/debug"
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
	text := strings.Replace(toys.Study, "coin", "{classifier: hoarder, bytes: 67108864}", 1)
	s := toys.Load(t, text, "design.n=20", "replicates=4")
	reference, dir := t.TempDir(), t.TempDir()
	toys.Run(t, s, run.Options{Dir: reference, Workers: 1})
	debug.FreeOSMemory()
	watch := &notes{}
	hoards.most.Store(0)
	ceiling := run.MemoryCeiling{Bytes: run.HeldMemory() + 3*hoard + hoard/2, Source: "a test", Exact: true}
	toys.Run(t, s, run.Options{Dir: dir, Workers: 8, Progress: watch, Memory: ceiling})
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
	want := filetest.Read(t, filepath.Join(reference, folder.Records))
	if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != want {
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

// A fit that may exceed the ceiling is only reported, because the estimate can be too high. A ceiling that is too low
// for any trial is refused.
func TestMemoryCeilingRefused(t *testing.T) {
	s := toys.Load(t, strings.Replace(toys.Study, "coin", "rf", 1))
	watch := &notes{}
	options := run.Options{Dir: t.TempDir(), Progress: watch,
		Memory: run.MemoryCeiling{Bytes: 1e6, Source: "--memory"}}
	_, err := run.Run(t.Context(), nil, s, options)
	errtest.Contains(t, err, "the memory limit of 1 MB (--memory) is too low")
	note := strings.Join(watch.texts, "\n")
	if !strings.HasPrefix(note, "rf at ") ||
		!strings.HasSuffix(note, " MB of memory, more than the limit of 1 MB (--memory)") {
		t.Errorf("reported %q", note)
	}
}
