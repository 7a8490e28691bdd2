package run

import (
	"sync"
	"sync/atomic"
)

// cores counts the processor cores in use. Each worker owns one core, which a running trial may use
// while the worker is waiting.
type cores struct {
	all  int64 // number of cores
	busy atomic.Int64
}

// run calls f and counts one more core as busy until f returns.
func (c *cores) run(f func()) {
	c.busy.Add(1)
	defer c.busy.Add(-1)
	f()
}

// acquire reports whether a core is idle, and if so counts it as busy. The caller later subtracts 1
// from busy.
func (c *cores) acquire() bool {
	for busy := c.busy.Load(); busy < c.all; busy = c.busy.Load() {
		if c.busy.CompareAndSwap(busy, busy+1) {
			return true
		}
	}
	return false
}

// processAll processes the items 0, ..., n-1 in parallel, on the caller's core and on idle cores.
// Each core calls start once, and passes items to the function that start returned until none is
// left. If a call panics, processAll panics.
func (c *cores) processAll(n int, start func() func(i int)) {
	var next atomic.Int64 // the next item that a core takes
	takeItems := func() {
		process := start()
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			process(int(i))
		}
	}
	panics := make(chan any, n) // on other cores, at most one from each
	keepPanic := func() {
		if p := recover(); p != nil {
			next.Store(int64(n)) // so that other cores stop
			panics <- p
		}
	}
	help := func() {
		defer c.busy.Add(-1) // acquire has counted this core as busy
		defer keepPanic()
		takeItems()
	}
	var helpers sync.WaitGroup
	for range n - 1 {
		if !c.acquire() {
			break // no core is idle
		}
		helpers.Go(help)
	}
	waitForHelpers := func() {
		helpers.Wait()
		if len(panics) > 0 {
			panic(<-panics)
		}
	}
	defer waitForHelpers() // also after a panic on the caller's core
	takeItems()
}
