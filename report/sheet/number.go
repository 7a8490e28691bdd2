package sheet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number prints a number, a dash where there is none.
func Number(v float64, text string) Entry {
	if math.IsNaN(v) {
		return Entry{Main: "–"}
	}
	return Entry{Main: text, Value: Sortable(v)}
}

// Full writes every digit that v has, NA when there is none.
func Full(v float64) string {
	if math.IsNaN(v) {
		return "NA"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// OrNA writes the absent level of a factor as NA.
func OrNA(s string) string {
	if s == "" {
		return "NA"
	}
	return s
}

// Signed prints a number with its sign; zero has none.
func Signed(v float64, digits int) string {
	text := fmt.Sprintf("%+.*f", digits, v)
	if strings.Trim(text, "+-0.") == "" {
		return text[1:]
	}
	return strings.Replace(text, "-", "−", 1)
}

// PValue prints a p-value as papers do.
func PValue(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}

// Fixed writes v with so many decimals.
func Fixed(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// Sortable writes a number for sorting; empty when there is none.
func Sortable(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
