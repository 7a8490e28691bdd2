package results_test

import (
	"maps"
	"testing"

	"copse/experiments/run"
	"copse/internal/toys"
)

// The manifest counts fits that failed before they succeeded, also without the journals. It forgets the fits of
// results that are no longer records.
func TestRetriedFits(t *testing.T) {
	dir := t.TempDir()
	check := func(want map[string]int, assignments ...string) {
		t.Helper()
		toys.Run(t, toys.Load(t, toys.Study, assignments...), run.Options{Dir: dir, RetryFailed: true})
		if got := toys.Open(t, dir).Manifest.CountRetried(); !maps.Equal(got, want) {
			t.Errorf("%q: retried fits %v, want %v", assignments, got, want)
		}
	}
	all := map[string]int{"centroid": 4, "coin": 4, "oracle": 4}
	check(nil, "replicates=1", "time_limit=1ns")
	check(all, "replicates=1", "time_limit=1m")
	check(all, "replicates=2", "time_limit=1m")
	removeJournals(t, dir)
	check(all, "replicates=3", "time_limit=1m")
	delete(all, "centroid")
	check(all, "replicates=3", "classifiers.centroid.axis=2")
}
