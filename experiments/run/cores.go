package run

import (
	"sync"
	"sync/atomic"
)

// cores are as many as there are workers, of which some wait for a trial, or for
// none any more: those help the trials under way.
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

// idle takes a core that is idle, if there is one; its user puts it back.
func (c *cores) idle() bool {
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

// do is parallel.Do on the caller's core and those that are idle. A panic in one of
// them is the caller's.
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
		if !c.idle() {
			break
		}
		helpers.Add(1)
		go func() {
			defer helpers.Done()
			defer c.busy.Add(-1)
			defer func() {
				if p := recover(); p != nil {
					next.Store(int64(n)) // nobody needs the rest
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
