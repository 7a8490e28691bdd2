//go:build unix

package main

import (
	"os"
	"syscall"
	"time"
)

// cpuSeconds returns the processor time that this process has used, in seconds.
func cpuSeconds() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // the arguments are legal
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()).Seconds()
}

// peakMegabytes returns the peak resident memory of a finished process, in megabytes.
func peakMegabytes(p *os.ProcessState) float64 {
	r, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	const kilobytes = 1024 // Linux counts in kilobytes
	return float64(r.Maxrss) / kilobytes
}
