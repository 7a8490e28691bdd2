package dataset

import (
	"slices"
	"sync"
	"time"
)

// A sharedClock measures the time that a fit saves because earlier fits on the same Set have
// computed some values. StartSharing marks the beginning of each fit. The sum of measured and saved
// time does not depend on the order of the fits.
type sharedClock struct {
	mu       sync.Mutex
	charged  map[any]bool  // keys of the values already used by the current fit
	saved    time.Duration // time that the current fit has saved
	uses     []any         // keys of all uses of values by the current fit, in order
	computed time.Duration // computing time of all values, of all fits
}

// now returns the current time. Tests replace this function.
var now = time.Now

// StartSharing marks the beginning of a new fit on s. Saved then returns the time that this fit
// saves, because earlier fits have computed values that it needs.
func (s *Set) StartSharing() {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charged, c.saved, c.uses = map[any]bool{}, 0, nil
}

// Saved returns the time that the current fit has saved. It is the total computing time of all
// cached values that the fit used, each counted once.
func (s *Set) Saved() time.Duration {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// start starts the clock for computing the value of a key, and end stops it. own is the computing
// time without nested computations. inner lists the keys of all values that the computation used,
// directly or indirectly.
func (c *sharedClock) start(key any) (end func() (own time.Duration, inner []any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key) // before usesBefore is set, because inner does not contain the key itself
	usesBefore, timeBefore := len(c.uses), c.computed
	begin := now()
	return func() (time.Duration, []any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		// All computations since begin are nested, because a Set serves one fit at a time.
		nested := c.computed - timeBefore
		own := now().Sub(begin) - nested
		c.computed += own
		// inner is the part of c.uses that was added since start. StartSharing empties c.uses, so
		// inner may then lack some keys.
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

// addSaved adds the computing time of a cached value to the saved time. It also adds the times of
// all values from which this value was computed. It skips values that the current fit has already
// used.
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
