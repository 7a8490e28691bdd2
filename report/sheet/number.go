package sheet

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Number returns the entry of a number v that is printed as text; a dash for NaN.
func Number(v float64, text string) Entry {
	if math.IsNaN(v) {
		return Entry{Main: "–"}
	}
	return Entry{Main: text, Value: Sortable(v)}
}

// Full formats v with all its digits, for CSV files; "NA" for NaN.
func Full(v float64) string {
	if math.IsNaN(v) {
		return "NA"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// CSVText returns a text for a CSV file. A text that a spreadsheet would run as a formula begins
// with an apostrophe; numbers are unchanged.
func CSVText(s string) string {
	isFormula := s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0]))
	if _, notNumber := strconv.ParseFloat(s, 64); notNumber != nil && isFormula {
		return "'" + s
	}
	return s
}

// OrNA returns a level for a CSV file; "NA" for "", the level of an absent factor.
func OrNA(s string) string {
	if s == "" {
		return "NA"
	}
	return CSVText(s)
}

// Signed formats a number with its sign; zero has none.
func Signed(v float64, digits int) string {
	text := Fixed(v, digits)
	if strings.HasPrefix(text, "−") || strings.Trim(text, "0.") == "" {
		return text
	}
	return "+" + text
}

// PValue formats a p-value as "= 0.012" or "< 0.001".
func PValue(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}

// Fixed formats v with a number of decimals and a typographic minus. It first rounds v to twelve
// significant digits and then that decimal number, half to even, so that a mean of rates has the
// same digits however it was computed and scaled.
func Fixed(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', digits, 64)
	}
	scaled, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', 11, 64)) // a decimal number always parses
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	scaled.Mul(scaled, new(big.Rat).SetInt(unit))
	whole, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	doubled := rest.Abs(rest).Lsh(rest, 1)
	toHalf := doubled.Cmp(scaled.Denom()) // the rest against one half
	isOdd := whole.Bit(0) == 1
	if toHalf > 0 || toHalf == 0 && isOdd {
		whole.Add(whole, big.NewInt(int64(scaled.Sign())))
	}
	return strings.Replace(new(big.Rat).SetFrac(whole, unit).FloatString(digits), "-", "−", 1)
}

// Sortable formats a number for sorting; "" for NaN.
func Sortable(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
