package run

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"copse/internal/errtest"
)

// A signal ends the wait for unfinished work. A panic in the work becomes an error.
func TestUnlessDrained(t *testing.T) {
	drain := make(chan struct{})
	failure := errors.New("unreadable")
	if err := UnlessDrained(drain, silent{}, "reading", func() error { return failure }); err != failure {
		t.Errorf("got %v", err)
	}
	err := UnlessDrained(drain, silent{}, "reading", func() error { panic("no rows") })
	errtest.Contains(t, err, "panic: no rows")
	release := make(chan struct{})
	defer close(release)
	close(drain)
	if err := UnlessDrained(drain, silent{}, "reading", func() error { <-release; return nil }); err != ErrDrained {
		t.Errorf("got %v", err)
	}
}

// Long work is reported after two seconds and then every ten seconds.
func TestUnlessDrainedNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var progress notes
		work := func() error { time.Sleep(15 * time.Second); return nil }
		if err := UnlessDrained(nil, &progress, "reading results", work); err != nil {
			t.Fatal(err)
		}
		want := []string{"reading results, 2s", "reading results, 12s"}
		if !slices.Equal(progress.text, want) {
			t.Errorf("got %q, want %q", progress.text, want)
		}
	})
}
