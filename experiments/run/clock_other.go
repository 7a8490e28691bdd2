//go:build !unix

package run

import "time"

var began = time.Now()

// clock shows the seconds that have passed: no processor times are known here.
func clock() float64 { return time.Since(began).Seconds() }
