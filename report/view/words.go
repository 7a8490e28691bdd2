package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
	"copse/stats/records"
)

// Labels returns the labels of the classifiers, separated by commas. Labels that contain a comma are quoted.
func (v *View) Labels(ids []string) string {
	labels := v.LabelList(ids)
	for i, label := range labels {
		if strings.Contains(label, ",") {
			labels[i] = strconv.Quote(label)
		}
	}
	return strings.Join(labels, ", ")
}

// LabelList returns the labels of the classifiers.
func (v *View) LabelList(ids []string) []string { return stats.Map(ids, v.Label) }

// Capital returns s with its first letter in upper case.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Number formats v with at most 12 digits, which hides binary rounding.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// Caption joins the author's sentences, the generated sentences and a remark.
func Caption(authors, generated, remark string) string {
	if authors != "" && !strings.ContainsAny(authors[len(authors)-1:], ".!?:") {
		authors += "."
	}
	return strings.Join(strings.Fields(authors+" "+generated+" "+remark), " ")
}

// CellsSentence describes the cells that a table or figure uses, as in "Cells: d = 8, n = 60 or 240." If where
// is empty, the sentence is "".
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
		switch {
		case level == "":
			words = append(words, "without "+v.FactorLabel(factor))
		case i > 0 && Numeric(level): // the first level names the factor
			words = append(words, v.LevelLabel(factor, level))
		default:
			own := records.Align([]string{factor}, []string{level})
			words = append(words, v.InWords([]string{factor}, own))
		}
	}
	return strings.Join(words, " or ")
}

var singular = strings.NewReplacer("replicates", "replicate", "tasks", "task", "folds", "fold", "splits", "split",
	"data sets", "data set", "fits on", "fit on")

// A Range contains the minimum and the maximum of several counts of results. The zero value is empty.
type Range struct{ Least, Most int }

// Add extends the range so that it includes n, a count of results.
func (r *Range) Add(n int) {
	if n > 0 && (r.Least == 0 || n < r.Least) {
		r.Least = n
	}
	r.Most = max(r.Most, n)
}

// String returns the range in words: "100" if both ends are the same, or "98 to 100".
func (r Range) String() string {
	if r.Least == r.Most {
		return fmt.Sprint(r.Most)
	}
	return fmt.Sprintf("%d to %d", r.Least, r.Most)
}

// Replicated returns a phrase such as "R = 98 to 100 replicates". units is the plural noun.
func (r Range) Replicated(units string) string {
	if r.Most == 1 {
		return "R = 1 " + singular.Replace(units)
	}
	return "R = " + r.String() + " " + units
}

// Replication returns the number of results that the mean of each classifier in ids combines, as in "R = 100
// replicates". If this number differs between means, it returns a range.
func (v *View) Replication(groups []Group, m *Measure, ids []string) string {
	var results Range
	for _, g := range groups {
		for _, s := range v.Summaries(&g, m, ids) {
			results.Add(s.N)
		}
	}
	return v.ResultWords(results, m.Pooled(groups))
}

// ResultWords describes the number of results behind each mean, such as "R = 10 folds (2 splits
// into 5)" for repeated cross-validation. It omits the splits if some folds have no result.
func (v *View) ResultWords(results Range, groups []Group) string {
	words := results.Replicated(v.UnitNoun(groups))
	if splits := v.Splits(groups); splits != "" && results.Least == len(groups[0].Cells[0].Replicates) {
		words += " " + splits
	}
	return words
}

// A share is a number n out of a total, such as 3 failed fits out of 100 fits.
type share struct{ n, total int }

// countWords lists the classifiers with their shares, as in "SLB 3 of 100; LDA, QDA 2 of 100 each". The largest
// counts come first. Counts of 0 are omitted.
func (v *View) countWords(ids []string, count func(id string) share) string {
	isZero := func(id string) bool { return count(id).n == 0 }
	groups := stats.Grouped(Without(ids, isZero), count) // classifiers with equal shares
	slices.SortStableFunc(groups, func(a, b []string) int { return count(b[0]).n - count(a[0]).n })
	var parts []string
	for _, alike := range groups {
		s := count(alike[0])
		words := fmt.Sprintf("%s %d of %d", v.Labels(alike), s.n, s.total)
		if len(alike) > 1 {
			words += " each"
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, "; ")
}

// Plural returns a count with its noun, such as "1 cell" or "3 cells".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

const maxListed = 5

// shortList joins the parts of a list, and shortens a long list: "a; b; c; d; e; and 3 more".
func shortList(parts []string) string {
	if more := len(parts) - maxListed; more > 0 {
		parts = append(slices.Clone(parts[:maxListed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// And joins items into an English list, such as "a, b and c".
func And(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// DistinctWords applies word to each element of a list and joins the distinct results with "or".
func DistinctWords[T any](list []T, word func(T) string) string {
	return strings.Join(Except(AddNew(nil, stats.Map(list, word)...), ""), " or ")
}
