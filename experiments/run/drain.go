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

// UnlessDrained calls work and returns its error. A panic becomes an error with the stack. If drain
// is closed first, UnlessDrained returns ErrDrained immediately. drain may be nil.
//
// After ErrDrained, work continues until the process ends, so it must leave valid files even if it
// is killed.
//
// While work takes long, UnlessDrained notes its name and the elapsed time.
func UnlessDrained(drain <-chan struct{}, progress Progress, name string, work func() error) error {
	began := time.Now()
	done := make(chan error, 1) // buffered, so that work can end
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
