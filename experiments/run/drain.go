package run

import (
	"fmt"
	"runtime/debug"
)

// UnlessDrained calls work and returns its error. If drain is closed before work ends, it returns
// ErrDrained at once. The work then continues until the process ends, so it must leave valid files
// if it is killed. If work panics, UnlessDrained returns an error with the stack.
func UnlessDrained(drain <-chan struct{}, work func() error) error {
	done := make(chan error, 1) // has room, so that unfinished work can end
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		done <- work()
	}()
	select {
	case err := <-done:
		return err
	case <-drain:
		return ErrDrained
	}
}
