package dataset

import (
	"context"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"
)

// Derived returns a value that the function compute derives from s, and caches it in s under the
// key. Callers must not modify the value. Errors are not cached.
//
// The key must determine the value and its type. The type K of the key must belong to the calling
// package.
//
// A concurrent call with the same key waits for the first call, or until ctx is done. compute may
// call Derived with other keys.
func Derived[K comparable, V any](ctx context.Context, s *Set, key K, compute func() (V, error)) (V, error) {
	cached := s.derived.at(key)
	if err := cached.acquire(ctx); err != nil { // waits for a concurrent call
		var none V
		return none, err
	}
	defer cached.release()
	if cached.known {
		s.derived.addSaved(key) // counts the computing time that the cache saves
		return cached.value.(V), nil
	}
	value, err := timed(s, cached, key, compute) // calls compute and measures its time
	if err != nil {
		return value, err
	}
	cached.value, cached.known = value, true
	return value, nil
}

// timed returns the result of compute. It stores the computing time in d.own. In d.inner, it stores
// the keys of all values that compute used.
func timed[V any](s *Set, d *derived, key any, compute func() (V, error)) (V, error) {
	computation := s.derived.clock.start(key)
	value, err := compute()
	d.own, d.inner = computation.stop()
	return value, err
}

// WithoutDerived returns a Set with the same rows and labels and an empty cache of derived values.
func (s *Set) WithoutDerived() *Set { return s.WithValues(s.X) }

// WithValues returns a Set with the values x, the labels and attributes of s, and an empty cache.
func (s *Set) WithValues(x *mat.Dense) *Set {
	return &Set{X: x, Y: s.Y, Groups: s.Groups, Attributes: s.Attributes, Classes: s.Classes}
}

// A memo caches the derived values of a Set by key. It must not be copied.
type memo struct {
	values sync.Map // of *derived
	clock  sharedClock
}

type derived struct {
	lock  chan struct{} // mutex for the other fields; locked while this channel of capacity 1 is full
	known bool          // value has been computed
	value any
	own   time.Duration // computing time, excluding the derived values that were used
	inner []any         // keys of the derived values that compute used
}

// acquire locks d for the caller, unless ctx is done first.
func (d *derived) acquire(ctx context.Context) error {
	select {
	case d.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *derived) release() { <-d.lock }

// at returns the entry of a key, which is empty if the key is new.
func (m *memo) at(key any) *derived {
	d, _ := m.values.LoadOrStore(key, &derived{lock: make(chan struct{}, 1)})
	return d.(*derived)
}
