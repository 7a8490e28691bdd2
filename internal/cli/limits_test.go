//go:build !linux

package cli

// limitProcess sets no limits: the tests that want some are for Linux alone.
func limitProcess() {}
