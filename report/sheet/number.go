package sheet

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Number returns a table entry that shows text and is sorted by v. If v is NaN, it shows a dash.
func Number(v float64, text string) Entry {
	if math.IsNaN(v) {
		return Entry{Main: "–"}
	}
	return Entry{Main: text, SortKey: Sortable(v)}
}

// Word returns a table entry that shows text and is sorted by it.
func Word(text string) Entry { return Entry{Main: text, SortKey: text, IsText: true} }

// Full formats v with all its digits for CSV files. It returns "NA" for NaN.
func Full(v float64) string {
	if math.IsNaN(v) {
		return "NA"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// CSVText returns s for a CSV file. If a spreadsheet would interpret s as a formula, an apostrophe precedes it.
func CSVText(s string) string {
	isFormula := s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0]))
	if _, notNumber := strconv.ParseFloat(s, 64); notNumber != nil && isFormula {
		return "'" + s
	}
	return s
}

// OrNA returns CSVText(s), or "NA" if s is empty.
func OrNA(s string) string {
	if s == "" {
		return "NA"
	}
	return CSVText(s)
}

// Signed formats a number with its sign, except that zero has no sign.
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

// Scientific is a number of decimals that selects scientific notation. It remains negative if further decimals
// are added, as for standard errors.
const Scientific = math.MinInt

// Fixed formats v with the given number of decimals and a typographic minus sign. It rounds half to even, but
// first removes rounding errors beyond twelve digits.
//
// If digits is negative, as Scientific is, Fixed uses scientific notation with three significant digits, such as
// "2.55e-12".
func Fixed(v float64, digits int) string {
	if digits < 0 && v != 0 {
		return typographic(strconv.FormatFloat(v, 'e', 2, 64))
	}
	digits = max(digits, 0)
	text := strconv.FormatFloat(v, 'e', 11, 64)
	decimal, isFinite := new(big.Rat).SetString(text)
	if !isFinite {
		return text
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	scaled := decimal.Mul(decimal, new(big.Rat).SetInt(power))
	rounded := new(big.Rat).SetFrac(halfToEven(scaled), power)
	return typographic(rounded.FloatString(digits))
}

func typographic(number string) string {
	if positive, isNegative := strings.CutPrefix(number, "-"); isNegative {
		return "−" + positive
	}
	return number
}

// halfToEven rounds r to the nearest integer, or to the even one of two equally near integers.
func halfToEven(r *big.Rat) *big.Int {
	sum := new(big.Rat).Add(r, big.NewRat(1, 2))
	rounded := new(big.Int).Div(sum.Num(), sum.Denom()) // rounds half up
	if isHalf := sum.IsInt(); isHalf && rounded.Bit(0) == 1 {
		rounded.Sub(rounded, big.NewInt(1))
	}
	return rounded
}

// Sortable formats a number as a sorting key. It returns "" for NaN.
func Sortable(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
