package view

import (
	"fmt"
	"slices"
	"strings"

	"copse/stats/records"
)

// FailedRanksSentence is like FailedFitsSentence, but only for cells in which each classifier has a value of m.
func (v *View) FailedRanksSentence(cells []records.Cell, m *Measure, ids []string) string {
	lacks := func(c records.Cell) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return len(m.values(&c, id)) == 0 })
	}
	return v.FailedFitsSentence("Ranks", Without(cells, lacks), ids)
}

// FailedFitsSentence describes failures: "Failed fits: SLB 3 of 100; LDA, QDA 2 of 100 each."
//
// Further sentences describe failed draws of data and how failed fits are treated. See TreatmentSentence for
// the argument subject. If nothing failed, the sentence is "".
func (v *View) FailedFitsSentence(subject string, cells []records.Cell, ids []string) string {
	failed := v.countWords(ids, func(id string) share {
		tried, failed := (&Group{Cells: cells}).Attempts(id)
		return share{failed, tried}
	})
	draws := FailedDrawsSentence(cells) // may be ""
	if failed == "" {
		return draws
	}
	omitted := v.OmittedSentence(cells) // may be ""
	return strings.TrimSpace(fmt.Sprintf("%s Failed fits: %s. %s %s", draws, failed,
		v.TreatmentSentence(subject), omitted))
}

// FailedDrawsSentence counts the replicates whose data could not be drawn, as in "Failed draws of data: 13 of
// 30, left out for all classifiers."
func FailedDrawsSentence(cells []records.Cell) string {
	failed, all := countReplicates(cells, drawFailed)
	if failed == 0 {
		return ""
	}
	return fmt.Sprintf("Failed draws of data: %d of %d, left out for all classifiers.", failed, all)
}

// CountDrawn returns the number of replicates of a cell whose data could be drawn.
func CountDrawn(c records.Cell) int {
	failed, all := countReplicates([]records.Cell{c}, drawFailed)
	return all - failed
}

// countReplicates returns the number n of replicates whose results have a property, and the number of all
// replicates.
func countReplicates(cells []records.Cell, hasProperty func([]*records.Record) bool) (n, all int) {
	for i := range cells {
		for _, rows := range cells[i].ByReplicate() {
			all++
			if hasProperty(rows) {
				n++
			}
		}
	}
	return n, all
}

// OmittedSentence counts the replicates in which all fits failed: "Omitted: 1 of 20 replicates,
// because all fits failed." It returns "" if there are none, or if failed fits are not replaced.
func (v *View) OmittedSentence(cells []records.Cell) string {
	if !v.ReplacesFailures() {
		return "" // TreatmentSentence describes the omitted replicates
	}
	allFailed := func(rows []*records.Record) bool {
		succeeded := func(r *records.Record) bool { return !isFailure(*r) }
		return !drawFailed(rows) && !slices.ContainsFunc(rows, succeeded)
	}
	omitted, all := countReplicates(cells, allFailed)
	if omitted == 0 {
		return ""
	}
	return fmt.Sprintf("Omitted: %d of %d %s, because all fits failed.", omitted, all,
		v.UnitNoun(SingleCellGroups(cells)))
}

// Curves is the subject that TreatmentSentence gets for curves from stored predictions. Such curves
// never replace a failed fit.
const Curves = "Curves"

// TreatmentSentence describes how failed fits are treated:
//
//	"Means give a failed fit the score of the worst classifier of its replicate, metric by
//	metric."
//
// The argument subject begins the sentence. It is a plural, such as "Means" or "Means and tests",
// or the constant Curves.
func (v *View) TreatmentSentence(subject string) string {
	if subject == Curves && v.ReplacesFailures() {
		return "Curves and the areas under them are means over successful fits only; tables also score failed fits."
	}
	switch v.treatment() {
	case Worst:
		return subject + " give a failed fit the score of the worst classifier of its replicate, metric by metric."
	case Fallback:
		rule := "a rule that uses only the class shares of the test rows"
		if v.Fallback == "" {
			return fmt.Sprintf("%s give a failed fit the score of %s on the same data.", subject, rule)
		}
		return fmt.Sprintf("%s give a failed fit the score of %s on the same data, or of %s if %[2]s failed too.",
			subject, v.Label(v.Fallback), rule)
	}
	return fmt.Sprintf("%s use the replicates in which all fits succeeded. They leave out classifiers that fail in "+
		"more than %s%% of the fits of a cell.", subject, Number(100*v.MaxFailureRate))
}
