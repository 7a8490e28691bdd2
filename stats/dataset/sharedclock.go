package dataset

import (
	"slices"
	"sync"
	"time"
)

// A sharedClock measures how much time a fit saves because earlier fits on the same Set have
// already computed some values.
//
// The sum of used and saved time does not depend on the order of the fits.
type sharedClock struct {
	mu       sync.Mutex
	charged  map[any]bool  // keys of the values already used by the current fit
	saved    time.Duration // time that the current fit has saved
	uses     []any         // keys of all uses of values by the current fit, in order
	computed time.Duration // computing time of all values, of all fits
}

// now returns the current time. Tests replace this function.
var now = time.Now

// StartSharing marks the beginning of a new fit on s, for Saved.
func (s *Set) StartSharing() {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charged, c.saved, c.uses = map[any]bool{}, 0, nil
}

// Saved returns the time that the current fit has saved: the computing time of all cached values
// that it used, each counted once.
func (s *Set) Saved() time.Duration {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// A computation is the state of a sharedClock when the computation of a value begins.
type computation struct {
	clock    *sharedClock
	uses     int           // len(clock.uses), including the key of the value itself
	computed time.Duration // clock.computed
	begin    time.Time
}

// start begins the computation of the value of a key.
func (c *sharedClock) start(key any) computation {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key)
	return computation{clock: c, uses: len(c.uses), computed: c.computed, begin: now()}
}

// stop ends a computation. The result own is its time without the time of nested computations.
// inner contains the keys of all values that it used, directly or indirectly.
func (m computation) stop() (own time.Duration, inner []any) {
	c := m.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	// Computations do not overlap, because only one fit at a time may use a Set. So every other
	// computation since m.begin was nested in this one.
	nested := c.computed - m.computed
	own = now().Sub(m.begin) - nested
	c.computed += own
	// StartSharing empties c.uses. If it was called since m.begin, inner contains only the keys
	// used after that call.
	from := min(m.uses, len(c.uses))
	return own, slices.Clone(c.uses[from:])
}

func (c *sharedClock) use(key any) bool {
	if c.charged == nil {
		c.charged = map[any]bool{}
	}
	first := !c.charged[key]
	c.charged[key] = true
	c.uses = append(c.uses, key)
	return first
}

// addSaved adds the computing times of a cached value and of all values from which it was computed,
// if the current fit has not used them yet.
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
