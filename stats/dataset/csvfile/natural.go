package csvfile

import (
	"cmp"
	"strings"
)

// naturalOrder compares two names of levels or classes. Numbers come before other names and are
// compared by value. In other names, digits are compared by value: x2 comes before x10.
func naturalOrder(a, b string) int {
	va, numberA := decimal(a)
	vb, numberB := decimal(b)
	switch {
	case numberA && numberB:
		return cmp.Or(cmp.Compare(va, vb), strings.Compare(a, b))
	case numberA:
		return -1
	case numberB:
		return 1
	}
	return cmp.Or(compareRuns(a, b), strings.Compare(a, b))
}

// compareRuns compares two strings run by run, and returns -1, 0 or 1. For example, the runs of
// "x10b" are "x", "10" and "b". Two runs of digits are compared as numbers.
func compareRuns(a, b string) int {
	for a != "" && b != "" {
		var runA, runB string
		runA, a = firstRun(a)
		runB, b = firstRun(b)
		if isDigit(runA[0]) && isDigit(runB[0]) {
			// Without leading zeros, the longer number is larger.
			runA, runB = strings.TrimLeft(runA, "0"), strings.TrimLeft(runB, "0")
			if d := cmp.Compare(len(runA), len(runB)); d != 0 {
				return d
			}
		}
		if d := strings.Compare(runA, runB); d != 0 {
			return d
		}
	}
	return cmp.Compare(len(a), len(b))
}

func firstRun(s string) (run, rest string) {
	i := 1
	for i < len(s) && isDigit(s[i]) == isDigit(s[0]) {
		i++
	}
	return s[:i], s[i:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
