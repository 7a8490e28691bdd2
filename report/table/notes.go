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

// failureNotes adds a remark on the treatment of failed fits, and a footnote for each
// classifier with failed fits. Classifiers with the same counts share a footnote.
func (t *Table) failureNotes() {
	if slices.ContainsFunc(t.groups, t.view.AnyFailed) {
		t.remark(t.view.Treatment("Means, tests and ranks"))
	}
	var notes []string            // in order of first appearance
	columns := map[string][]int{} // by note
	for k := range t.IDs {
		note := t.failureNote(k, "")
		if note == "" {
			continue // no fit of the classifier failed
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
			continue // not marked
		}
		failed += e.Failed
		tried += e.Tried
		rows++
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
	text := fmt.Sprintf("%s %s.", counts, view.Plural(rows, "row, which is marked", "rows, which are marked"))
	if t.contrast != "" {
		text += " Fits at the first level count in each row."
	}
	if aside > 0 {
		text += fmt.Sprintf(" Set aside in %s, without mean, test and rank.", view.Plural(aside, "row", "rows"))
	}
	return text
}

// fewerRemark names the classifiers that have results for only a part of a row: a study may
// run a classifier in some of the cells that the row pools.
func (t *Table) fewerRemark() {
	units := t.view.Units(t.groups)
	for k := range t.IDs {
		rows := t.partialRows(k)
		switch {
		case rows == nil: // it has all results
		case len(rows) > maxRowsListed:
			t.remark(fmt.Sprintf("%s was not run on all data of %d rows: its means there are over fewer %s than "+
				"others', tests use those of both.", t.Columns[k], len(rows), units))
		default:
			t.remark(fmt.Sprintf("%s was not run on all data: its mean is over %s, tests use those of both.",
				t.Columns[k], t.partialWords(k, rows, units)))
		}
	}
}

// partialRows returns the rows in which classifier k has results, but fewer than others.
func (t *Table) partialRows(k int) (rows []int) {
	for i := range t.Rows {
		if n := t.Rows[i].Entries[k].N; n > 0 && n < t.Rows[i].run() {
			rows = append(rows, i)
		}
	}
	return rows
}

// partialWords returns "5 of 10 replicates in n 200; 5 of 10 in n 400": the results of
// classifier k in some rows.
func (t *Table) partialWords(k int, rows []int, units string) string {
	var parts []string
	for _, i := range rows {
		n := fmt.Sprintf("%d of %d", t.Rows[i].Entries[k].N, t.Rows[i].run())
		if parts == nil {
			n += " " + units
		}
		parts = append(parts, n+inRow(t, i))
	}
	return strings.Join(parts, "; ")
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

// doubtful returns "RF, NB in n 200; RF in n 400": the doubtful comparisons of the rows whose
// tests are of means, or of the other rows; "" if there are none.
func (t *Table) doubtful(ofMeans bool) string {
	var parts []string
	for i := range t.Rows {
		if t.Rows[i].testsMeans() != ofMeans {
			continue // the other remark has it
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
	if more := len(parts) - maxRowsListed; more > 0 {
		parts = append(parts[:maxRowsListed], fmt.Sprintf("and in %d more rows", more))
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

// nothingBold ends the footnotes on rows without tests that could show a difference.
const nothingBold = "so nothing is distinguished and nothing printed in bold here"

// attainabilityNote adds a footnote to the rows in which the champion did not run, and to the
// rows in which no p-value can be as small as the level of the test.
func (t *Table) attainabilityNote() {
	for i := range t.Rows {
		row := &t.Rows[i]
		switch {
		case row.best.Best == "": // nothing is compared
		case t.lacksChampion(row):
			row.Note = t.note(fmt.Sprintf("%s did not run, so nothing is compared and nothing printed in bold here.",
				t.view.Label(t.view.Champion)))
		case !row.best.Attainable && len(row.best.Comparisons) > 0:
			row.Note = t.note(t.unattainableWords(i))
		}
	}
}

// lacksChampion reports whether the study has a champion that did not run in a row.
func (t *Table) lacksChampion(row *Row) bool {
	champion := t.view.Champion
	return champion != "" && !slices.Contains(row.best.Family, champion)
}

// unattainableWords explains why no difference in row i can be significant: too few results,
// or a test whose p-values have a lower bound for any number of results.
func (t *Table) unattainableWords(i int) string {
	row := &t.Rows[i]
	if n := row.needed(t.view.Side()); n > 0 {
		return fmt.Sprintf("Too few %s: at least %d are needed before any difference can be significant at level "+
			"%.3g, %s.", t.view.TestedUnits(t.groups[i:i+1]), n, row.best.Level, nothingBold)
	}
	return fmt.Sprintf("No p-value of the %s is as small as level %.3g, %s: %s.", row.test.Label, row.best.Level,
		nothingBold, row.test.Floor)
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

// oneTestSetNotes explains the conclusions from rows with one test set: a remark if tests
// compare classifiers on its rows, else a remark or footnotes on the missing tests.
func (t *Table) oneTestSetNotes() {
	tested := func(i int) bool { return t.hasOneTestSet(i) && len(t.Rows[i].best.Comparisons) > 0 }
	for i := range t.Rows {
		if tested(i) {
			t.remark(onItsRows)
			break
		}
	}
	if t.allUntested() {
		t.remark(notTested + ".")
		return
	}
	for i := range t.Rows {
		if t.hasOneTestSet(i) && !tested(i) {
			t.Rows[i].Note = t.note(notTested + " and nothing printed in bold here.")
		}
	}
}

// trainingNote remarks on rows that show results on training rows.
func (t *Table) trainingNote() {
	for i := range t.Rows {
		if t.view.ScoresTraining(&t.groups[i]) {
			t.remark("With scored: training the results are on the training rows: they describe the fit and not its " +
				"accuracy, so nothing is tested and nothing printed in bold there.")
			return
		}
	}
}

// allUntested reports whether all rows have one test set and none has tests on its rows.
func (t *Table) allUntested() bool {
	for i := range t.Rows {
		if !t.hasOneTestSet(i) || len(t.Rows[i].best.Comparisons) > 0 {
			return false
		}
	}
	return len(t.Rows) > 0
}

// hasOneTestSet reports whether row i has classifiers to compare and one test set.
func (t *Table) hasOneTestSet(i int) bool {
	return t.Rows[i].best.Best != "" && t.view.FixedTest(&t.groups[i])
}

// maxNamesListed is the largest number of names that the remark on a warning lists.
const maxNamesListed = 5

// warningRemarks adds the warnings of successful fits. Warnings that differ in numbers and
// names alone share a remark.
func (t *Table) warningRemarks() {
	for _, w := range records.GroupWarnings(t.records()) {
		suchAs, likewise := "", ""
		if w.Vary {
			suchAs = ", such as"
		} else if len(w.Names) > 1 {
			likewise = "; likewise " + listed(w.Names[1:])
		}
		first := strings.TrimSuffix(w.First, ".")
		t.remark(fmt.Sprintf("%s%s: %s%s.", t.warningCounts(w.Fits), suchAs, first, likewise))
	}
}

// records returns the records behind the table, by classifier and then by row.
func (t *Table) records() (list []*records.Record) {
	for _, id := range t.IDs {
		for _, c := range t.cells() {
			for i := range c.Rows {
				if c.Rows[i].Classifier == id {
					list = append(list, &c.Rows[i])
				}
			}
		}
	}
	return list
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
	if others := len(names) - maxNamesListed; others > 1 {
		names = append(slices.Clone(names[:maxNamesListed]), fmt.Sprintf("%d others", others))
	}
	return view.And(names)
}

// lackingNotes names the classifiers with successful fits that lack the shown metric.
func (t *Table) lackingNotes() {
	if t.Measure.Metric.Needs == metrics.Process {
		t.unmeasuredNote()
	}
	if !t.Measure.IsRate {
		return // every fit has its time
	}
	for k, id := range t.IDs {
		lacking, undefined := t.lacking(id)
		if undefined > 0 {
			t.remark(fmt.Sprintf("%s: %s left out, whose test rows give no %s: none is of the class that it is "+
				"about, or all are of one class.",
				t.Columns[k], view.Plural(undefined, "result is", "results are"), t.Measure.Name))
		}
		if lacking > 0 {
			t.remark(t.lackingWords(k, lacking))
		}
	}
}

// lackingWords explains why results of classifier k lack the metric; lacking is their number.
func (t *Table) lackingWords(k, lacking int) string {
	remedy := ""
	if t.Measure.Metric.Needs == metrics.Probabilities {
		remedy = " (probabilities: platt makes some of its scores)"
	}
	return fmt.Sprintf("%s: %s without %s, which needs %s that the classifier does not give%s or the record, of an "+
		"earlier version or study file, does not hold.", t.Columns[k],
		view.Plural(lacking, "result is", "results are"), t.Measure.Name, t.Measure.Metric.Needs, remedy)
}

// lacking counts a classifier's successful fits without the shown metric: undefined if their
// test rows do not define it, else lacking.
func (t *Table) lacking(id string) (lacking, undefined int) {
	for _, cell := range t.cells() {
		for i := range cell.Rows {
			fit := &cell.Rows[i]
			switch {
			case fit.Classifier != id || fit.Status != records.OK: // another's, or failed
			case !math.IsNaN(cell.Loss(t.Measure.Metric, fit)): // has it
			case t.Measure.Metric.Undefined(fit.Confusion):
				undefined++
			default:
				lacking++
			}
		}
	}
	return lacking, undefined
}

// classifierRemarks adds the remarks of the classifiers, one for all with the same text.
func (t *Table) classifierRemarks() {
	var remarks []string             // in order of first appearance
	columns := map[string][]string{} // by remark
	for k, id := range t.IDs {
		if c := t.view.Component(id); c != nil && c.Remark != "" {
			remarks = view.AddNew(remarks, c.Remark)
			columns[c.Remark] = append(columns[c.Remark], t.Columns[k])
		}
	}
	for _, remark := range remarks {
		t.remark(fmt.Sprintf("%s: %s.", strings.Join(columns[remark], ", "), remark))
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

// dataRemarks adds remarks on missing results of the cells that meet the table's condition, on
// extensions of the study and on the data.
func (t *Table) dataRemarks(where records.Condition) {
	v := t.view
	if text := v.Lacking(where); text != "" {
		t.remark(text)
	}
	if v.Extensions != nil {
		t.remark(fmt.Sprintf("The study was extended: %s. Levels hold if the differences were not looked at before.",
			strings.Join(v.Extensions, ", ")))
	}
	var remarks []string
	for _, c := range t.cells() {
		if text := v.Remarks[c.ID]; text != "" {
			remarks = view.AddNew(remarks, text)
		}
	}
	t.Remarks = append(t.Remarks, remarks...)
}
