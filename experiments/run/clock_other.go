//go:build !unix

package run

import "time"

var began = time.Now()

// clock returns the seconds since the program started. It replaces the processor time, which copse
// cannot read on this platform.
func clock() float64 { return time.Since(began).Seconds() }
