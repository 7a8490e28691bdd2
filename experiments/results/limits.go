package results

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"copse/experiments/config"
	"copse/stats/records"
)

// limitExceeded matches the reason of a failure if a time or memory limit was exceeded.
var limitExceeded = regexp.MustCompile(`^(data: )?((time|memory) limit of .* exceeded)( by the generator)?$`)

// ExceededLimit returns the limit that stopped a fit or a draw, as in "time limit of 10m0s
// exceeded", or "".
func ExceededLimit(r *records.Record) string {
	if r.Status != records.Failed {
		return ""
	}
	if match := limitExceeded.FindStringSubmatch(r.Reason()); match != nil {
		return match[2] // without the words about failed draws
	}
	return ""
}

// earlierLimits returns a note for each earlier time or memory limit that stopped a fit.
func (s *Selection) earlierLimits() (notes []string) {
	failed := map[string]int{} // number of records, by limit
	for _, r := range s.Failures() {
		if limit := ExceededLimit(&r); limit != "" {
			failed[limit]++
		}
	}
	// The current limits have the same form as in ExceededLimit.
	delete(failed, fmt.Sprintf("time limit of %s exceeded", s.study.TimeLimit))
	for _, p := range s.study.Programs() {
		delete(failed, fmt.Sprintf("memory limit of %s exceeded", config.FormatBytes(p.Memory)))
	}
	for _, limit := range slices.Sorted(maps.Keys(failed)) {
		notes = append(notes, fmt.Sprintf("failed fits at an earlier limit (%s): %d; `copse run --retry-failed` "+
			"repeats them", limit, failed[limit]))
	}
	return notes
}
