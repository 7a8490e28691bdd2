package dataset

import (
	"slices"
	"sync"
	"time"
)

// A sharedClock measures the time that a user of a Set saved because other users had derived values
// before. A user is one fit. With this time, the seconds of a classifier do not depend on the order
// of the classifiers.
type sharedClock struct {
	mu      sync.Mutex
	charged map[any]bool  // keys that the present user computed or was charged for
	saved   time.Duration // by the present user
	inside  time.Duration // of computations inside the current one
	order   []any         // keys in the order of their first use by the present user
}

// now is the clock; tests replace it.
var now = time.Now

// StartSharing starts the clock of a new user of the values derived from s.
func (s *Set) StartSharing() {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charged, c.saved, c.order = map[any]bool{}, 0, nil
}

// Saved returns the time that the user saved since StartSharing: the sum of the computing times of
// all values that were stored before, each counted once.
func (s *Set) Saved() time.Duration {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// start starts the clock of a computation. end stops it and returns the time of the computation,
// without computations inside it, and the keys that it used.
func (c *sharedClock) start(key any) (end func() (own time.Duration, inner []any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use(key)
	from, outer, begin := len(c.order), c.inside, now()
	c.inside = 0
	return func() (time.Duration, []any) {
		c.mu.Lock()
		defer c.mu.Unlock()
		elapsed := now().Sub(begin)
		own := elapsed - c.inside
		c.inside = outer + elapsed
		return own, slices.Clone(c.order[min(from, len(c.order)):])
	}
}

// use records that the present user uses a key. It returns false if the user did so before.
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

// charge adds the computing time of a stored value to the saved time, unless the present user was
// charged for it before, and likewise for the values from which it was computed.
func (m *memo) charge(key any) {
	m.clock.mu.Lock()
	defer m.clock.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.chargeLocked(key)
}

// chargeLocked is charge for a caller with both locks.
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
