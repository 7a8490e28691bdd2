package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// Labels returns the labels of the classifiers, separated by commas.
func (v *View) Labels(ids []string) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = v.Label(id)
	}
	return strings.Join(names, ", ")
}

// Capital returns s with its first letter in upper case.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Number formats v with at most 12 digits, which hides binary rounding.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// Caption joins the parts of a caption: sentences of the author, generated sentences and a remark. It
// adds a full stop to the author's sentences if necessary.
func Caption(authors, generated, remark string) string {
	if authors != "" && !strings.ContainsAny(authors[len(authors)-1:], ".!?:") {
		authors += "."
	}
	return strings.Join(strings.Fields(authors+" "+generated+" "+remark), " ")
}

// CellsSentence describes the condition of a table or figure, as in "Cells: d = 8, n = 60 or 240."
func (v *View) CellsSentence(where records.Condition) string {
	var parts []string
	for _, name := range v.FactorNames() {
		if levels := where[name]; len(levels) > 0 {
			parts = append(parts, v.alternatives(name, levels))
		}
	}
	if parts == nil {
		return ""
	}
	return "Cells: " + strings.Join(parts, ", ") + "."
}

// alternatives lists the levels of one factor, as in "n = 60 or 240".
func (v *View) alternatives(factor string, levels []string) string {
	var words []string
	for i, level := range levels {
		own := v.InWords([]string{factor}, records.Align([]string{factor}, []string{level}))
		switch {
		case level == "":
			own = "without " + v.FactorLabel(factor)
		case i > 0 && Numeric(level): // the first level names the factor
			own = level
		}
		words = append(words, own)
	}
	return strings.Join(words, " or ")
}

// PoolingSentence describes which cells are combined: "Each row pools up to 3 cells of the design,
// which differ in: n, family." each is the subject, such as "Each row". It returns "" if every group
// is a single cell.
func (v *View) PoolingSentence(each string, groups []Group) string {
	fewest, most := math.MaxInt, 0
	var differing []string // labels of the factors in which cells of a group differ
	for _, g := range groups {
		fewest, most = min(fewest, len(g.Cells)), max(most, len(g.Cells))
		for _, name := range v.Varying(g.Cells) {
			differing = AddNew(differing, v.FactorLabel(name))
		}
	}
	if most < 2 {
		return ""
	}
	count := fmt.Sprintf("up to %d", most)
	if fewest == most {
		count = fmt.Sprint(most)
	}
	return fmt.Sprintf("%s pools %s cells of the design, which differ in: %s.%s", each, count,
		strings.Join(differing, ", "), v.weightSentence(groups))
}

// weightSentence warns that a mean over cells depends on the numbers of their results: " The cells have 33 to
// 40 replicates without failed fits, which all have the same weight." It returns "" if all cells of each
// group have the same number. Data sets have the same weight in any case.
func (v *View) weightSentence(groups []Group) string {
	least, most := math.MaxInt, 0
	var unequal []Group
	for i := range groups {
		low, high := math.MaxInt, 0
		for _, c := range v.TreatFailures(&groups[i]) {
			if !v.Sampling[c.ID].OneDataSet {
				low, high = min(low, len(c.Replicates)), max(high, len(c.Replicates))
			}
		}
		if low < high {
			least, most = min(least, low), max(most, high)
			unequal = append(unequal, groups[i])
		}
	}
	if unequal == nil {
		return ""
	}
	return fmt.Sprintf(" The cells have %d to %d %s without failed fits, which all have the same weight.", least, most,
		v.UnitNoun(unequal))
}

// singular replaces plural nouns for results with their singular forms.
var singular = strings.NewReplacer("replicates", "replicate", "tasks", "task", "folds", "fold", "splits", "split",
	"data sets", "data set", "fits on", "fit on")

// A Range contains the smallest and the largest of some numbers of results. The zero value is empty.
type Range struct{ Least, Most int }

// Add adds a number of results, unless it is 0.
func (r *Range) Add(n int) {
	if n > 0 && (r.Least == 0 || n < r.Least) {
		r.Least = n
	}
	r.Most = max(r.Most, n)
}

// Replicated returns a phrase such as "R = 98 to 100 replicates". units is the plural noun.
func (r Range) Replicated(units string) string {
	switch {
	case r.Most == 1:
		return "R = 1 " + singular.Replace(units)
	case r.Least == r.Most:
		return fmt.Sprintf("R = %d %s", r.Most, units)
	}
	return fmt.Sprintf("R = %d to %d %s", r.Least, r.Most, units)
}

// Replication returns how many results the means of some classifiers average, as in "R = 98 to 100
// replicates".
func (v *View) Replication(groups []Group, m *Measure, ids []string) string {
	var results Range
	for i := range groups {
		pooled := v.Pool(&groups[i])
		for _, id := range ids {
			results.Add(v.Summary(&groups[i], &pooled, m, id).N)
		}
	}
	return results.Replicated(v.UnitNoun(groups))
}

