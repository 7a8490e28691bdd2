package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// failureNotes adds one footnote for each classifier with failed fits, shared by those with
// the same counts, and a remark on the treatment of failed fits.
func (t *Table) failureNotes() {
	if slices.ContainsFunc(t.groups, t.view.AnyFailed) {
		t.remark(t.view.Treatment("Means, tests and ranks"))
	}
	var notes []string
	columns := map[string][]int{} // columns by note
	for k := range t.IDs {
		note := t.failureNote(k, "")
		if note == "" {
			continue
		}
		notes = view.AddNew(notes, note)
		columns[note] = append(columns[note], k)
	}
	for _, note := range notes {
		t.addFailureNote(note, columns[note])
	}
}

// addFailureNote adds a footnote for some columns and marks their entries with failed fits.
func (t *Table) addFailureNote(note string, columns []int) {
	if len(columns) > 1 {
		note = t.failureNote(columns[0], " of each")
	}
	var labels []string
	for _, k := range columns {
		labels = append(labels, t.Columns[k])
	}
	number := t.note(strings.Join(labels, ", ") + ": " + note)
	for _, k := range columns {
		for i := range t.Rows {
			if e := &t.Rows[i].Entries[k]; e.Failed > 0 {
				e.Note = number
			}
		}
	}
}

// failureNote states how often the classifier of column k failed; "": never. each is put
// after "fits": " of each" for several classifiers.
func (t *Table) failureNote(k int, each string) string {
	failed, tried, rows, aside := 0, 0, 0, 0
	for _, row := range t.Rows {
		e := &row.Entries[k]
		if e.Failed == 0 {
			continue
		}
		failed, tried, rows = failed+e.Failed, tried+e.Tried, rows+1
		if e.Aside {
			aside++
		}
	}
	if failed == 0 {
		return ""
	}
	counts := fmt.Sprintf("%d of %d fits%s failed in", failed, tried, each)
	if t.view.Units(t.groups) == "tasks" {
		counts = fmt.Sprintf("a fit%s failed in %d of %d tasks of", each, failed, tried)
	}
	text := fmt.Sprintf("%s %s.", counts, view.Plural(rows, "cell, which is marked", "cells, which are marked"))
	if aside > 0 {
		text += fmt.Sprintf(" Set aside in %s, without mean, test and rank.", view.Plural(aside, "cell", "cells"))
	}
	return text
}

// fewerRemark names the classifiers that have results for only a part of a row: a study may
// run a classifier in some of the cells that the row pools.
func (t *Table) fewerRemark() {
	v := t.view
	for k := range t.IDs {
		var parts []string
		for i := range t.Rows {
			e := &t.Rows[i].Entries[k]
			if n := e.N; n > 0 && n < t.Rows[i].run() {
				units := ""
				if parts == nil {
					units = " " + v.Units(t.groups)
				}
				parts = append(parts, fmt.Sprintf("%d of %d%s%s", n, t.Rows[i].run(), units, inRow(t, i)))
			}
		}
		switch {
		case len(parts) > maxRowsListed:
			t.remark(fmt.Sprintf("%s was not run on all data of %d rows: its means there are over fewer %s than "+
				"others', tests use those of both.", t.Columns[k], len(parts), v.Units(t.groups)))
		case parts != nil:
			t.remark(fmt.Sprintf("%s was not run on all data: its mean is over %s, tests use those of both.",
				t.Columns[k], strings.Join(parts, "; ")))
		}
	}
}

// betterRemark names the classifiers that the pairs of a row show to be better than the
// classifier with the best mean; both are bold.
func (t *Table) betterRemark() {
	for i := range t.Rows {
		for k := range t.IDs {
			if q := t.Rows[i].Entries[k].Compared; q != nil && q.Better {
				t.remark(fmt.Sprintf("%s is shown to be better than %s where both have results%s, though by its "+
					"mean it is not: both are bold.",
					t.Columns[k], t.Columns[slices.Index(t.IDs, t.Rows[i].best.Against)], inRow(t, i)))
			}
		}
	}
}

// doubtfulRemark names the comparisons whose test is doubtful (Comparison.Doubtful): by
// skewness alone where tests are of means, else also since means and tests may disagree.
func (t *Table) doubtfulRemark() {
	if names := t.doubtful(true); names != "" {
		t.remark(fmt.Sprintf("The paired differences have a skewness beyond 2, so that the level of their test is "+
			"approximate, for %s.", names))
	}
	if names := t.doubtful(false); names != "" {
		t.remark(fmt.Sprintf("Means and tests may disagree (test: t or permutation compares means): "+
			"the mean difference from the best and the tested estimate differ in sign, or the differences have "+
			"a skewness beyond 2, for %s.", names))
	}
}

