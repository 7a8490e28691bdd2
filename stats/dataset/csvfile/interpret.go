package csvfile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Set converts the table to a labelled sample. The columns and their kinds come from the options,
// the schema or the training set o.Train. Otherwise, the cells determine them.
func (t *Table) Set(o Options) (*dataset.Set, error) {
	l, err := t.newLayout(o)
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(len(t.rows), len(l.columns), nil)
	counts := t.readNumbers(l, x) // counts[j] shows whether column j can be numeric
	for j, column := range l.columns {
		isInferred := l.kinds[j] == inferred
		if l.kinds[j], err = t.decideKind(column, l.kinds[j], counts[j]); err != nil {
			return nil, err
		}
		if isInferred && l.kinds[j] == numeric {
			t.noteLeadingZeros(o, column)
		}
	}
	s := &dataset.Set{X: x, Y: make([]int, len(t.rows))}
	if s.Classes, err = t.classes(o, l); err != nil {
		return nil, err
	}
	s.Attributes = t.attributes(o, l)
	if err := t.readNames(o, l, s); err != nil { // stores the codes of levels and classes
		return nil, err
	}
	return s, nil
}

// classes returns the names of the classes in the training set or the schema. Without these, or if
// labels are merged without a training set, it returns the labels of the file in natural order.
//
// Labels that look like continuous measurements are an error, unless o.Discrete contains the class
// column.
func (t *Table) classes(o Options, l *layout) ([]string, error) {
	if o.Train != nil {
		return o.Train.Classes, nil
	}
	name := t.header[l.class] // without a training set, there is always a class column
	field := o.Schema.fields()[name]
	if field != nil && field.Categories != nil && len(o.Merge) == 0 {
		return field.Categories, nil
	}
	classes := t.distinct(l.class, l.merged)
	isDeclared := slices.Contains(o.Discrete, name)
	if len(o.Merge) == 0 && !isDeclared && t.continuous(classes) {
		return nil, &OptionError{[]string{"class"}, t.columnError(name, "looks continuous (%d distinct numbers in %d "+
			"rows); name another class column, merge the values of this column into classes, or declare it discrete "+
			"if the numbers are names of classes", len(classes), len(t.rows))}
	}
	return classes, nil
}

// A numeric class column has at most fewNumericClasses distinct values, or maxNumericClasses if
// each has on average at least two rows.
const (
	fewNumericClasses = 10
	maxNumericClasses = 30
)

func (t *Table) continuous(classes []string) bool {
	n := len(classes)
	if n <= fewNumericClasses || n <= maxNumericClasses && 2*n <= len(t.rows) {
		return false
	}
	return !slices.ContainsFunc(classes, func(class string) bool {
		_, ok := t.number(class)
		return !ok
	})
}

// attributes returns the attributes for the columns of the layout l, whose kinds must be set.
//
// The levels come from the training set, the schema or the distinct cells, in natural order.
func (t *Table) attributes(o Options, l *layout) []dataset.Attribute {
	if o.Train != nil {
		return slices.Clone(o.Train.Attributes)
	}
	fields := o.Schema.fields()
	attributes := make([]dataset.Attribute, len(l.columns))
	for j, column := range l.columns {
		a := &attributes[j]
		a.Name = t.header[column]
		if l.kinds[j] == numeric {
			continue // no levels
		}
		a.Kind = dataset.Discrete
		a.Levels = t.distinct(column, nil)
		if field := fields[a.Name]; field != nil && field.Categories != nil {
			a.Levels = field.Categories
		}
	}
	return attributes
}

// distinct returns the distinct cells of column j in natural order, without missing values. merged
// maps cells to the names that replace them.
func (t *Table) distinct(j int, merged map[string]string) []string {
	seen := make(map[string]bool)
	var values []string
	for _, row := range t.rows {
		v := row.cell(j)
		if t.isMissing(v) {
			continue
		}
		if class, ok := merged[v]; ok {
			v = class
		}
		if !seen[v] {
			v = strings.Clone(v) // without Clone, v would keep the text of its whole row in memory
			seen[v] = true
			values = append(values, v)
		}
	}
	slices.SortFunc(values, naturalOrder)
	return values
}

