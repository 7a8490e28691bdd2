package dataset

import (
	"sync"
	"time"
)

// A sharedClock tells how long one user of a Set would have waited for what others
// had derived before, so that a classifier's time does not depend on who came
// first.
type sharedClock struct {
	mu      sync.Mutex
	charged map[any]bool // keys that the present user has waited or been charged for
	saved   time.Duration
	inside  time.Duration // of the computation under way, spent on those within it
	order   []any         // keys in the order of their first use
}

// now is replaced in tests.
var now = time.Now

// StartSharing begins the count of a new user of what is derived from s.
func (s *Set) StartSharing() {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	c.charged, c.saved, c.order = map[any]bool{}, 0, nil
}

// Saved returns the time that deriving anew would have taken since StartSharing:
// of each value that was there already, once.
func (s *Set) Saved() time.Duration {
	c := &s.derived.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.saved
}

// start begins a computation; end returns the time that it took itself and the
// keys that it used.
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
		return own, append([]any(nil), c.order[min(from, len(c.order)):]...)
	}
}

// use notes a key, and tells whether it is new to the present user.
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

// charge adds the time of a value that was there already, and of what it was made
// from, unless the present user has paid for it.
func (m *memo) charge(key any) {
	m.clock.mu.Lock()
	defer m.clock.mu.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	var pay func(key any)
	pay = func(key any) {
		if !m.clock.use(key) {
			return
		}
		if d := m.values[key]; d != nil {
			m.clock.saved += d.own
			for _, k := range d.inner {
				pay(k)
			}
		}
	}
	pay(key)
}