// doubtful lists the doubtful comparisons of the rows whose tests are of means, or of the
// other rows; "" if there are none.
func (t *Table) doubtful(ofMeans bool) string {
	var parts []string
	for i := range t.Rows {
		if t.Rows[i].testsMeans() != ofMeans {
			continue
		}
		var names []string
		for k := range t.IDs {
			if q := t.Rows[i].Entries[k].Compared; q != nil && q.Doubtful() {
				names = append(names, t.Columns[k])
			}
		}
		if names != nil {
			parts = append(parts, strings.Join(names, ", ")+inRow(t, i))
		}
	}
	if n := len(parts) - maxRowsListed; n > 0 {
		parts = append(parts[:maxRowsListed], fmt.Sprintf("and in %d more rows", n))
	}
	return strings.Join(parts, "; ")
}

// inRow returns " in n 200, d 10" for row i; "" if it is the only one.
func inRow(t *Table, i int) string {
	if len(t.Rows) == 1 {
		return ""
	}
	var where []string
	for j, label := range t.Rows[i].Labels {
		where = append(where, t.Heads[j]+" "+label)
	}
	return " in " + strings.Join(where, ", ")
}

// maxRowsListed is the largest number of rows that a remark lists; the CSV file has all.
const maxRowsListed = 24

// replicatesRemark states the replicates of each row if an incomplete run left some rows with
// fewer. It adds nothing if there are too many rows to list.
func (t *Table) replicatesRemark() {
	differ := slices.ContainsFunc(t.Rows, func(r Row) bool { return r.run() != t.Rows[0].run() })
	if !differ || len(t.Rows) > maxRowsListed {
		return
	}
	var parts []string
	for i := range t.Rows {
		parts = append(parts, fmt.Sprintf("%d%s", t.Rows[i].run(), inRow(t, i)))
	}
	t.remark("R by row: " + strings.Join(parts, "; ") + ".")
}

// poolingRemark warns if rows pool several cells of the design.
func (t *Table) poolingRemark() {
	if words := t.view.Pooling("Each row", t.groups); words != "" {
		t.remark(words)
	}
}

// attainabilityNote marks the rows in which nothing is compared since the champion did not
// run, and the rows in which no p-value can be small enough.
func (t *Table) attainabilityNote() {
	v := t.view
	for i, row := range t.Rows {
		if v.Champion != "" && row.best.Best != "" && !slices.Contains(row.best.Family, v.Champion) {
			t.Rows[i].Note = t.note(fmt.Sprintf("%s did not run, so nothing is compared and nothing printed in bold "+
				"here.", v.Label(v.Champion)))
			continue
		}
		if row.best.Best == "" || row.best.Attainable || len(row.best.Comparisons) == 0 {
			continue // nothing is tested, or a difference can be significant
		}
		const nothing = "so nothing is distinguished and nothing printed in bold here"
		why := fmt.Sprintf("No p-value of the %s is as small as level %.3g, %s: %s.", row.test.Label, row.best.Level,
			nothing, row.test.Floor)
		if n := row.needed(v.Side()); n > 0 {
			why = fmt.Sprintf("Too few %s: at least %d are needed before any difference can be significant at level "+
				"%.3g, %s.", v.TestedUnits(t.groups[i:i+1]), n, row.best.Level, nothing)
		}
		t.Rows[i].Note = t.note(why)
	}
}

// needed returns the smallest number of results with which a difference in the row could be
// significant; 0 if more results do not help.
func (r *Row) needed(a stats.Alternative) int {
	most := 0
	for _, q := range r.best.Comparisons {
		most = max(most, q.Pairs)
	}
	return r.test.Needed(most, r.best.Level, a)
}

// Remarks on rows with one test set.
const (
	onItsRows = "There is one test set, and classifiers are compared on its rows: conclusions concern these fits on " +
		"further test rows, not other training sets."
	notTested = "There is one test set: differences between replicates say nothing of other test rows, so nothing is " +
		"tested; predictions: keep allows tests on its rows"
)

// oneTestSetNotes explains the conclusions from rows with one test set. It reports whether
// all rows of the table are untested for that reason.
func (t *Table) oneTestSetNotes() (untested bool) {
	var without []int // rows with one test set and without tests
	fixed := 0        // rows with one test set
	for i := range t.Rows {
		if t.Rows[i].best.Best == "" || !t.view.FixedTest(&t.groups[i]) {
			continue
		}
		if fixed++; len(t.Rows[i].best.Comparisons) == 0 {
			without = append(without, i)
		}
	}
	if fixed > len(without) {
		t.remark(onItsRows)
	}
	if untested = fixed > 0 && len(without) == len(t.Rows); untested {
		t.remark(notTested + ".")
		return true
	}
	for _, i := range without {
		t.Rows[i].Note = t.note(notTested + " and nothing printed in bold here.")
	}
	return false
}

// maxNamesListed is the largest number of names that the remark on a warning lists.
const maxNamesListed = 5

