package table

import (
	"fmt"
	"math"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/verdicts"
)

// maxPairs is the largest number of pairs that notShown lists, and maxRows the largest number of rows per pair.
const maxPairs, maxRows = 3, 2

// An openPair is a pair of classifiers that a row does not show to differ.
type openPair struct{ against, other string }

// openPairs are the pairs of classifiers that rows with enough results do not show to differ.
type openPairs struct {
	pairs     []openPair
	rows      map[openPair][]string // the rows of each pair, in words
	low, high float64               // range of detectable differences, in loss; high is 0: unknown
}

// openPairs collects the pairs that are not shown to differ. It skips rows with too few results to
// show any difference.
func (t *Table) openPairs() openPairs {
	open := openPairs{rows: map[openPair][]string{}, low: math.Inf(1)}
	for i := range t.Rows {
		best := &t.Rows[i].best
		if !best.Attainable {
			continue
		}
		row := t.view.InWords(t.Factors, t.Rows[i].Levels)
		for _, q := range best.Comparisons {
			if !q.Worse && !q.Better {
				open.add(openPair{best.Against, q.Other}, row, &q)
			}
		}
	}
	return open
}

// add adds a pair in one row, with its comparison.
func (o *openPairs) add(p openPair, row string, q *verdicts.Comparison) {
	o.pairs = view.AddNew(o.pairs, p)
	o.rows[p] = append(o.rows[p], row)
	if detectable(q) && q.Detectable > 0 {
		o.low, o.high = min(o.low, q.Detectable), max(o.high, q.Detectable)
	}
}

// notShown returns "No difference is shown between SLB and SLB- (three-parent, n = 200), RF and
// DCC (4 rows). The tests detect differences of 0.5 to 2.4 percentage points with 80 percent power."
// It returns "" if all differences are shown.
func (t *Table) notShown() string {
	open := t.openPairs()
	if open.pairs == nil {
		return ""
	}
	var parts []string
	for _, p := range open.pairs[:min(len(open.pairs), maxPairs)] {
		parts = append(parts, t.openPairWords(p, open.rows[p]))
	}
	text := "No difference is shown between "
	if t.view.Champion != "" {
		text = t.view.Label(t.view.Champion) + " is not shown to be better than "
	}
	text += strings.Join(parts, ", ")
	if n := len(open.pairs) - maxPairs; n > 0 {
		text += fmt.Sprintf(" and %s", view.Plural(n, "more pair", "more pairs"))
	}
	return text + "." + t.detectableWords(open.low, open.high)
}

// openPairWords returns "SLB and SLB- (three-parent, n = 200)". With a champion, it leaves the
// champion's label out.
func (t *Table) openPairWords(p openPair, rows []string) string {
	words := t.view.Label(p.other)
	if t.view.Champion == "" {
		words = t.view.Label(p.against) + " and " + words
	}
	if len(rows) > maxRows {
		return fmt.Sprintf("%s (%d rows)", words, len(rows))
	}
	if len(t.Rows) > 1 {
		words += " (" + strings.Join(rows, "; ") + ")"
	}
	return words
}

// detectableWords returns " The tests detect differences of 0.5 to 2.4 percentage points with 80
// percent power." It returns "" if high is 0, i.e. unknown.
func (t *Table) detectableWords(low, high float64) string {
	if high == 0 {
		return ""
	}
	found := sheet.Fixed(low*t.Measure.Scale, t.Digits)
	if most := sheet.Fixed(high*t.Measure.Scale, t.Digits); most != found {
		found += " to " + most
	}
	return fmt.Sprintf(" The tests detect differences of %s%s with 80 percent power.", found,
		pad(t.Measure.DifferenceUnit()))
}

// untestable returns "In 2 rows no difference could have been shown: there are too few
// replicates." It returns "" if every tested row could have shown a difference.
func (t *Table) untestable() string {
	few, coarse := 0, 0 // rows with too few results, and rows that more results do not help
	for _, i := range t.testedRows() {
		row := &t.Rows[i]
		switch {
		case row.best.Attainable: // it could show a difference
		case row.needed(t.view.Side()) > 0:
			few++
		default:
			coarse++
		}
	}
	var sentences []string
	if few > 0 {
		sentences = append(sentences, fmt.Sprintf("In %s no difference could have been shown: there are too few %s.",
			view.Plural(few, "row", "rows"), t.view.Units(t.groups)))
	}
	if coarse > 0 {
		sentences = append(sentences, fmt.Sprintf("In %s no difference could have been shown: no p-value of the test "+
			"is as small as its level.", view.Plural(coarse, "row", "rows")))
	}
	return strings.Join(sentences, " ")
}

// setAside returns "Not compared, since more than 5% of their fits failed: QDA in 2 rows." It
// returns "" if no classifier is set aside.
func (t *Table) setAside() string {
	var parts []string
	for k, id := range t.IDs {
		rows := 0
		for i := range t.Rows {
			if t.Rows[i].Entries[k].Aside {
				rows++
			}
		}
		if rows > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", t.view.Label(id), view.Plural(rows, "row", "rows")))
		}
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Not compared, since more than %s%% of their fits failed: %s.",
		view.Number(100*t.view.SetAside), view.And(parts))
}
