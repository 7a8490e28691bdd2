//go:build !unix

package run

import "time"

var began = time.Now()

// clock returns the seconds since the start, because copse cannot read the processor time on this
// platform.
func clock() float64 { return time.Since(began).Seconds() }
