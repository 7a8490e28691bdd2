package run

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// Every piece of work is done once, and never more pieces at a time than there are cores. Trials have
// priority over helpers. A panic reaches the caller.
func TestCoresShareWork(t *testing.T) {
	c := &cores{all: 3}
	var callers sync.WaitGroup
	for range 4 {
		callers.Add(1)
		go c.run(func() {
			defer callers.Done()
			done := make([]int, 200)
			c.processAll(len(done), func() func(int) {
				return func(i int) {
					if busy := c.busy.Load(); busy > 4 { // four callers, and no helper beside them
						t.Errorf("%d at a time", busy)
					}
					if done[i]++; i == 7 { // from within: whoever is idle helps there, too
						c.processAll(3, func() func(int) { return func(int) {} })
					}
				}
			})
			for i, n := range done {
				if n != 1 {
					t.Errorf("piece %d was done %d times", i, n)
				}
			}
		})
	}
	callers.Wait()
	for deadline := time.Now().Add(10 * time.Second); c.busy.Load() != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d cores are busy without work", c.busy.Load())
		}
	}

	for _, bad := range []int{0, 3, 40} {
		func() {
			defer func() {
				if p := recover(); fmt.Sprint(p) != "piece" {
					t.Errorf("recovered %v", p)
				}
			}()
			c.processAll(41, func() func(int) {
				return func(i int) {
					if i == bad {
						panic("piece")
					}
				}
			})
		}()
	}
	if c.busy.Load() != 0 {
		t.Error("a panic keeps a core")
	}
}

// An idle core helps, so two pieces that wait for each other both end.
func TestIdleCoresHelp(t *testing.T) {
	c := &cores{all: 2}
	meet := make(chan int)
	c.run(func() {
		c.processAll(2, func() func(int) {
			return func(i int) {
				select {
				case meet <- i:
				case <-meet:
				case <-time.After(30 * time.Second):
					t.Error("no core helps")
				}
			}
		})
	})
}
