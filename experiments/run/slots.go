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
// alone to measure its memory, which all trials are assumed to need.
type slots struct {
	allowed, maxParallel int // current and largest possible number of parallel trials
	ceiling              MemoryCeiling
	base, peak           int64            // bytes in use before the first trial, and the maximum while it runs
	measuring            <-chan time.Time // ticks when memory must be measured; nil unless the first trial is running
	gcPercent            int              // GOGC before the measurement
}

const (
	lookEvery = 5 * time.Millisecond
	tightGC   = 25   // GOGC during the measurement
	relaxedGC = 400  // GOGC otherwise, because trials hold little memory but produce much garbage
	leastNeed = 16e6 // smallest memory use assumed for a trial, in bytes
)

// newSlots returns slots for up to maxParallel trials, or an error if the memory ceiling is too low
// for any trial. With a ceiling, only the first trial may run until its memory has been measured.
// newSlots changes the settings of Go's memory management, which restore resets.
func newSlots(maxParallel int, ceiling MemoryCeiling) (h *slots, restore func(), err error) {
	h = &slots{allowed: maxParallel, maxParallel: maxParallel, ceiling: ceiling}
	restoreGC := relaxGC()
	if ceiling.Bytes == 0 {
		return h, restoreGC, nil // the memory is unlimited
	}
	debug.FreeOSMemory() // so that the measurement does not include garbage
	h.base = heldMemory()
	limit := ceiling.limit()
	if h.base+leastNeed > limit {
		restoreGC()
		return nil, nil, fmt.Errorf(
			"the memory limit of %s (%s) is too low: copse, the study and its results take %s, and "+
				"a trial needs at least %s more",
			config.FormatBytes(ceiling.Bytes), ceiling.Source, config.FormatBytes(h.base),
			config.FormatBytes(leastNeed))
	}
	earlierLimit := debug.SetMemoryLimit(limit)
	if maxParallel > 1 { // measure the memory of the first trial, which runs alone
		h.allowed = 1
		h.measuring = time.Tick(lookEvery)
		h.gcPercent = debug.SetGCPercent(tightGC) // the previous value, which endMeasurement restores
	}
	restore = func() {
		h.endMeasurement()
		debug.SetMemoryLimit(earlierLimit)
		restoreGC()
	}
	return h, restore, nil
}

// relaxGC makes the garbage collector run less often, unless the user set GOGC.
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

func (h *slots) measure() { h.peak = max(h.peak, heldMemory()) }

// endMeasurement ends the measurement if one is running.
func (h *slots) endMeasurement() {
	if h.measuring != nil {
		h.measuring = nil
		debug.SetGCPercent(h.gcPercent)
	}
}

// setAllowed must be called after each trial. If the memory of this trial was measured, setAllowed
// sets the number of parallel trials and returns a note for the user. Otherwise, it returns "".
func (h *slots) setAllowed() string {
	if h.measuring == nil {
		return "" // the number is already set
	}
	h.measure()
	h.endMeasurement()
	need := max(leastNeed, h.peak-h.base) // bytes of the first trial; the others need about as much
	room := h.ceiling.limit() - h.base    // bytes for all trials
	h.allowed = int(min(int64(h.maxParallel), max(1, room/need)))
	text := fmt.Sprintf("memory limit %s (%s): the first trial took %s, so %d will run at the same time",
		config.FormatBytes(h.ceiling.Bytes), h.ceiling.Source, config.FormatBytes(need), h.allowed)
	if need > room {
		text += "; even one trial may exceed the limit"
	}
	return text
}
