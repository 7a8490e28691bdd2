//go:build !unix

package run

import "time"

var began = time.Now()

// clock returns the seconds since the program started. On this platform copse cannot read the
// processor time.
func clock() float64 { return time.Since(began).Seconds() }
