//go:build !linux

package cli

// limitProcess sets no limits, because the tests that need them run only on Linux.
func limitProcess() {}
