//go:build unix

package run

import (
	"syscall"
	"time"
)

// clock shows the seconds that this process had a processor: a pilot tells the same
// beside other work.
func clock() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // the arguments are legal
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}
