package dataset

import (
	"context"
	"sync"
	"time"
)

// Derived returns the value that compute derives from s, such as an estimate that several classifiers
// need. The first call with a key computes the value; later calls return the same value, which must
// not be changed. s stores the values.
//
// The type of the key belongs to the caller, so that keys of different packages differ. A key
// determines the value and its type V. Concurrent calls with one key wait for the first, or until
// ctx is done. compute may derive other values of s, but not the value of its own key. Errors are
// not stored, since the first call may have been cancelled.
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

// WithoutDerived returns a Set with the same rows and labels and without derived values.
func (s *Set) WithoutDerived() *Set {
	return &Set{X: s.X, Y: s.Y, Attributes: s.Attributes, Classes: s.Classes}
}

// A memo stores the derived values of a Set by their keys. Its zero value is empty. It must not be
// copied.
type memo struct {
	mu     sync.Mutex
	values map[any]*derived
	clock  sharedClock
}

// A derived is a derived value. Only a goroutine whose element is in turn, a channel with capacity 1,
// may use the other fields.
type derived struct {
	turn  chan struct{}
	known bool
	value any
	own   time.Duration // of compute, without the time of the values that it derived itself
	inner []any         // the keys of these values
}

// at returns the derived value of a key, which may not be known yet.
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
