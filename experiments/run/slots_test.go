package run

import (
	"strings"
	"testing"
	"time"
)

// As many trials run at a time as fit into the memory limit, minus the memory of the process before the first
// trial.
func TestSlotsFollowTheFirstTrial(t *testing.T) {
	const base, trial = 4e12, 1e12 // far above what this process holds
	h := &slots{
		allowed:     1,
		maxParallel: 8,
		ceiling:     MemoryCeiling{Bytes: base + 3.5*trial, Source: "a test", Exact: true},
		base:        base,
		peak:        base + trial,
		measuring:   time.Tick(time.Hour),
		gcPercent:   100,
	}
	note := h.setAllowed()
	if h.allowed != 3 || !strings.HasSuffix(note, "so 3 will run at the same time") {
		t.Errorf("%d trials at a time, noted as %q; want 3", h.allowed, note)
	}
}