type numberCounts struct {
	present    int   // number of cells that are not missing
	nonNumbers []int // rows of cells that are not numbers
}

// readNumbers stores the numbers of all columns that are not declared discrete in x. Missing values
// become NaN. For each column j, counts[j] contains the number of present values and the rows with
// texts that are not numbers. These decide later whether the column is numeric.
func (t *Table) readNumbers(l *layout, x *mat.Dense) []numberCounts {
	counts := make([]numberCounts, len(l.columns))
	for i, row := range t.rows {
		values := x.RawRowView(i)
		for j, column := range l.columns {
			if l.kinds[j] == discrete {
				continue
			}
			cell := row.cell(column)
			if t.isMissing(cell) {
				values[j] = math.NaN()
				continue
			}
			counts[j].present++
			v, isNumber := t.number(cell)
			if !isNumber {
				counts[j].nonNumbers = append(counts[j].nonNumbers, i)
			}
			values[j] = v // 0 if not a number; if the column turns out to be discrete, readNames stores a code
		}
	}
	return counts
}

// presentPerMistake limits the mistakes in a numeric column. Values that are not numbers are
// mistakes if they are less than 1/presentPerMistake of all values. Otherwise, the column is
// discrete.
const presentPerMistake = 5

// decideKind returns whether a column of kind k in the layout is numeric or discrete. If k is
// inferred, the cells decide.
//
// Cells that are not numbers are an error if the column is declared numeric or looks numeric.
func (t *Table) decideKind(column int, k kind, count numberCounts) (kind, error) {
	if k == discrete {
		return discrete, nil
	}
	if len(count.nonNumbers) == 0 {
		return numeric, t.checkIntegers(column)
	}
	isNumeric := k != inferred // declared, or numeric in the training set
	if isNumeric || t.areMistakes(column, count) {
		return 0, t.nonNumberError(column, k, count)
	}
	return discrete, t.checkNotation(column, count)
}

func (t *Table) noteLeadingZeros(o Options, column int) {
	hasZeros := func(row tableRow) bool { return hasLeadingZero(row.cell(column)) }
	if i := slices.IndexFunc(t.rows, hasZeros); i >= 0 {
		o.note("%s: column %q has numbers with leading zeros, such as %s: if they are codes, declare it discrete",
			t.names[0], t.header[column], t.rows[i].cell(column))
	}
}

func hasLeadingZero(number string) bool {
	digits := strings.TrimLeft(number, "+-")
	return len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789") == ""
}

// areMistakes reports whether the cells that are not numbers are probably mistakes: either they are
// few, or all of them are NaN or infinite.
func (t *Table) areMistakes(column int, count numberCounts) bool {
	isText := func(i int) bool { return !isNaNOrInfinite(t.rows[i].cell(column)) }
	areFew := presentPerMistake*len(count.nonNumbers) < count.present
	return areFew || !slices.ContainsFunc(count.nonNumbers, isText)
}

// checkNotation returns an error if most values of a column are numbers, some of them in an
// unsupported notation.
func (t *Table) checkNotation(column int, count numberCounts) error {
	isOther := func(i int) bool { return t.otherNotation(t.rows[i].cell(column)) }
	first := slices.IndexFunc(count.nonNumbers, isOther)
	if first < 0 || !t.mostlyNumbers(column) {
		return nil
	}
	row := count.nonNumbers[first]
	cell := t.rows[row].cell(column)
	return t.rowError(row, t.header[column], "%q has %s, or declare the column discrete", cell, t.notationProblem(cell))
}

// checkIntegers returns an error if two different integers of a column become the same float64.
func (t *Table) checkIntegers(column int) error {
	const exactDigits = 15          // a float64 represents all integers with so many digits
	earlier := map[float64]string{} // digits of the integers in earlier rows
	for i, row := range t.rows {
		cell := row.cell(column)
		digits := strings.TrimLeft(cell, "+-0")
		if len(digits) <= exactDigits || t.isMissing(cell) || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		v, _ := decimal(cell)
		if other, known := earlier[v]; known && other != digits {
			return t.rowError(i, t.header[column], "as floating-point numbers, the integers %s and %s are equal; "+
				"drop the column or declare it discrete", other, digits)
		}
		earlier[v] = digits
	}
	return nil
}

