package run

import (
	"errors"
	"strings"
	"testing"
)

// A signal ends the wait for unfinished work, and a panic in the work becomes an error.
func TestUnlessDrained(t *testing.T) {
	drain := make(chan struct{})
	failure := errors.New("unreadable")
	if err := UnlessDrained(drain, func() error { return failure }); err != failure {
		t.Errorf("got %v", err)
	}
	if err := UnlessDrained(drain, func() error { panic("no rows") }); err == nil ||
		!strings.Contains(err.Error(), "panic: no rows") {
		t.Errorf("got %v", err)
	}
	release := make(chan struct{})
	defer close(release)
	close(drain)
	if err := UnlessDrained(drain, func() error { <-release; return nil }); err != ErrDrained {
		t.Errorf("got %v", err)
	}
}