// FailedFitsSentence lists the classifiers with failed fits in a figure, starting with the most failures,
// and describes how these fits are treated. It returns "" if no fit failed.
func (v *View) FailedFitsSentence(cells []records.Cell, ids []string) string {
	return v.failedFitsSentence("Means", cells, ids)
}

// FailedPairsSentence is like FailedFitsSentence but for paired comparisons.
func (v *View) FailedPairsSentence(cells []records.Cell, ids []string) string {
	return v.failedFitsSentence("Comparisons", cells, ids)
}

// FailedRanksSentence is like FailedFitsSentence but for ranks. It counts only cells in which all
// classifiers have results.
func (v *View) FailedRanksSentence(cells []records.Cell, m *Measure, ids []string) string {
	lacks := func(c records.Cell) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return len(v.values(&c, m, id)) == 0 })
	}
	return v.failedFitsSentence("Ranks", slices.DeleteFunc(slices.Clone(cells), lacks), ids)
}

// failedFitsSentence returns the failed fits, as in "Failed fits: SLB 3 of 100; LDA, QDA 2 of 100
// each.", followed by a sentence on their treatment with the given subject. It returns "" if no fit
// failed.
func (v *View) failedFitsSentence(subject string, cells []records.Cell, ids []string) string {
	type fits struct{ tried, failed int }
	count := func(id string) fits {
		tried, failed := (&Group{Cells: cells}).Attempts(id)
		return fits{tried, failed}
	}
	failing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return count(id).failed == 0 })
	if len(failing) == 0 {
		return ""
	}
	groups := Grouped(failing, count)
	slices.SortStableFunc(groups, func(a, b []string) int { return count(b[0]).failed - count(a[0]).failed })
	var parts []string
	for _, alike := range groups { // classifiers with equal counts
		n := count(alike[0])
		words := fmt.Sprintf("%s %d of %d", v.Labels(alike), n.failed, n.tried)
		if len(alike) > 1 {
			words += " each"
		}
		parts = append(parts, words)
	}
	return strings.TrimSpace(fmt.Sprintf("Failed fits: %s. %s %s", strings.Join(parts, "; "),
		v.TreatmentSentence(subject), v.OmittedSentence(SingleCellGroups(cells))))
}

// OmittedSentence counts the replicates that cannot be scored because all fits failed, as in "Omitted: 1 of 20
// replicates, because all fits failed." It returns "" if there are none or if failed fits are not replaced.
func (v *View) OmittedSentence(groups []Group) string {
	if !v.ReplacesFailures() {
		return "" // TreatmentSentence describes the omitted replicates
	}
	omitted, all := 0, 0
	for _, g := range groups {
		for i := range g.Cells {
			for _, rows := range g.Cells[i].ByReplicate() {
				all++
				if !slices.ContainsFunc(rows, func(r *records.Record) bool { return !isFailure(*r) }) {
					omitted++
				}
			}
		}
	}
	if omitted == 0 {
		return ""
	}
	return fmt.Sprintf("Omitted: %d of %d %s, because all fits failed.", omitted, all, v.UnitNoun(groups))
}

// TreatmentSentence returns a sentence on how failed fits are treated. Its subject is "Means", "Tests"
// or "Ranks".
func (v *View) TreatmentSentence(subject string) string {
	switch v.treatment() {
	case Worst:
		return subject + " score a failed fit like the worst classifier of its replicate, metric by metric."
	case Fallback:
		like := "a rule that predicts the class shares"
		if v.Fallback == "" {
			return fmt.Sprintf("%s score a failed fit like %s on the same data.", subject, like)
		}
		return fmt.Sprintf("%s score a failed fit like %s on the same data, or like %s if %[2]s failed too.", subject,
			v.Label(v.Fallback), like)
	}
	return fmt.Sprintf("%s use the replicates in which all fits succeeded. They leave out classifiers that fail in "+
		"more than %s%% of the fits of a cell.", subject, Number(100*v.MaxFailureRate))
}

// Plural returns a count with its noun, such as "1 cell" or "3 cells".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// AddNew appends a value to a list unless the list already contains it.
func AddNew[T comparable](list []T, value T) []T {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

// Grouped splits a list into groups of elements with the same key. Groups and their elements stay in
// the order of the list.
func Grouped[K comparable, T any](list []T, key func(T) K) [][]T {
	var groups [][]T
	index := map[K]int{} // in groups
	for _, item := range list {
		k := key(item)
		i, known := index[k]
		if !known {
			i = len(groups)
			index[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	return groups
}

// And joins parts of a sentence, as in "a, b and c".
func And(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
