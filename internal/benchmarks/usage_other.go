//go:build !unix

package main

import "os"

func cpuSeconds() float64 {
	panic("benchmarks: this system reports no processor times; run the benchmarks on Linux")
}

func peakMegabytes(*os.ProcessState) float64 { return 0 }
