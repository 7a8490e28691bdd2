package dataset

import (
	"context"
	"sync"
	"time"
)

// Derived returns what compute derives from s. The first call with a key
// computes, later ones get the same value, which nobody may change: an
// estimate that several classifiers need is made once for each training set.
// Values are dropped with the Set.
//
// Keys are comparable values of a type of the caller's own, which tells them
// from everyone else's; a key determines the value and its type V. Concurrent
// callers of one key wait for the one that computes, or until ctx is done.
// compute may derive other values, not its own. An error is returned but not
// kept: the same data give the same one again, and a cancelled call must not
// speak for the next.
func Derived[K comparable, V any](ctx context.Context, s *Set, key K, compute func() (V, error)) (V, error) {
	d := s.derived.at(key)
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
	if !d.known {
		end := s.derived.clock.start(key)
		value, err := compute()
		d.own, d.inner = end()
		if err != nil {
			return value, err
		}
		d.value, d.known = value, true
		return value, nil
	}
	s.derived.charge(key)
	return d.value.(V), nil
}

// WithoutDerived returns the same rows and labels as a Set from which nothing has been
// derived yet, for timings and tests.
func (s *Set) WithoutDerived() *Set {
	return &Set{X: s.X, Y: s.Y, Attributes: s.Attributes, Classes: s.Classes}
}

// A memo holds the derived values of one Set by their keys. Its zero value is
// empty; a Set that holds one must not be copied.
type memo struct {
	mu     sync.Mutex
	values map[any]*derived
	clock  sharedClock
}

// A derived is one value; whoever has put something into turn, which holds one
// thing, may read and write the rest.
type derived struct {
	turn  chan struct{}
	known bool
	value any
	own   time.Duration // that compute took, without what it derived in turn
	inner []any         // the keys of that
}

func (m *memo) at(key any) *derived {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.values[key]
	if !ok {
		d = &derived{turn: make(chan struct{}, 1)}
		if m.values == nil {
			m.values = map[any]*derived{}
		}
		m.values[key] = d
	}
	return d
}
