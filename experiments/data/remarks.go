package data

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"copse/stats/dataset"
)

// maxListed is the number of columns of a kind, of classes and of remarks that are listed.
const maxListed = 8

// Describe returns lines on how files were read: the numbers of rows and classes, the kinds of the
// columns and remarks. source names the files; official names those of an official test set, "" if
// there is none. folds is the number of folds, 0 without cross-validation.
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
	for _, line := range remarks[:min(len(remarks), maxListed)] {
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

// countsOf returns the rows of each class in a part of an official split: 0 for training, 1 for test.
func (f *File) countsOf(part int) []int {
	counts := make([]int, len(f.Rows.Classes))
	for i, c := range f.Rows.Y {
		if f.Test[i] == part {
			counts[c]++
		}
	}
	return counts
}

// column describes an attribute, such as: "age" (3 missing).
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

// firstOf lists the first maxListed items and the number of the others.
func firstOf(list []string) string {
	more := ""
	if n := len(list) - maxListed; n > 0 {
		list, more = list[:maxListed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// remarks returns sentences on possible mistakes: columns that look like identifiers, classes with
// fewer rows than folds, and classes whose names differ in case only.
func (f *File) remarks(folds int) []string {
	var lines []string
	for j, a := range f.Rows.Attributes {
		if doubt := f.doubt(j); doubt != "" {
			lines = append(lines, fmt.Sprintf("%q %s drop leaves it out", a.Name, doubt))
		}
	}
	seen := map[string]string{} // classes by their names in lower case
	for c, n := range f.Rows.Counts() {
		name := f.Rows.Classes[c]
		if n < folds {
			lines = append(lines, fmt.Sprintf("class %q has fewer rows (%d) than there are folds (%d): some test "+
				"parts have none of it", name, n, folds))
		}
		lower := strings.ToLower(name)
		if other, ok := seen[lower]; ok {
			lines = append(lines,
				fmt.Sprintf("classes %q and %q differ in case only: one class? merge joins them", other, name))
		}
		seen[lower] = name
	}
	return lines
}

// doubt returns why an attribute looks like an identifier of rows; "" if it does not.
func (f *File) doubt(j int) string {
	a := f.Rows.Attributes[j]
	hasManyLevels := 2*len(a.Levels) > f.Rows.N()-f.missing(j) && len(a.Levels) >= fewLevels
	switch {
	case a.Kind == dataset.Discrete && hasManyLevels:
		return fmt.Sprintf("has %d levels in %d rows: a date or an identifier?", len(a.Levels), f.Rows.N())
	case a.Kind == dataset.Numeric && f.numbersRows(j):
		return "numbers the rows: an identifier?"
	}
	return ""
}

// fewLevels is the smallest number of levels, or of numbered rows, that looks like an identifier.
const fewLevels = 12

// numbersRows reports whether the values of a column increase by one from row to row.
func (f *File) numbersRows(j int) bool {
	for i := 1; i < f.Rows.N(); i++ {
		if step := f.Rows.X.At(i, j) - f.Rows.X.At(i-1, j); step != 1 || math.IsNaN(step) {
			return false
		}
	}
	return f.Rows.N() > fewLevels
}

// NamesRows reports whether a discrete attribute has a different level in every row.
func (f *File) NamesRows(j int) bool {
	const few = 10 // fewer rows may have different levels by chance
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

// Gaps returns the first attribute with missing values and the number of all such attributes, such as
// "age" in 3 of 90 rows, 2 columns in all; "" if no value is missing.
func (f *File) Gaps() string {
	text, columns := "", 0
	for j, a := range f.Rows.Attributes {
		rows := f.missing(j)
		if rows == 0 {
			continue
		}
		columns++
		if columns == 1 {
			text = fmt.Sprintf("%q in %d of %d rows", a.Name, rows, f.Rows.N())
		}
	}
	if columns > 1 {
		text += fmt.Sprintf(", %d columns in all", columns)
	}
	return text
}

// missing returns the number of rows without a value of attribute j.
func (f *File) missing(j int) int { return f.Rows.N() - len(dataset.Present(f.Rows, j)) }
