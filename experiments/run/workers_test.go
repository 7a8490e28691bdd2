package run_test

import (
	"strings"
	"testing"

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
