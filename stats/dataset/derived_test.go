package dataset

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type keyA struct{ k int }
type keyB struct{ k int }

func newDerivedSet() *Set { return New(mat.NewDense(1, 1, nil), []int{0}, 1) }

func TestDerivedComputesOnce(t *testing.T) {
	ctx, s, other := t.Context(), newDerivedSet(), newDerivedSet()
	anew := s.WithoutDerived()
	calls := 0
	next := func() (int, error) { calls++; return calls, nil }
	for range 2 {
		for i, ask := range []func() (int, error){
			func() (int, error) { return Derived(ctx, s, keyA{1}, next) },
			func() (int, error) { return Derived(ctx, s, keyA{2}, next) },
			func() (int, error) { return Derived(ctx, s, keyB{1}, next) },
			func() (int, error) { return Derived(ctx, other, keyA{1}, next) },
			func() (int, error) { return Derived(ctx, anew, keyA{1}, next) },
			func() (int, error) {
				return Derived(ctx, s, keyA{3}, func() (int, error) { return Derived(ctx, s, keyA{4}, next) })
			},
		} {
			if got, err := ask(); got != i+1 || err != nil {
				t.Errorf("value %d: %d, %v", i+1, got, err)
			}
		}
	}
}

func TestDerivedForgetsErrors(t *testing.T) {
	ctx, s := t.Context(), newDerivedSet()
	broken := errors.New("broken")
	for _, ask := range []struct {
		value     string
		err, want error
	}{{"", broken, broken}, {"", context.Canceled, context.Canceled}, {"value", nil, nil}, {"", broken, nil}} {
		got, err := Derived(ctx, s, keyA{}, func() (string, error) { return ask.value, ask.err })
		if err != ask.want || err == nil && got != "value" {
			t.Errorf("%+v: %q, %v", ask, got, err)
		}
	}
	func() {
		defer func() { recover() }()
		_, _ = Derived(ctx, s, keyB{}, func() (int, error) { panic("caller's bug") })
	}()
	if got, err := Derived(ctx, s, keyB{}, func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("after a panic: %d, %v", got, err)
	}
}

// While a value is computed, callers that need another value do not wait. Callers that need the same value
// wait until it exists or their context is done.
func TestDerivedWhileComputing(t *testing.T) {
	s := newDerivedSet()
	_, err := Derived(t.Context(), s, keyA{}, func() (int, error) {
		if got, err := Derived(t.Context(), s, keyB{}, func() (int, error) { return 1, nil }); got != 1 ||
			err != nil {
			t.Errorf("another value: %d, %v", got, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := Derived(ctx, s, keyA{}, func() (int, error) { t.Error("computed twice"); return 0, nil })
		return 0, err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestDerivedUnderConcurrency(t *testing.T) {
	s := newDerivedSet()
	var calls atomic.Int32
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for k := range 50 {
				k = (k + 7*g) % 50
				v, err := Derived(t.Context(), s, keyA{k},
					func() ([]int, error) { calls.Add(1); return []int{k}, nil })
				if err != nil || v[0] != k {
					t.Errorf("value of %d: %v, %v", k, v, err)
				}
			}
		})
	}
	wg.Wait()
	if calls.Load() != 50 {
		t.Errorf("computed %d times, want 50", calls.Load())
	}
}
