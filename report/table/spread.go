package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/stats/verdicts"
)

// A Spread is a value of Options.Spread: the kind of the numbers in parentheses.
type Spread struct {
	Name    string
	Columns []Column // last columns in the CSV file of the table

	// words explains the numbers in the caption. It returns "" if the table has none.
	words func(*Table) string
	// format formats the numbers of one entry. It returns "" if they are unknown.
	format func(*Table, *Row, *Entry) string
}

// Spreads contains all values of Options.Spread.
var Spreads = []Spread{
	{Name: "sd",
		words:  ifSeveral(func(*Table) string { return "standard deviation" }),
		format: func(t *Table, _ *Row, e *Entry) string { return t.fixedOrNone(e.SD) }},
	{Name: "se",
		words:  ifSeveral((*Table).standardErrorWords),
		format: func(t *Table, _ *Row, e *Entry) string { return t.fixedOrNone(e.MCSE) }},
	{Name: "range", Columns: []Column{{"low", "smallest result", lowEnd}, {"high", "largest result", highEnd}},
		words:  ifSeveral(func(*Table) string { return "smallest–largest" }),
		format: (*Table).formatRange},
	{Name: "p", words: (*Table).pValueWords, format: (*Table).formatPValue},
	{Name: "none",
		words:  func(*Table) string { return "" },
		format: func(*Table, *Row, *Entry) string { return "" }},
}

// spread returns the spread of the table. It panics if Spreads does not contain it.
func (t *Table) spread() *Spread {
	return &Spreads[slices.IndexFunc(Spreads, func(s Spread) bool { return s.Name == t.Spread })]
}

// ifSeveral returns a function that returns the given words. If each mean is over a single result, which has no
// spread, the function returns "".
func ifSeveral(words func(*Table) string) func(*Table) string {
	return func(t *Table) string {
		if resultsIn(t.Rows...).Most == 1 {
			return ""
		}
		return words(t)
	}
}

// standardErrorWords returns a phrase such as "Monte-Carlo standard error of the mean".
func (t *Table) standardErrorWords() string {
	return strings.ReplaceAll(t.view.StandardErrorNoun(t.groups, &t.Measure), "errors", "error of the mean")
}

func (t *Table) pValueWords() string {
	if !t.anyComparison(showsP) {
		return ""
	}
	return fmt.Sprintf("%sp-value of the comparison with %s", t.adjustedWord(), t.comparedWith())
}

// showsP reports whether a table shows the p-value of a comparison.
func showsP(r *Row, q *verdicts.Comparison) bool {
	return q.Pairs > 1 && !math.IsNaN(q.Adjusted) && !hasNoVariation(r, q)
}

func (t *Table) formatPValue(row *Row, e *Entry) string {
	if e.Comparison == nil || !showsP(row, e.Comparison) {
		return ""
	}
	return strings.TrimPrefix(sheet.PValue(e.Comparison.Adjusted), "= ")
}

func (t *Table) formatRange(_ *Row, e *Entry) string {
	if e.N == 1 {
		return ""
	}
	return sheet.Fixed(e.Low, t.Digits) + "–" + sheet.Fixed(e.High, t.Digits)
}

// fixedOrNone formats a value with the decimals of the means. It returns "" if the value is NaN.
func (t *Table) fixedOrNone(value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	return sheet.Fixed(value, t.Digits)
}
