package dataset

import (
	"slices"
	"sync"
	"time"
)

// A sharedClock measures how much time a fit saves because earlier fits on the same Set have already computed
// some of the values that it needs. StartSharing marks the beginning of each fit. The sum of measured and
// saved time does not depend on the order of the fits.
type sharedClock struct {
	mu       sync.Mutex
	charged  map[any]bool  // keys of the values already used by the current fit
	saved    time.Duration // time that the current fit has saved
	uses     []any         // keys of all uses of values by the current fit, in order
	computed time.Duration // computing time of all values, of all fits
}

// now returns the current time. Tests replace this function.
var now = time.Now

// StartSharing marks the beginning of a new fit on s. Saved will return the time that this fit saves, because
// earlier fits have already computed some of the values that it needs.
func (s *Set) StartSharing() {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charged, c.saved, c.uses = map[any]bool{}, 0, nil
}

// Saved returns the time that the current fit has saved since StartSharing. It is the total computing time
// of all cached values that the fit used, each counted once.
func (s *Set) Saved() time.Duration {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// start starts the clock for computing the value of a key, and end stops it. own is the computing time without
// nested computations. inner lists the keys of all values that the computation used, directly or indirectly.
// All computations between start and end count as nested, because a Set serves one fit at a time.
func (c *sharedClock) start(key any) (end func() (own time.Duration, inner []any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key) // before usesBefore is set, because inner does not contain the key itself
	usesBefore, timeBefore := len(c.uses), c.computed
	begin := now()
	return func() (time.Duration, []any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		nested := c.computed - timeBefore // the computations that ended since begin
		own := now().Sub(begin) - nested
		c.computed += own
		// c.uses lists the used keys in order. The result inner is the part of this list that was added since start.
		// If StartSharing was called since then, it has emptied the list, and inner lacks some keys.
		return own, slices.Clone(c.uses[min(usesBefore, len(c.uses)):])
	}
}

// use marks the value of a key as used by the current fit. It returns false if the value was already
// marked.
func (c *sharedClock) use(key any) bool {
	if c.charged == nil {
		c.charged = map[any]bool{}
	}
	first := !c.charged[key]
	c.charged[key], c.uses = true, append(c.uses, key)
	return first
}

// addSaved increases the saved time by the computing times of a cached value and of all values from which it
// was computed. It skips values that the current fit has already used.
func (m *memo) addSaved(key any) {
	m.clock.mu.Lock()
	defer m.clock.mu.Unlock()
	m.addSavedLocked(key)
}

// addSavedLocked implements addSaved. The caller must hold the lock of the clock.
func (m *memo) addSavedLocked(key any) {
	if !m.clock.use(key) {
		return
	}
	d := m.at(key)
	m.clock.saved += d.own
	for _, inner := range d.inner {
		m.addSavedLocked(inner)
	}
}
