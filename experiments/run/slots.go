package run

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"copse/experiments/config"
)

// slots limits how many trials run at the same time. With a memory ceiling, the first trial runs
// alone. All further trials are assumed to need as much memory.
type slots struct {
	allowed, maxParallel int // current and largest possible number of parallel trials
	ceiling              MemoryCeiling
	base, peak           int64        // bytes in use before the first trial, and the maximum while it runs
	measuring            *time.Ticker // ticks when memory must be measured; nil unless the first trial is running
	gcPercent            int          // GOGC before the measurement
}

const (
	lookEvery = 5 * time.Millisecond
	tightGC   = 25   // GOGC during the measurement, so that little garbage is measured
	relaxedGC = 400  // GOGC otherwise, because trials hold little memory but produce much garbage
	leastNeed = 16e6 // smallest memory use assumed for a trial, in bytes
)

// newSlots returns slots for up to maxParallel trials, or an error if the ceiling is too low for any
// trial. It changes the settings of Go's memory management. The caller must call restore to reset
// them.
func newSlots(maxParallel int, ceiling MemoryCeiling) (h *slots, restore func(), err error) {
	h = &slots{allowed: maxParallel, maxParallel: maxParallel, ceiling: ceiling}
	restoreGC := relaxGC()
	if ceiling.Bytes == 0 {
		return h, restoreGC, nil
	}
	debug.FreeOSMemory()     // so that the measurement does not include garbage
	h.base = heldMemory()    // memory in use before the first trial
	limit := ceiling.limit() // the ceiling, less some room for memory that Go does not count
	if h.base+leastNeed > limit {
		restoreGC()
		return nil, nil, fmt.Errorf(
			"the memory limit of %s (%s) is too low: copse, the study and its results take %s, and "+
				"a trial needs at least %s more",
			config.FormatBytes(ceiling.Bytes), ceiling.Source, config.FormatBytes(h.base),
			config.FormatBytes(leastNeed))
	}
	earlierLimit := debug.SetMemoryLimit(limit)
	if maxParallel > 1 {
		h.startMeasurement()
	}
	restore = func() {
		h.endMeasurement()
		debug.SetMemoryLimit(earlierLimit)
		restoreGC()
	}
	return h, restore, nil
}

// relaxGC makes the garbage collector run less often, unless the user set GOGC. undo restores the
// previous setting.
func relaxGC() (undo func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(relaxedGC)
	return func() { debug.SetGCPercent(before) }
}

// heldMemory returns the memory that Go's memory limit applies to, in bytes.
func heldMemory() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}

// measureTicks returns a channel that ticks whenever memory must be measured. The channel is nil if no
// measurement is running.
func (h *slots) measureTicks() <-chan time.Time {
	if h.measuring == nil {
		return nil
	}
	return h.measuring.C
}

func (h *slots) measure() { h.peak = max(h.peak, heldMemory()) }

// startMeasurement begins to measure the memory of the first trial, which runs alone.
func (h *slots) startMeasurement() {
	h.allowed = 1
	h.measuring = time.NewTicker(lookEvery)
	h.gcPercent = debug.SetGCPercent(tightGC) // the previous value, which endMeasurement restores
}

// endMeasurement ends the measurement if one is running.
func (h *slots) endMeasurement() {
	if h.measuring != nil {
		h.measuring.Stop()
		h.measuring = nil
		debug.SetGCPercent(h.gcPercent)
	}
}

// setAllowed must be called after each trial. If the memory of the trial was measured, setAllowed
// ends the measurement, sets the number of parallel trials, and returns a note for the user.
// Otherwise, it does nothing and returns "".
func (h *slots) setAllowed() string {
	if h.measuring == nil {
		return ""
	}
	h.measure()
	h.endMeasurement()
	// Assume that every trial needs as much memory as the first one, but at least leastNeed.
	need := max(leastNeed, h.peak-h.base)
	room := h.ceiling.limit() - h.base
	h.allowed = int(min(int64(h.maxParallel), max(1, room/need)))
	text := fmt.Sprintf("memory limit %s (%s): the first trial took %s, so %d will run at the same time",
		config.FormatBytes(h.ceiling.Bytes), h.ceiling.Source, config.FormatBytes(need), h.allowed)
	if need > room {
		text += "; even one trial may exceed the limit"
	}
	return text
}
