package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// bytesPattern matches a number, an optional prefix such as M, and an optional unit B or iB.
var bytesPattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([kKMGT]?)(|i?B)$`)

const unitRule = "want a number with a unit, such as `800MB` or `1.5GiB`"

// ParseBytes parses an amount of memory and returns it in bytes. MB means 1000*1000 bytes. MiB and
// M mean 1024*1024 bytes, as in Slurm. Only 0 needs no unit.
func ParseBytes(text string) (int64, error) {
	// the match, number, prefix and unit, such as "8MB", "8", "M", "B"
	parts := bytesPattern.FindStringSubmatch(text)
	isAmount := parts != nil && !(parts[2] == "" && parts[3] == "iB") // iB needs a prefix, as in MiB
	if !isAmount {
		return 0, fmt.Errorf("%q is not an amount of memory; %s", text, unitRule)
	}
	number, prefix, unit := parts[1], strings.ToUpper(parts[2]), parts[3]
	bytes, _ := strconv.ParseFloat(number, 64) // infinite if the number is too large
	if lacksUnit := prefix == "" && unit == ""; lacksUnit && bytes != 0 {
		return 0, fmt.Errorf("%s, got %s", unitRule, text)
	}
	base := 1024.0
	if unit == "B" {
		base = 1000
	}
	if prefix != "" {
		power := 1 + strings.Index("KMGT", prefix)
		bytes *= math.Pow(base, float64(power))
	}
	if bytes >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is too large an amount of memory", text)
	}
	return int64(bytes), nil
}

// FormatBytes formats a number of bytes in GB, or in MB below 1 GB.
func FormatBytes(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}
