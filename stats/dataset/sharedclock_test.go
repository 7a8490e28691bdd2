package dataset

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// The time of a derived value, and of the values from which it is made, counts once for each user, whoever
// computes it.
func TestSavedTime(t *testing.T) {
	var clock time.Duration
	now = func() time.Time { return time.Unix(0, 0).Add(clock) }
	defer func() { now = time.Now }()
	type key string
	s := New(mat.NewDense(1, 1, nil), []int{0}, 1)
	var derive func(name key) int
	takes := map[key]time.Duration{"a": 5, "b": 7, "ab": 1, "abc": 2, "c": 11, "d": 3, "de": 4}
	parts := map[key][]key{"ab": {"a", "b"}, "abc": {"ab", "c"}, "de": {"d"}}
	derive = func(name key) int {
		v, _ := Derived(t.Context(), s, name, func() (int, error) {
			for _, p := range parts[name] {
				derive(p)
			}
			clock += takes[name]
			return len(name), nil
		})
		return v
	}
	for i, user := range []struct {
		uses  []key
		total time.Duration // waited and saved together: what it takes alone
	}{
		{[]key{"a", "a"}, 5},
		{[]key{"ab", "b"}, 13},
		{[]key{"b", "ab"}, 13},
		{[]key{"a"}, 5},
		{[]key{"abc"}, 26},
		{[]key{"c", "abc", "a"}, 26},
		{[]key{"d", "de"}, 7}, // computes de after using d
		{[]key{"de"}, 7},
		{nil, 0},
	} {
		s.StartSharing()
		before := clock
		for _, k := range user.uses {
			derive(k)
		}
		if got := clock - before + s.Saved(); got != user.total {
			t.Errorf("user %d, %v: waited %d, saved %d, want %d in all",
				i, user.uses, clock-before, s.Saved(), user.total)
		}
	}
}
