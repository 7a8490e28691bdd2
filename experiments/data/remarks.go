package data

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/gonum/mat"

	"copse/experiments/config"
	"copse/stats"
	"copse/stats/dataset"
)

// MaxListed is the default limit on the number of classes, columns or remarks in a list.
const MaxListed = 8

// Describe returns lines that describe how copse interpreted the files: rows, classes, columns and
// possible errors. The argument source names the files. The argument testSource names the files of
// the official test set, or is "" if no other files contain it. The argument folds is the number of
// folds, or 0. limit is the maximum length of each list.
func (f *File) Describe(source, testSource string, folds, limit int) []string {
	lines := f.sizeLines(source, testSource, limit)
	if n := f.Rows.N(); n < f.AllRows {
		lines = append(lines, fmt.Sprintf("  kept: %d of %d rows", n, f.AllRows))
	}
	columns := map[dataset.Kind][]string{}
	for j, a := range f.Rows.Attributes {
		columns[a.Kind] = append(columns[a.Kind], f.describeColumn(j))
	}
	if list := columns[dataset.Numeric]; list != nil {
		lines = append(lines, "  numeric: "+shortened(list, limit))
	}
	if list := columns[dataset.Discrete]; list != nil {
		lines = append(lines, "  discrete: "+shortened(list, limit))
	}
	for _, line := range f.Remarks(folds, limit) {
		lines = append(lines, "  remark: "+line)
	}
	return lines
}

// sizeLines returns a line with the numbers of all rows, or two lines for the training rows and the
// test rows.
func (f *File) sizeLines(source, testSource string, limit int) []string {
	if f.Test == nil {
		return []string{f.sizeLine(source, f.Rows.Counts(), limit)}
	}
	if testSource == "" {
		source, testSource = "training part of "+source, "test part of "+source
	}
	const training, test = 0, 1 // values of f.Test
	return []string{f.sizeLine(source, f.countsOf(training), limit), f.sizeLine(testSource, f.countsOf(test), limit)}
}

// sizeLine returns a line with the number of rows in each class. limit is the largest number of
// classes that it lists. An example is:
//
//	iris: 150 rows, classes "setosa" (50), "versicolor" (50), "virginica" (50)
func (f *File) sizeLine(source string, counts []int, limit int) string {
	var classes []string
	rows := 0
	for c, n := range counts {
		classes = append(classes, fmt.Sprintf("%q (%d)", f.Rows.Classes[c], n))
		rows += n
	}
	return fmt.Sprintf("%s: %d rows, classes %s", source, rows, shortened(classes, limit))
}

// countsOf returns the number of rows of each class in one part of a given split: training (0) or
// test (1).
func (f *File) countsOf(part int) []int {
	counts := make([]int, len(f.Rows.Classes))
	for i, c := range f.Rows.Y {
		if f.Test[i] == part {
			counts[c]++
		}
	}
	return counts
}

