package run

import (
	"sync"
	"sync/atomic"
)

// cores counts the busy cores of the workers. A worker without a trial leaves its core
// idle, and running trials may then use it.
type cores struct {
	all  int64
	busy atomic.Int64
}

// run marks one core as busy while f runs. Trials do not wait for helpers to end.
func (c *cores) run(f func()) {
	c.busy.Add(1)
	defer c.busy.Add(-1)
	f()
}

// acquire marks an idle core as busy and reports whether there was one. The caller
// releases it by subtracting 1 from busy.
func (c *cores) acquire() bool {
	for {
		busy := c.busy.Load()
		if busy >= c.all {
			return false
		}
		if c.busy.CompareAndSwap(busy, busy+1) {
			return true
		}
	}
}

// do calls work() once per core and the returned function for each i < n, on the caller's
// core and on idle ones. A panic on any core panics in the caller.
func (c *cores) do(n int, work func() func(i int)) {
	var next atomic.Int64
	share := func() {
		f := work()
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			f(int(i))
		}
	}
	var helpers sync.WaitGroup
	panics := make(chan any, n)
	for range n - 1 {
		if !c.acquire() {
			break
		}
		helpers.Add(1)
		go func() {
			defer helpers.Done()
			defer c.busy.Add(-1)
			defer func() {
				if p := recover(); p != nil {
					next.Store(int64(n)) // the others stop early
					panics <- p
				}
			}()
			share()
		}()
	}
	defer func() { // also when the caller's own share panics
		helpers.Wait()
		select {
		case p := <-panics:
			panic(p)
		default:
		}
	}()
	share()
}