// warningRemarks adds the warnings of successful fits. Warnings that differ in numbers and
// names alone share a remark.
func (t *Table) warningRemarks() {
	var rows []*records.Record
	for _, id := range t.IDs {
		for _, g := range t.groups {
			for _, c := range g.Cells {
				for i := range c.Rows {
					if c.Rows[i].Classifier == id {
						rows = append(rows, &c.Rows[i])
					}
				}
			}
		}
	}
	for _, w := range records.GroupWarnings(rows) {
		such, more := "", ""
		if w.Vary {
			such = ", such as"
		} else if len(w.Names) > 1 {
			more = "; likewise " + listed(w.Names[1:])
		}
		t.remark(fmt.Sprintf("%s%s: %s%s.", t.warningCounts(w.Fits), such, strings.TrimSuffix(w.First, "."), more))
	}
}

// warningCounts returns "SLB warned in 3 fits, LDA in 2" from the number of fits by
// classifier.
func (t *Table) warningCounts(fits map[string]int) string {
	var counts []string
	for k, id := range t.IDs {
		n := fits[id]
		switch {
		case n == 0: // no warning
		case counts == nil:
			counts = append(counts, fmt.Sprintf("%s warned in %s", t.Columns[k], view.Plural(n, "fit", "fits")))
		default:
			counts = append(counts, fmt.Sprintf("%s in %d", t.Columns[k], n))
		}
	}
	return strings.Join(counts, ", ")
}

// listed joins names: all of a few, else the first ones and the number of others.
func listed(names []string) string {
	last := names[len(names)-1]
	if others := len(names) - maxNamesListed; others > 1 {
		names, last = names[:maxNamesListed+1], fmt.Sprintf("%d others", others)
	}
	if len(names) == 1 {
		return last
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + last
}

// lackingNotes names the classifiers with successful fits that lack the shown metric.
func (t *Table) lackingNotes() {
	if t.Measure.Metric.Needs == metrics.Process {
		t.unmeasuredNote()
	}
	if !t.Measure.IsRate {
		return
	}
	for k, id := range t.IDs {
		lacking, undefined := t.lacking(id)
		if undefined > 0 {
			t.remark(fmt.Sprintf("%s: %s left out, whose test rows give no %s: none is of the class that it is "+
				"about, or all are of one class.",
				t.Columns[k], view.Plural(undefined, "result is", "results are"), t.Measure.Name))
		}
		if lacking > 0 {
			remedy := ""
			if t.Measure.Metric.Needs == metrics.Probabilities {
				remedy = " (probabilities: platt makes some of its scores)"
			}
			t.remark(fmt.Sprintf("%s: %s without %s, which needs %s that the classifier does not give%s or the "+
				"record, of an earlier version or study file, does not hold.",
				t.Columns[k], view.Plural(lacking, "result is",
					"results are"), t.Measure.Name, t.Measure.Metric.Needs, remedy))
		}
	}
}

// lacking counts a classifier's successful fits without the shown metric: undefined if their
// test rows do not define it, else lacking.
func (t *Table) lacking(id string) (lacking, undefined int) {
	for i := range t.groups {
		for c := range t.groups[i].Cells {
			cell := &t.groups[i].Cells[c]
			for r := range cell.Rows {
				row := &cell.Rows[r]
				switch {
				case row.Classifier != id || row.Status != records.OK || !math.IsNaN(cell.Loss(t.Measure.Metric, row)):
				case t.Measure.Metric.Undefined(row.Confusion):
					undefined++
				default:
					lacking++
				}
			}
		}
	}
	return lacking, undefined
}

// classifierRemarks adds the remarks of the classifiers, one for all with the same text.
func (t *Table) classifierRemarks() {
	v := t.view
	var added []string
	for _, id := range t.IDs {
		c := v.Component(id)
		if c == nil || c.Remark == "" || slices.Contains(added, c.Remark) {
			continue
		}
		added = append(added, c.Remark)
		var columns []string
		for k, other := range t.IDs {
			if o := v.Component(other); o != nil && o.Remark == c.Remark {
				columns = append(columns, t.Columns[k])
			}
		}
		t.remark(fmt.Sprintf("%s: %s.", strings.Join(columns, ", "), c.Remark))
	}
}

// unmeasuredNote names the classifiers whose memory was not measured.
func (t *Table) unmeasuredNote() {
	var without []string
	for k := range t.IDs {
		if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Entries[k].N == 0 }) {
			without = append(without, t.Columns[k])
		}
	}
	if len(without) > 0 {
		t.remark(fmt.Sprintf("%s: no %s where a dash stands. Only external programs have a process of their own, "+
			"whose memory can be measured.", strings.Join(without, ", "), t.Measure.Name))
	}
}

// dataRemarks adds remarks on missing results, extensions of the study and the data.
func (t *Table) dataRemarks() {
	v := t.view
	if text := v.Lacking(); text != "" {
		t.remark(text)
	}
	if v.Extensions != nil {
		t.remark(fmt.Sprintf("The study was extended: %s. Levels hold if the differences were not looked at before.",
			strings.Join(v.Extensions, ", ")))
	}
	var added []string
	for _, g := range t.groups {
		for _, c := range g.Cells {
			if text := v.Remarks[c.ID]; text != "" && !slices.Contains(added, text) {
				added = append(added, text)
				t.remark(text)
			}
		}
	}
}
