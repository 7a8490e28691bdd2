package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
)

// Findings says in sentences what the tests of a table show: who is smallest in how
// many rows, who is shown to be best, and what that rests on, unless that was said
// before. Empty without tests.
func Findings(v *view.View, t *Table, said bool) string {
	if !t.HasTests() {
		return ""
	}
	v = v.Testing(t.Test)
	rows, shown, ties := 0, 0, 0
	smallest, alone, among := map[string]int{}, map[string]int{}, map[string]int{}
	for _, r := range t.Rows {
		if r.best.Best == "" {
			continue
		}
		rows++
		for _, id := range r.best.Tied {
			smallest[id]++
		}
		if len(r.best.Tied) > 1 {
			ties++
		}
		if !r.best.Attainable {
			continue
		}
		shown++
		for _, id := range r.best.Members {
			among[id]++
			if len(r.best.Members) == 1 {
				alone[id]++
			}
		}
	}
	extreme := "smallest"
	if t.Measure.LargerIsBetter() {
		extreme = "largest"
	}
	var b strings.Builder
	b.WriteString(tally(v, t, smallest, fmt.Sprintf("has the %s mean %s in", extreme, t.Measure.Name), fmt.Sprintf(" of %s", view.Plural(rows, "row", "rows"))))
	if ties > 0 {
		fmt.Fprintf(&b, "; a tie, as in %s, counts for each", view.Plural(ties, "row", "rows"))
	}
	b.WriteString(".")
	_, most := v.Sizes(t.groups, t.Family, v.Champion)
	test := fmt.Sprintf("%s (%s, within each row)", testWords(v, t.groups), levelWords(v, v.Comparisons(most)))
	if shown > 0 && v.Champion != "" {
		fmt.Fprintf(&b, " By %s %s.", test, beaten(v, t))
	} else if shown > 0 {
		if said {
			test = "the same test"
		}
		fmt.Fprintf(&b, " By %s %s", test, orNobody(tally(v, t, alone, "is shown to be better than all others in", "")))
		if !maps.Equal(alone, among) {
			fmt.Fprintf(&b, "; with no difference from the best shown, %s", tally(v, t, among, "is among the best in", ""))
		}
		b.WriteString(".")
	}
	return b.String() + hopeless(v, t)
}

// hopeless says in how many rows no difference could have been shown, and why.
func hopeless(v *view.View, t *Table) (words string) {
	rows := map[bool]int{} // by whether more results would help
	for _, r := range t.Rows {
		if len(r.best.Comparisons) > 0 && !r.best.Attainable {
			rows[r.needed(v.Side()) > 0]++
		}
	}
	for _, more := range []bool{true, false} {
		why := "there are too few " + v.Units(t.groups)
		if !more {
			why = "the test gives no p-value as small as its level"
		}
		if rows[more] > 0 {
			words += fmt.Sprintf(" In %s no difference could have been shown, for %s.", view.Plural(rows[more], "row", "rows"), why)
		}
	}
	return words
}

// beaten says how often the champion is shown to be better than each other.
func beaten(v *view.View, t *Table) string {
	counts := map[string]int{}
	for _, r := range t.Rows {
		for _, q := range r.best.Comparisons {
			if q.Worse && r.best.Attainable {
				counts[q.Other]++
			}
		}
	}
	champion := v.Label(v.Champion)
	if len(counts) == 0 {
		return champion + " is not shown to be better than any other classifier in any row"
	}
	var parts []string
	for _, id := range t.IDs {
		if counts[id] > 0 {
			parts = append(parts, fmt.Sprintf("%s in %d", v.Label(id), counts[id]))
		}
	}
	return fmt.Sprintf("%s is shown to be better than %s of %s", champion, strings.Join(parts, ", than "), view.Plural(len(t.Rows), "row", "rows"))
}

func orNobody(s string) string {
	if s == "" {
		return "no classifier is shown to be better than all others in any row"
	}
	return s
}

// tally writes counts, largest first: "A has x in 20 of 30 rows, B in 8 and C in 2".
func tally(v *view.View, t *Table, counts map[string]int, verb, of string) string {
	var ids []string
	for _, id := range t.IDs {
		if counts[id] > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int { return counts[b] - counts[a] })
	var b strings.Builder
	for i, id := range ids {
		switch {
		case i == 0:
			fmt.Fprintf(&b, "%s %s %d%s", v.Label(id), verb, counts[id], of)
		case i == len(ids)-1:
			fmt.Fprintf(&b, " and %s in %d", v.Label(id), counts[id])
		default:
			fmt.Fprintf(&b, ", %s in %d", v.Label(id), counts[id])
		}
	}
	return b.String()
}

// testWords names the test and what it pairs.
func testWords(v *view.View, groups []view.Group) string {
	side := "two-sided"
	if v.Side() != stats.TwoSided {
		side = "one-sided"
	}
	tested := slices.DeleteFunc(slices.Clone(groups), func(g view.Group) bool { return v.Refits(&g) })
	return fmt.Sprintf("a %s %s on paired %s", side, v.TestLabels(tested), v.Units(tested))
}

// familyWise names the level of so many comparisons in a row.
func familyWise(v *view.View, comparisons int) string {
	if v.Nominal(v.Champion, comparisons) {
		return "nominal family-wise level"
	}
	return "family-wise level"
}

// levelWords name the level of so many comparisons in a row, and the correction.
func levelWords(v *view.View, comparisons int) string {
	if v.Adjustment() == stats.Uncorrected {
		return fmt.Sprintf("level %s, uncorrected", view.Number(v.Alpha))
	}
	if v.AllPairs() {
		return fmt.Sprintf("%s %s, Bonferroni over all pairs", familyWise(v, comparisons), view.Number(v.Alpha))
	}
	return fmt.Sprintf("%s %s, %s", familyWise(v, comparisons), view.Number(v.Alpha), v.Adjustment())
}
