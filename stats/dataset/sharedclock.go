package dataset

import (
	"slices"
	"sync"
	"time"
)

// A sharedClock measures the time that the current fit saves because earlier fits on the same Set computed
// values that it needs, too. The measured plus the saved time does not depend on the order of the fits.
// StartSharing begins the current fit.
type sharedClock struct {
	mu      sync.Mutex
	charged map[any]bool  // keys of the values that the current fit has used
	saved   time.Duration // time that the current fit has saved
	inside  time.Duration // time of the computations that the current computation has started
	order   []any         // keys in the order in which the current fit first used their values
}

// now returns the time. Tests replace it.
var now = time.Now

// StartSharing starts to measure the saved time of a new fit on s.
func (s *Set) StartSharing() {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charged, c.saved, c.order = map[any]bool{}, 0, nil
}

// Saved returns the time that the fit has saved since StartSharing: the sum of the computing times of all
// stored values that it used, each counted once.
func (s *Set) Saved() time.Duration {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// start begins to measure the computation of the value with a key. end returns the time of the computation
// without the computations that it started, and the keys of all values that it used.
func (c *sharedClock) start(key any) (end func() (own time.Duration, inner []any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key)
	from := len(c.order) // the keys from here on are those that the computation uses
	outer, begin := c.inside, now()
	c.inside = 0
	return func() (time.Duration, []any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		elapsed := now().Sub(begin)
		own := elapsed - c.inside
		c.inside = outer + elapsed
		return own, slices.Clone(c.order[min(from, len(c.order)):]) // StartSharing may have emptied c.order
	}
}

// use records that the current fit uses the value with a key. It returns false if it has done so before.
func (c *sharedClock) use(key any) bool {
	if c.charged[key] {
		return false
	}
	if c.charged == nil {
		c.charged = map[any]bool{}
	}
	c.charged[key], c.order = true, append(c.order, key)
	return true
}

// charge adds the computing times of a stored value, and of all values from which it was computed, to the
// saved time, unless the current fit has used them before.
func (m *memo) charge(key any) {
	m.clock.mu.Lock()
	defer m.clock.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.chargeLocked(key)
}

// chargeLocked does the work of charge. The caller holds both locks.
func (m *memo) chargeLocked(key any) {
	d := m.values[key]
	if !m.clock.use(key) || d == nil {
		return
	}
	m.clock.saved += d.own
	for _, inner := range d.inner {
		m.chargeLocked(inner)
	}
}
