package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// Labels returns the labels of classifiers in one string, joined by commas.
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

// Number formats v with at most 12 digits, which hides binary rounding: 0.3, not
// 0.30000000000000004.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// Caption joins the sentences of a caption: the author's own, the generated ones and a remark. It
// adds a full stop to the author's text if that has none.
func Caption(own, generated, remark string) string {
	if own != "" && !strings.ContainsAny(own[len(own)-1:], ".!?:") {
		own += "."
	}
	return strings.Join(strings.Fields(own+" "+generated+" "+remark), " ")
}

// Chosen describes the condition of a table or figure: "Cells: d = 8, n = 60 or 240." It returns
// "" without a condition.
func (v *View) Chosen(where records.Condition) string {
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

// alternatives returns the levels of one factor in words: "n = 60 or 240".
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

// Pooling returns "Each row pools up to 3 cells of the design, which differ in: n, family."
// without "up to" if all groups have the same number of cells. It returns "" if every group is
// one cell. each is the subject of the sentence, such as "Each row".
func (v *View) Pooling(each string, groups []Group) string {
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
	return fmt.Sprintf("%s pools %s cells of the design, which differ in: %s.", each, count,
		strings.Join(differing, ", "))
}

// one replaces the plural of a unit by its singular.
var one = strings.NewReplacer("replicates", "replicate", "tasks", "task", "folds", "fold", "splits", "split",
	"data sets", "data set", "fits on", "fit on")

// Replicated states how many results are behind a mean: "R = 98 to 100 replicates".
func Replicated(least, most int, units string) string {
	switch {
	case most == 1:
		return "R = 1 " + one.Replace(units)
	case least == most:
		return fmt.Sprintf("R = %d %s", most, units)
	}
	return fmt.Sprintf("R = %d to %d %s", least, most, units)
}

// Replication states how many results are behind the means of some classifiers in some groups: "R
// = 98 to 100 replicates".
func (v *View) Replication(groups []Group, m *Measure, ids []string) string {
	least, most := 0, 0
	for i := range groups {
		pooled := v.Pool(&groups[i])
		for _, id := range ids {
			s := v.Summary(&groups[i], &pooled, m, id)
			if s.N > 0 && (least == 0 || s.N < least) {
				least = s.N
			}
			most = max(most, s.N)
		}
	}
	return Replicated(least, most, v.Units(groups))
}

// FailedFits describes the failed fits behind the means of a figure, by classifier and most
// failures first, and how the means treat them. It returns "" if no fit failed.
func (v *View) FailedFits(cells []records.Cell, ids []string) string {
	return v.failedFits("Means", cells, ids)
}

// FailedPairs returns the same sentences as FailedFits, for paired comparisons instead of means.
func (v *View) FailedPairs(cells []records.Cell, ids []string) string {
	return v.failedFits("Comparisons", cells, ids)
}

// FailedRanks returns the same sentences as FailedFits, for ranks. It counts only the cells in
// which all classifiers have a result.
func (v *View) FailedRanks(cells []records.Cell, m *Measure, ids []string) string {
	lacks := func(c records.Cell) bool {
		return slices.ContainsFunc(ids, func(id string) bool { return len(v.values(&c, m, id)) == 0 })
	}
	return v.failedFits("Ranks", slices.DeleteFunc(slices.Clone(cells), lacks), ids)
}

// A fitCount is the number of failed fits among the fits of a classifier.
type fitCount struct{ failed, tried int }

// failedFits returns "Failed fits: SLB 3 of 100; LDA, QDA 2 of 100 each." and the sentence of
// Treatment. what is the subject of that sentence. failedFits returns "" if no fit failed.
func (v *View) failedFits(what string, cells []records.Cell, ids []string) string {
	labels := map[fitCount][]string{} // of the classifiers with this count
	var counts []fitCount             // in order of first appearance
	for _, id := range ids {
		n := countFits(cells, id)
		if n.failed > 0 {
			counts = AddNew(counts, n)
			labels[n] = append(labels[n], v.Label(id))
		}
	}
	if counts == nil {
		return ""
	}
	slices.SortStableFunc(counts, func(a, b fitCount) int { return b.failed - a.failed })
	var parts []string
	for _, n := range counts {
		words := fmt.Sprintf("%s %d of %d", strings.Join(labels[n], ", "), n.failed, n.tried)
		if len(labels[n]) > 1 {
			words += " each"
		}
		parts = append(parts, words)
	}
	return fmt.Sprintf("Failed fits: %s. %s", strings.Join(parts, "; "), v.Treatment(what))
}

// countFits counts the fits of a classifier in some cells.
func countFits(cells []records.Cell, id string) (n fitCount) {
	for i := range cells {
		tried, failed := cells[i].Attempts(id)
		n.tried += tried
		n.failed += failed
	}
	return n
}

// Treatment returns the sentence on how means, tests or ranks treat failed fits. what is its
// subject.
func (v *View) Treatment(what string) string {
	switch v.treatment() {
	case Worst:
		return what + " score a failed fit like the worst classifier of its replicate, metric by metric."
	case Fallback:
		like := "a rule that predicts the class shares"
		if v.Fallback != "" {
			like = v.Label(v.Fallback)
		}
		return fmt.Sprintf("%s score a failed fit like %s on the same data.", what, like)
	}
	return fmt.Sprintf("%s use the replicates in which all fits succeeded. They leave out classifiers that fail in "+
		"more than %s%% of the fits of a cell.", what, Number(100*v.SetAside))
}

// Plural returns a count with its noun in the right number: "1 cell", "3 cells".
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

// And joins parts of a sentence: "a", "a and b", "a, b and c".
func And(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