// grouped matches numbers with thousands separators, such as 1,234,567.8.
var grouped = regexp.MustCompile(`^[-+]?\d{1,3}([ ,._'’\x{a0}\x{2009}\x{202f}]\d{3})+([.,]\d+)?$`)

// otherNotation reports whether a cell is a number in an unsupported notation: with the minus sign U+2212,
// a percent sign, thousands separators or another decimal mark.
func (t *Table) otherNotation(cell string) bool {
	text := hyphenated(strings.TrimSpace(strings.TrimSuffix(cell, "%")))
	_, isPlain := t.number(text)
	_, hasCommas := decimal(strings.ReplaceAll(text, ",", ""))
	return isPlain || grouped.MatchString(text) || hasCommas && t.decimal != ','
}

func hyphenated(cell string) string { return strings.ReplaceAll(cell, "\u2212", "-") }

func (t *Table) mostlyNumbers(column int) bool {
	values := t.distinct(column, nil)
	numbers := 0
	for _, v := range values {
		if _, ok := t.number(v); ok || t.otherNotation(v) {
			numbers++
		}
	}
	return 2*numbers > len(values)
}

// notationProblem describes the unsupported notation of a number and its correction.
func (t *Table) notationProblem(cell string) string {
	switch {
	case hyphenated(cell) != cell:
		return fmt.Sprintf("the minus sign U+2212; write %q with a hyphen-minus", hyphenated(cell))
	case strings.HasSuffix(cell, "%"):
		return "a percent sign; write the number without it"
	case t.decimal != ',' && strings.Contains(cell, ",") && t.pointCell != "":
		return "a comma as the decimal mark or between thousands, but " + t.pointCell + " has a decimal point; use " +
			"one decimal mark and no thousands separators, remove the column with the decimal point"
	case t.decimal != ',' && strings.Contains(cell, ","):
		return "a comma as the decimal mark or between thousands; write a decimal point and no thousands separators"
	}
	return "a thousands separator; write the number without it"
}

const maxListed = 4

// nonNumberError returns the error for the first cell that is not a number in a numeric column of
// kind k.
func (t *Table) nonNumberError(column int, k kind, count numberCounts) error {
	first, name := count.nonNumbers[0], t.header[column]
	if cell := t.rows[first].cell(column); isNaNOrInfinite(cell) {
		return t.rowError(first, name, "%q is not a finite number; write a missing value as %s, or declare %[1]q a "+
			"missing-value mark (`missing_marks` in a study)", cell, t.describeMarks())
	}
	problem := t.listNonNumbers(column, count.nonNumbers)
	switch k {
	case numeric:
		return t.rowError(first, name, "%s; the column is declared numeric", problem)
	case trained:
		return t.rowError(first, name, "%s; the column is numeric in the training set", problem)
	}
	return t.rowError(first, name, "%s, while %d of %d values are; correct the cells, declare the text a "+
		"missing-value mark (`missing_marks` in a study; now: %s), or declare the column discrete",
		problem, count.present-len(count.nonNumbers), count.present, t.describeMarks())
}

// listNonNumbers lists the first maxListed cells of a column that are not numbers:
//
//	"x" is not a number, nor is "y" in row 7, nor is "z" in row 9, nor is "u" in row 12 (and 3 more)
func (t *Table) listNonNumbers(column int, rows []int) string {
	clause := fmt.Sprintf("%q is not a number", t.rows[rows[0]].cell(column))
	for _, i := range rows[1:min(len(rows), maxListed)] {
		clause += fmt.Sprintf(", nor is %q in row %d", t.rows[i].cell(column), t.rows[i].number)
	}
	if more := len(rows) - maxListed; more > 0 {
		clause += fmt.Sprintf(" (and %d more)", more)
	}
	return clause
}

// describeMarks lists the marks of a missing value, as in "an empty cell or ? or NA".
func (t *Table) describeMarks() string {
	list := []string{"an empty cell"}
	for m := range t.marks {
		if m != "" {
			list = append(list, m)
		}
	}
	slices.Sort(list[1:])
	return strings.Join(list, " or ")
}
