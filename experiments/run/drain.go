package run

import (
	"fmt"
	"runtime/debug"
	"time"
)

// Intervals between the notes that UnlessDrained sends.
const (
	firstNote = 2 * time.Second
	nextNotes = 10 * time.Second
)

// UnlessDrained calls the function work and returns its error. If drain is closed first,
// UnlessDrained returns ErrDrained immediately. A nil drain never closes.
//
// After ErrDrained, the function work continues until the process ends. It must therefore leave
// valid files even if it is killed.
//
// If work panics, UnlessDrained returns an error that contains the stack. If work takes a long
// time, UnlessDrained calls progress.Note with the given name and the elapsed time.
func UnlessDrained(drain <-chan struct{}, progress Progress, name string, work func() error) error {
	began := time.Now()
	done := make(chan error, 1) // buffered, so that work can end even if nobody receives the error
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		done <- work()
	}()
	for wait := firstNote; ; wait = nextNotes {
		select {
		case err := <-done:
			return err
		case <-drain:
			return ErrDrained
		case <-time.After(wait):
			progress.Note(fmt.Sprintf("%s, %s", name, time.Since(began).Round(time.Second)))
		}
	}
}
