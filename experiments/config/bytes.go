package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

var bytesPattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([kKMGT]?)(|i?B)$`)

// ParseBytes reads a number of bytes: 800MB and 2GB count in thousands, 2GiB and
// 2G in 1024s, as Slurm and Kubernetes write them.
func ParseBytes(text string) (int64, error) {
	parts := bytesPattern.FindStringSubmatch(text)
	if parts == nil || parts[2] == "" && parts[3] == "iB" {
		return 0, fmt.Errorf(
			"%q is no amount of memory; want a number with a unit, such as 800MB, 2GB or 1.5GiB",
			text,
		)
	}
	number, err := strconv.ParseFloat(parts[1], 64)
	unit := 1024.0
	if parts[3] == "B" {
		unit = 1000
	}
	if prefix := strings.ToUpper(parts[2]); prefix != "" {
		number *= math.Pow(unit, float64(1+strings.Index("KMGT", prefix)))
	}
	if err != nil || number >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is more memory than can be counted", text)
	}
	return int64(number), nil
}

// FormatBytes writes a number of bytes with two significant digits or more, in
// thousands.
func FormatBytes(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.0f MB", float64(n)/1e6)
}
