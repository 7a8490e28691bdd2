package data

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"copse/stats/dataset"
)

// listed is the number of columns of a kind, and of remarks, that are listed.
const listed = 8

// Describe writes lines on how files became rows, since what a column is taken for follows
// from its cells. source names the files, official those of an official test set, "" without
// one; folds is the number of folds, 0 without.
func (f *File) Describe(source, official string, folds int) []string {
	var lines []string
	if official == "" {
		lines = []string{f.size(source, f.Rows.Counts())}
	} else {
		lines = []string{f.size(source, f.countsOf(0)), f.size(official, f.countsOf(1))}
	}
	columns := map[dataset.Kind][]string{}
	for j, a := range f.Rows.Attributes {
		columns[a.Kind] = append(columns[a.Kind], f.column(j))
	}
	if list := columns[dataset.Numeric]; list != nil {
		lines = append(lines, "  numeric: "+firstOf(list))
	}
	if list := columns[dataset.Discrete]; list != nil {
		lines = append(lines, "  discrete: "+firstOf(list))
	}
	remarks := f.remarks(folds)
	for _, line := range remarks[:min(len(remarks), listed)] {
		lines = append(lines, "  remark: "+line)
	}
	return lines
}

// size describes the rows of a source by their numbers in each class.
func (f *File) size(source string, counts []int) string {
	var classes []string
	rows := 0
	for c, n := range counts {
		classes = append(classes, fmt.Sprintf("%q (%d)", f.Rows.Classes[c], n))
		rows += n
	}
	return fmt.Sprintf("%s: %d rows, classes %s", source, rows, firstOf(classes))
}

// countsOf returns the rows of each class in the training part (0) or the test part (1).
func (f *File) countsOf(part int) []int {
	counts := make([]int, len(f.Rows.Classes))
	for i, c := range f.Rows.Y {
		if f.Test[i] == part {
			counts[c]++
		}
	}
	return counts
}

// column describes an attribute: "age" (3 missing).
func (f *File) column(j int) string {
	a := f.Rows.Attributes[j]
	var facts []string
	if a.Kind == dataset.Discrete {
		facts = append(facts, fmt.Sprintf("%d levels", len(a.Levels)))
	}
	if missing := f.missing(j); missing > 0 {
		facts = append(facts, fmt.Sprintf("%d missing", missing))
	}
	if facts == nil {
		return strconv.Quote(a.Name)
	}
	return fmt.Sprintf("%q (%s)", a.Name, strings.Join(facts, ", "))
}

// firstOf lists the first few and counts the rest.
func firstOf(list []string) string {
	more := ""
	if n := len(list) - listed; n > 0 {
		list, more = list[:listed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// remarks are on what a typing mistake or a forgotten column looks like, and may be meant.
func (f *File) remarks(folds int) []string {
	var lines []string
	for j, a := range f.Rows.Attributes {
		if doubt := f.doubt(j); doubt != "" {
			lines = append(lines, fmt.Sprintf("%q %s drop leaves it out", a.Name, doubt))
		}
	}
	seen := map[string]string{} // a class by its name in small letters
	for c, n := range f.Rows.Counts() {
		name := f.Rows.Classes[c]
		if n < folds {
			lines = append(
				lines,
				fmt.Sprintf(
					"class %q has fewer rows (%d) than there are folds (%d): some test parts have none of it",
					name,
					n,
					folds,
				),
			)
		}
		if other, ok := seen[strings.ToLower(name)]; ok {
			lines = append(
				lines,
				fmt.Sprintf("classes %q and %q differ in capitals alone: one class? merge joins them", other, name),
			)
		}
		seen[strings.ToLower(name)] = name
	}
	return lines
}

// doubt asks whether an attribute is an identifier of rows, "" where it does not look so.
func (f *File) doubt(j int) string {
	a := f.Rows.Attributes[j]
	many := 2*len(a.Levels) > f.Rows.N()-f.missing(j) && len(a.Levels) >= fewLevels
	switch {
	case a.Kind == dataset.Discrete && many:
		return fmt.Sprintf("has %d levels in %d rows: a date or an identifier?", len(a.Levels), f.Rows.N())
	case a.Kind == dataset.Numeric && f.numbersRows(j):
		return "counts the rows: an identifier?"
	}
	return ""
}

// fewLevels is the least number of levels that looks like an identifier.
const fewLevels = 12

// numbersRows reports whether a column goes up by one from row to row.
func (f *File) numbersRows(j int) bool {
	for i := 1; i < f.Rows.N(); i++ {
		if step := f.Rows.X.At(i, j) - f.Rows.X.At(i-1, j); step != 1 || math.IsNaN(step) {
			return false
		}
	}
	return f.Rows.N() > fewLevels
}

// NamesRows reports whether a discrete attribute has a level of its own in every row.
func (f *File) NamesRows(j int) bool {
	const few = 10 // rows that may differ by chance
	a := f.Rows.Attributes[j]
	if a.Kind != dataset.Discrete || f.Rows.N() < few || len(a.Levels) < f.Rows.N() {
		return false
	}
	seen := map[float64]bool{}
	for i := range f.Rows.N() {
		v := f.Rows.X.At(i, j)
		if math.IsNaN(v) || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// Gaps names the first attribute without all values and counts the others, "" where no
// value is missing.
func (f *File) Gaps() string {
	text, columns := "", 0
	for j, a := range f.Rows.Attributes {
		rows := f.missing(j)
		if rows == 0 {
			continue
		}
		if columns++; columns == 1 {
			text = fmt.Sprintf("%q in %d of %d rows", a.Name, rows, f.Rows.N())
		}
	}
	if columns > 1 {
		text += fmt.Sprintf(", %d columns in all", columns)
	}
	return text
}

// missing is the number of rows without a value of attribute j.
func (f *File) missing(j int) (rows int) {
	for i := range f.Rows.N() {
		if math.IsNaN(f.Rows.X.At(i, j)) {
			rows++
		}
	}
	return rows
}
