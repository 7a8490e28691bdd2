package run

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"copse/experiments/config"
)

// slots limits how many trials run at a time. Under a memory ceiling the first trial, the
// longest one, runs alone and its memory is measured; then as many run as the ceiling
// has room for.
type slots struct {
	allowed, most int
	ceiling       MemoryCeiling
	base, peak    int64        // bytes that Go held before the first trial, and at most during it
	look          *time.Ticker // while the first trial runs
	percent       int          // the setting of Go's garbage collector to restore
}

const (
	lookEvery = 5 * time.Millisecond
	tightGC   = 25   // percent of garbage while measuring, so that the peak is what the trial holds
	relaxedGC = 400  // percent otherwise, unless GOGC is set: trials hold little and discard much
	leastNeed = 16e6 // bytes of even the smallest trial: its share of Go's own memory
)

// newSlots allows at most most trials at a time and sets Go's garbage collector for them.
// end restores the settings of the collector.
func newSlots(most int, ceiling MemoryCeiling) (h *slots, end func(), err error) {
	h = &slots{allowed: most, most: most, ceiling: ceiling}
	collect := relaxGC()
	if ceiling.Bytes == 0 {
		return h, collect, nil
	}
	debug.FreeOSMemory() // leaves only memory in use
	h.base = heldMemory()
	if h.base+leastNeed > ceiling.limit() {
		collect()
		return nil, nil, fmt.Errorf(
			"a memory ceiling of %s (%s) leaves nothing for trials: copse, the study and its results take %s, and "+
				"a trial at least %s",
			config.FormatBytes(ceiling.Bytes),
			ceiling.Source,
			config.FormatBytes(h.base),
			config.FormatBytes(leastNeed),
		)
	}
	before := debug.SetMemoryLimit(ceiling.limit())
	if most > 1 {
		h.allowed, h.look, h.percent = 1, time.NewTicker(lookEvery), debug.SetGCPercent(tightGC)
	}
	return h, func() { h.finishLooking(); debug.SetMemoryLimit(before); collect() }, nil
}

// relaxGC makes the garbage collector run less often, unless GOGC is set. undo restores the setting.
func relaxGC() (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(relaxedGC)
	return func() { debug.SetGCPercent(before) }
}

// heldMemory returns the bytes that count against Go's memory limit.
func heldMemory() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}

// ticks returns a channel of times to measure the first trial; nil after it.
func (h *slots) ticks() <-chan time.Time {
	if h.look == nil {
		return nil
	}
	return h.look.C
}

func (h *slots) measure() { h.peak = max(h.peak, heldMemory()) }

func (h *slots) finishLooking() {
	if h.look != nil {
		h.look.Stop()
		h.look = nil
		debug.SetGCPercent(h.percent)
	}
}

// decide ends the measurement after the first trial and sets how many trials may run at a
// time. It returns a note about it; "" when nothing was measured.
func (h *slots) decide() string {
	if h.look == nil {
		return ""
	}
	h.measure()
	h.finishLooking()
	need, room := max(leastNeed, h.peak-h.base), h.ceiling.limit()-h.base
	h.allowed = int(min(int64(h.most), max(1, room/need)))
	text := fmt.Sprintf("memory: at most %s (%s); the first trial took %s: %d at a time",
		config.FormatBytes(h.ceiling.Bytes), h.ceiling.Source, config.FormatBytes(need), h.allowed)
	if need > room {
		text += ", and even one is too many"
	}
	return text
}
