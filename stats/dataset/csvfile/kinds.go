package csvfile

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A column counts as numeric with mistakes in it, rather than as discrete, when
// fewer than one in strayShare of its values are no numbers.
const strayShare = 5

// A class column of more numbers than maxNumericClasses is a measurement.
const maxNumericClasses = 30

// kinds decides which columns are text: those in text are, and those with a cell
// that is neither missing nor a number, unless numeric has them. It returns the
// cells as numbers, NaN where missing. Infinities among numbers are errors, and
// so are columns that are numeric but for a few cells.
func (t *Table) kinds(text, numeric []bool) ([][]float64, error) {
	values := make([][]float64, len(t.rows))
	flat := make([]float64, len(t.rows)*len(t.header))
	stray := make([][]int, len(t.header)) // rows of cells that are no numbers
	present := make([]int, len(t.header))
	for i, row := range t.rows {
		values[i], flat = flat[:len(t.header)], flat[len(t.header):]
		for j := range t.header {
			if text[j] {
				continue
			}
			cell := row.at(j)
			if t.marks[cell] {
				values[i][j] = math.NaN()
				continue
			}
			present[j]++
			v, ok := t.number(cell)
			if !ok {
				stray[j] = append(stray[j], i)
			}
			values[i][j] = v
		}
	}
	for j, rows := range stray {
		if len(rows) == 0 {
			continue
		}
		if numeric[j] || strayShare*len(rows) < present[j] || t.allInfinite(rows, j) {
			return nil, t.strayCells(j, rows, present[j], numeric[j])
		}
		if t.commaNumbers(rows, j) {
			return nil, t.fail(rows[0], t.header[j], fmt.Sprintf("%q has a comma for the decimal point or between thousands, which no one can tell: write it without, or declare the column discrete", t.rows[rows[0]].at(j)))
		}
		text[j] = true
	}
	return values, nil
}

// commaNumbers says whether all those cells are numbers but for commas, where these are no
// decimal marks.
func (t *Table) commaNumbers(rows []int, j int) bool {
	return t.decimal != ',' && !slices.ContainsFunc(rows, func(i int) bool {
		_, ok := decimal(strings.ReplaceAll(t.rows[i].at(j), ",", ""))
		return !ok
	})
}

// allInfinite says whether all those cells are numbers but not finite ones.
func (t *Table) allInfinite(rows []int, j int) bool {
	return !slices.ContainsFunc(rows, func(i int) bool { return !infinite(t.rows[i].at(j)) })
}

// strayCells is the error of a numeric column with cells that are no numbers.
func (t *Table) strayCells(j int, rows []int, present int, declared bool) error {
	first := t.rows[rows[0]].at(j)
	column := t.header[j]
	if infinite(first) {
		return t.fail(rows[0], column, fmt.Sprintf("%q is not finite; a missing value is %s", first, t.describeMarks()))
	}
	var where []string
	for _, i := range rows[1:min(len(rows), 4)] {
		where = append(where, fmt.Sprintf("%q in row %d", t.rows[i].at(j), t.rows[i].row))
	}
	problem := fmt.Sprintf("%q is not a number", first)
	if len(where) > 0 {
		problem += ", nor is " + strings.Join(where, ", ")
	}
	if more := len(rows) - 4; more > 0 {
		problem += fmt.Sprintf(" and %d more", more)
	}
	if declared {
		return t.fail(rows[0], column, problem+"; the column is declared numeric")
	}
	return t.fail(rows[0], column, fmt.Sprintf("%s, while %d of %d values are; correct the cells, mark them as missing (%s), declare their mark one of missing values or the column discrete",
		problem, present-len(rows), present, t.describeMarks()))
}

// describeMarks lists the marks of missing values.
func (t *Table) describeMarks() string {
	var marks []string
	for m := range t.marks {
		if m != "" {
			marks = append(marks, m)
		}
	}
	slices.Sort(marks)
	return "an empty cell" + strings.Join(append([]string{""}, marks...), " or ")
}

// checkClasses refuses a column of measurements as classes.
func (t *Table) checkClasses(class int, classes []string) error {
	n := len(classes)
	if n <= maxNumericClasses && (n <= 10 || 2*n <= len(t.rows)) {
		return nil
	}
	for _, c := range classes {
		if _, ok := t.number(c); !ok {
			return nil
		}
	}
	return t.failHead(t.header[class], fmt.Sprintf("%d different numbers in %d rows are no classes; name the class column, or merge its values into classes", n, len(t.rows)))
}
