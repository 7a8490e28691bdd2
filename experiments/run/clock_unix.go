//go:build unix

package run

import (
	"syscall"
	"time"
)

// clock returns the CPU time of this process in seconds.
func clock() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // cannot fail, because the arguments are valid
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}