// describeColumn describes attribute j, for example: "colour" (4 levels, 3 missing).
func (f *File) describeColumn(j int) string {
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

// shortened joins at most limit items of a list and counts the others, as in "a, b and 3 more".
func shortened(list []string, limit int) string {
	more := ""
	if n := len(list) - limit; n > 0 {
		list, more = list[:limit], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// Remarks returns a sentence for each possible error in the data, such as a missing header. The
// argument folds is the number of folds, or 0. If there are more than limit sentences, a last
// sentence gives the number of omitted ones.
func (f *File) Remarks(folds, limit int) []string {
	f.findRemarks.Do(func() { f.remarks = f.rowRemarks() })
	lines := slices.Concat(f.remarks, f.classRemarks(folds))
	if n := len(lines) - limit; n > 0 {
		lines = append(lines[:limit], fmt.Sprintf("further remarks: %d (copse check --details lists them)", n))
	}
	return lines
}

// remarks lists sentences about possible errors in the data.
type remarks []string

func (r *remarks) add(format string, args ...any) { *r = append(*r, fmt.Sprintf(format, args...)) }

// rowRemarks returns the remarks that do not depend on the number of folds. It is slow, because it
// sorts the values of each column.
func (f *File) rowRemarks() remarks {
	lines := slices.Clone(f.notes)
	if remark := f.HeaderRemark(); remark != "" {
		lines = append(lines, remark)
	}
	for j, a := range f.Rows.Attributes {
		if texts := f.textsAmongNumbers(&a); texts != nil {
			lines.add(`%q is discrete because of "%s", although its other levels are `+
				"numbers: if this marks missing values, list it and all other marks, such as NA, under "+
				"missing_marks; otherwise, list the column under discrete", a.Name, strings.Join(texts, `" and "`))
		} else if reason := f.whyIdentifier(j); reason != "" {
			lines.add("%q %s To remove the column, add it to drop", a.Name, reason)
		}
	}
	lines = slices.Concat(lines, f.levelRemarks(), f.valueRemarks(), f.repeatedColumns(), f.testLevelRemarks(),
		f.invisibleRemarks())
	// Check only the first class: usually all classes or none are in single quotes.
	if name := f.Rows.Classes[0]; len(name) > 1 && name[0] == '\'' && name[len(name)-1] == '\'' {
		lines.add("the single quotes are part of the class name %q; a CSV file must "+
			"use double quotes", name)
	}
	return lines
}

// classRemarks returns remarks on classes with too few rows or groups for all folds, and on pairs of classes
// that are probably the same, such as 1 and 1.0.
func (f *File) classRemarks(folds int) (lines remarks) {
	units := "rows" // no fold divides them
	if f.Rows.Groups != nil {
		units = "groups"
	}
	for c, n := range f.unitsWithClass() {
		if n >= folds {
			continue
		}
		name := f.Rows.Classes[c]
		line := fmt.Sprintf("class %q has fewer %s (%d) than there are folds (%d): some test "+
			"sets have no row of this class", name, units, n, folds)
		others := slices.Concat(f.Rows.Classes[:c], f.Rows.Classes[c+1:])
		if nearest := config.Nearest(name, others); nearest != "" {
			line += fmt.Sprintf("; if it is a misspelling of %q, join them with merge", nearest)
		}
		lines = append(lines, line)
	}
	for _, difference := range similarNames(f.Rows.Classes) {
		lines = append(lines, "classes "+difference+": if they are one class, join them with merge")
	}
	return lines
}

// unitsWithClass returns, for each class, the number of rows of this class. If there are groups, it returns the
// number of groups with such rows.
func (f *File) unitsWithClass() []int {
	if f.Rows.Groups == nil {
		return f.Rows.Counts()
	}
	type groupClass struct{ group, class int }
	counts := make([]int, len(f.Rows.Classes))
	seen := map[groupClass]bool{}
	for i, c := range f.Rows.Y {
		if pair := (groupClass{f.Rows.Groups[i], c}); !seen[pair] {
			seen[pair] = true
			counts[c]++
		}
	}
	return counts
}

// levelRemarks returns a remark for each attribute with two levels that seem to be one, such as X
// and x.
func (f *File) levelRemarks() (lines remarks) {
	for _, a := range f.Rows.Attributes {
		differences := similarNames(a.Levels)
		if len(differences) == 0 {
			continue
		}
		pairs := ""
		if n := len(differences); n > 1 {
			pairs = fmt.Sprintf(" (1 of %d pairs)", n)
		}
		lines.add("column %q: the levels %s%s: if they mean the same, correct the file",
			a.Name, differences[0], pairs)
	}
	return lines
}

// similarNames describes each pair of names that probably mean the same, such as 1 and 1.0.
func similarNames(names []string) (differences []string) {
	seen := map[string]string{} // maps a normalized name, such as 1 for 1.0, to the name
	for _, name := range names {
		normalized := strings.ToLower(norm.NFC.String(name))
		number, err := strconv.ParseFloat(name, 64)
		isNumber := err == nil
		if isNumber {
			normalized = fmt.Sprint(number)
		}
		if other, ok := seen[normalized]; ok {
			differences = append(differences, nameDifference(other, name, isNumber))
		}
		seen[normalized] = name
	}
	return differences
}

func nameDifference(a, b string, areNumbers bool) string {
	switch {
	case norm.NFC.String(a) == norm.NFC.String(b):
		return fmt.Sprintf("%+q and %+q look equal, but differ in their Unicode characters", a, b) // %+q shows them
	case areNumbers:
		return fmt.Sprintf("%q and %q are the same number", a, b)
	}
	return fmt.Sprintf("%q and %q differ in upper and lower case only", a, b)
}

// HeaderRemark returns a remark if the first line may be data and not a header, or "".
func (f *File) HeaderRemark() string {
	sign := ""
	if hasValue(f.Rows.Classes, f.ClassColumn) {
		sign = fmt.Sprintf("%q is the name of the class column and of a class", f.ClassColumn)
	}
	for _, a := range f.Rows.Attributes {
		if hasValue(a.Levels, a.Name) {
			sign = fmt.Sprintf("%q is the name of a column and one of its levels", a.Name)
		}
	}
	if number := f.numberAsName(); number != "" {
		sign = fmt.Sprintf("the names of all numeric columns are numbers, such as %q", number)
	}
	if sign == "" {
		return ""
	}
	return sign + ": if the first line is a row of data, write a header line before it"
}

// hasValue reports whether the name of a column is one of its values. Numbers do not count, because
// they may number the columns.
func hasValue(values []string, column string) bool {
	_, err := strconv.ParseFloat(column, 64)
	return err != nil && slices.Contains(values, column)
}

// numberAsName returns the name of the first numeric column if the names of all numeric columns are
// numbers, and otherwise "". It also returns "" for consecutive integers, which probably number the
// columns.
func (f *File) numberAsName() string {
	first := ""            // the name of the first numeric column
	areConsecutive := true // whether the names so far are consecutive integers
	var previous float64   // the name of the preceding numeric column, as a number
	for _, a := range f.Rows.Attributes {
		if a.Kind != dataset.Numeric {
			continue
		}
		v, err := strconv.ParseFloat(a.Name, 64)
		if err != nil {
			return ""
		}
		isNext := first == "" || v == previous+1
		areConsecutive = areConsecutive && isNext && v == math.Trunc(v)
		first = cmp.Or(first, a.Name)
		previous = v
	}
	if areConsecutive { // also true without numeric columns
		return ""
	}
	return first
}

// textsAmongNumbers returns the levels of an attribute that are not numbers, if they are few and
// may mark missing values. It returns nil for columns that are declared discrete.
func (f *File) textsAmongNumbers(a *dataset.Attribute) []string {
	const maxTexts = 3
	isNumber := func(level string) bool {
		_, err := strconv.ParseFloat(strings.Replace(level, ",", ".", 1), 64)
		return err == nil || f.hasMissingLevel && level == "missing" // copse has added this level
	}
	texts := slices.DeleteFunc(slices.Clone(a.Levels), isNumber)
	isDeclared := f.isDeclared(a.Name) || f.schema.IsDiscrete(a.Name)
	if len(texts) == 0 || len(texts) > maxTexts || 2*len(texts) >= len(a.Levels) || isDeclared {
		return nil
	}
	return texts
}

// testLevelRemarks returns a remark for each column in which the given test rows have levels that
// the training rows lack.
func (f *File) testLevelRemarks() (lines remarks) {
	trainRows, testRows := dataset.SplitFold(f.Test, 1) // empty if no split is given
	train, test := f.Rows.Subset(trainRows), f.Rows.Subset(testRows)
	for j, a := range f.Rows.Attributes {
		if a.Kind == dataset.Numeric {
			continue
		}
		known := dataset.Present(train, j)
		isKnown := func(code float64) bool { return slices.Contains(known, code) }
		if codes := slices.DeleteFunc(dataset.Present(test, j), isKnown); len(codes) > 0 {
			lines.add("test rows with levels of %q that no training row has, such as %q: %d; "+
				"all fits count these levels among the levels of this column",
				a.Name, a.Levels[int(codes[0])], len(codes))
		}
	}
	return lines
}

// invisibleRemarks returns a remark for the classes and for each column if a name or level contains
// an invisible character, such as a zero-width space.
func (f *File) invisibleRemarks() (lines remarks) {
	isInvisible := func(r rune) bool { return !unicode.IsPrint(r) }
	hasInvisible := func(level string) bool { return strings.ContainsFunc(level, isInvisible) }
	add := func(place string, levels []string) {
		if i := slices.IndexFunc(levels, hasInvisible); i >= 0 {
			lines.add("%s contains an invisible character in %q: remove the character from "+
				"the file, unless it is intended", place, levels[i])
		}
	}
	add("the column of classes", f.Rows.Classes)
	for _, a := range f.Rows.Attributes {
		add(strconv.Quote(a.Name), a.Levels)
	}
	return lines
}

// valueRemarks returns remarks on columns that are empty or constant. It also remarks on numeric
// columns with two distinct values, with a value far from most others, or with a value such as
// -999.
func (f *File) valueRemarks() (lines remarks) {
	var byCount [3][]string // byCount[k] lists the columns with k distinct values
	for j, a := range f.Rows.Attributes {
		values := f.sortedValues(j)
		distinct := len(slices.Compact(slices.Clone(values)))
		switch {
		case distinct > 1 && a.Kind != dataset.Numeric:
			// The remarks on two distinct values and on outliers apply only to numbers.
		case distinct < len(byCount):
			byCount[distinct] = append(byCount[distinct], strconv.Quote(a.Name))
		default:
			lines.addExtreme(a.Name, values)
		}
	}
	lines.addFewValues(byCount)
	return lines
}

// addExtreme adds a remark on a numeric column if its smallest or largest value is far from the
// others. The values must be in ascending order.
func (r *remarks) addExtreme(column string, values []float64) {
	low, high := stats.Quantile(values, 0.25), stats.Quantile(values, 0.75)
	if value, isFar := farthest(values, low, high); isFar {
		r.add("%q has the value %g, but half of its values lie between %g and %g: is it an error?",
			column, value, low, high)
	} else if value, count := missingCode(values); count > 0 {
		r.add("%q has the value %s in %d rows, far from all other values: if it marks "+
			"missing values, list it and all other marks, such as NA, under missing_marks",
			column, plainNumber(value), count)
	}
}

// addFewValues adds remarks on the columns with 0, 1 or 2 distinct values. byCount[n] contains the
// names of the columns with n values.
func (r *remarks) addFewValues(byCount [3][]string) {
	for count, format := range [3]string{
		"columns without any value: %s; add them to drop, because most classifiers fail on them",
		"columns with the same value in all rows: %s",
		"numeric columns with two values: %s; if these are categories, list the columns under discrete",
	} {
		if names := byCount[count]; names != nil {
			r.add(format, shortened(names, MaxListed))
		}
	}
}

// farthest returns the smallest or largest value if it is more than a thousand interquartile ranges
// from the quartiles. Otherwise, isFar is false. The values must be in ascending order.
func farthest(values []float64, lowerQuartile, upperQuartile float64) (value float64, isFar bool) {
	limit := 1000 * (upperQuartile - lowerQuartile)
	first, last := values[0], values[len(values)-1]
	switch {
	case limit == 0:
		return 0, false // at least half of the values are equal, so any other value would be far
	case last-upperQuartile > limit:
		return last, true
	case lowerQuartile-first > limit:
		return first, true
	}
	return 0, false
}

// missingCode returns the smallest or largest value if it probably marks missing values, such as
// -999, and the number of its occurrences. Otherwise, the number is 0. The values must be in
// ascending order, and at least two of them must be different.
//
// Such a value has at least two digits, all of them 9, and occurs at least twice. The gap between
// it and the other values is larger than their range.
func missingCode(values []float64) (value float64, count int) {
	low, high := values[0], values[len(values)-1]
	lowCount := slices.IndexFunc(values, func(v float64) bool { return v > low })
	firstHigh := slices.Index(values, high)
	highCount := len(values) - firstHigh
	secondLowest, secondHighest := values[lowCount], values[firstHigh-1]
	switch {
	case hasOnlyNines(low) && lowCount > 1 && secondLowest-low > high-secondLowest:
		return low, lowCount
	case hasOnlyNines(high) && highCount > 1 && high-secondHighest > secondHighest-low:
		return high, highCount
	}
	return 0, 0
}

func hasOnlyNines(v float64) bool {
	digits := strings.TrimPrefix(plainNumber(v), "-")
	return len(digits) > 1 && strings.Trim(digits, "9") == ""
}

// repeatedColumns returns a remark on each column with the same values as an earlier column, except
// for constant columns, which another remark lists.
func (f *File) repeatedColumns() (lines remarks) {
	first := map[[sha256.Size]byte]string{} // the first column with each digest
	for j, a := range f.Rows.Attributes {
		if values := dataset.Present(f.Rows, j); len(values) == 0 || slices.Min(values) == slices.Max(values) {
			continue
		}
		content := fmt.Appendf(nil, "%q", a.Levels)
		for _, v := range mat.Col(nil, j, f.Rows.X) {
			content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
		}
		digest := sha256.Sum256(content)
		if other, isRepeated := first[digest]; isRepeated {
			lines.add("%q has the same values as %q: to remove it, add it to drop",
				a.Name, other)
		} else {
			first[digest] = a.Name
		}
	}
	return lines
}

// whyIdentifier explains why attribute j may identify the rows, as in "numbers the rows and may be
// an identifier.", or returns "".
func (f *File) whyIdentifier(j int) string {
	a := f.Rows.Attributes[j]
	hasManyLevels := 2*len(a.Levels) > f.Rows.N()-f.missing(j) && len(a.Levels) >= fewLevels
	switch {
	case a.Kind == dataset.Discrete && hasManyLevels:
		return fmt.Sprintf("has %d levels in %d rows and may be a date or an identifier.", len(a.Levels), f.Rows.N())
	case a.Kind == dataset.Numeric && f.numbersRows(j):
		return "numbers the rows and may be an identifier."
	}
	return ""
}

// fewLevels is the smallest number of levels with which a column can look like an identifier.
const fewLevels = 12

// numbersRows reports whether attribute j increases by one from row to row, in more than fewLevels
// rows.
func (f *File) numbersRows(j int) bool {
	for i := 1; i < f.Rows.N(); i++ {
		if step := f.Rows.X.At(i, j) - f.Rows.X.At(i-1, j); step != 1 {
			return false
		}
	}
	return f.Rows.N() > fewLevels
}

func (f *File) isDeclared(column string) bool {
	return slices.Contains(f.Discrete, column) || slices.Contains(f.Discrete, "*")
}

// Identifiers describes, with an example, the discrete attributes with a different level in each
// row, such as names. It omits columns that the study declares discrete.
func (f *File) Identifiers() (reasons remarks) {
	for j, a := range f.Rows.Attributes {
		if !f.isDeclared(a.Name) && f.namesRows(j) {
			reasons.add("column %q has a different text in each of %d rows, such as %q",
				a.Name, f.Rows.N(), a.Levels[0])
		}
	}
	return reasons
}

// namesRows reports whether attribute j is discrete and has a different level in each row. It
// returns false for so few rows that this can happen by chance.
func (f *File) namesRows(j int) bool {
	const few = 10
	a := f.Rows.Attributes[j]
	distinct := slices.Compact(f.sortedValues(j))
	return a.Kind == dataset.Discrete && f.Rows.N() >= few && len(distinct) == f.Rows.N()
}

// Gaps describes the missing values, as in: "age" in 3 of 90 rows, 2 columns in all. It names the
// attribute with the most missing values. If no value is missing, it returns "".
func (f *File) Gaps() string {
	text, columns, most := "", 0, 0
	for j, a := range f.Rows.Attributes {
		rows := f.missing(j)
		if rows > 0 {
			columns++
		}
		if rows > most {
			most = rows
			text = fmt.Sprintf("%q in %d of %d rows", a.Name, rows, f.Rows.N())
		}
	}
	if columns > 1 {
		text += fmt.Sprintf(", %d columns in all", columns)
	}
	return text
}

func (f *File) MissingValues() (n int) {
	for j := range f.Rows.Attributes {
		n += f.missing(j)
	}
	return n
}

// missing returns the number of missing values of attribute j.
func (f *File) missing(j int) int { return f.Rows.N() - len(dataset.Present(f.Rows, j)) }

// sortedValues returns the values of attribute j that are not missing, in ascending order.
func (f *File) sortedValues(j int) []float64 {
	return slices.Sorted(slices.Values(dataset.Present(f.Rows, j)))
}
