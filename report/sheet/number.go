package sheet

import (
	"fmt"
	"math"
	"math/big"
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

// CSVText is a text as a spreadsheet shows it: what it would compute, or hand to
// another program, begins with an apostrophe.
func CSVText(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err != nil && s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// OrNA writes the absent level of a factor as NA.
func OrNA(s string) string {
	if s == "" {
		return "NA"
	}
	return CSVText(s)
}

// Signed prints a number with its sign; zero has none.
func Signed(v float64, digits int) string {
	text := Fixed(v, digits)
	if strings.HasPrefix(text, "−") || strings.Trim(text, "0.") == "" {
		return text
	}
	return "+" + text
}

// PValue prints a p-value as papers do.
func PValue(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}

// Fixed writes v with so many decimals and the sign that print has, half to even of the decimal number that v
// is to twelve digits: a mean of rates has the same digits whichever way it was
// computed and scaled.
func Fixed(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', digits, 64)
	}
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'e', 11, 64))
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	exact.Mul(exact, new(big.Rat).SetInt(ten))
	whole, rest := new(big.Int).QuoRem(exact.Num(), exact.Denom(), new(big.Int))
	twice := rest.Abs(rest).Lsh(rest, 1)
	if c := twice.Cmp(exact.Denom()); c > 0 || c == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(int64(exact.Sign())))
	}
	return strings.Replace(new(big.Rat).SetFrac(whole, ten).FloatString(digits), "-", "−", 1)
}

// Sortable writes a number for sorting; empty when there is none.
func Sortable(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 12, 64)
}
