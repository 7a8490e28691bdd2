package csvfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/stats/spelling"
)

var comparisons = []string{" >= ", " <= ", " != ", " = ", " > ", " < "}

type condition struct {
	column     int
	comparison string  // an operator without blanks, such as >=
	text       string  // the value as it is written in the condition
	value      float64 // the value as a number, if numeric
	numeric    bool
}

// Where returns a table of the rows that satisfy every condition. Examples are "age >= 18", "site =
// north" and "insu != NA" (not missing).
//
// Numbers are compared by value. Text can be compared only with = and !=. A missing value satisfies
// "!= x" for any x except NA.
func (t *Table) Where(conditions []string) (*Table, error) {
	var parsed []condition
	for _, text := range conditions {
		c, err := t.condition(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", t.names[0], text, err)
		}
		parsed = append(parsed, c)
	}
	violates := func(row tableRow) bool {
		return slices.ContainsFunc(parsed, func(c condition) bool { return !c.holds(t, row) })
	}
	kept := *t
	kept.rows = slices.DeleteFunc(slices.Clone(t.rows), violates)
	if len(kept.rows) == 0 {
		return nil, fmt.Errorf("%s: no row meets %q", t.names[0], strings.Join(conditions, ", "))
	}
	return &kept, nil
}

// AbsentValues returns, by condition, an error for each condition with = or != whose value occurs in
// no row. The conditions must be valid (see Where).
func (t *Table) AbsentValues(conditions []string) map[string]error {
	absent := map[string]error{}
	for _, text := range conditions {
		c, _ := t.condition(text)
		isEqual := func(row tableRow) bool { return c.equals(t, row.cell(c.column)) }
		testsMissing := c.text == "NA" // for missing values, which need not occur
		if c.isOrdered() || testsMissing || slices.ContainsFunc(t.rows, isEqual) {
			continue
		}
		advice := "remove the condition; write several conditions as separate items"
		if nearest := spelling.Nearest(c.text, t.distinct(c.column, nil)); nearest != "" {
			advice = fmt.Sprintf("did you mean %q?", nearest)
		}
		absent[text] = fmt.Errorf("%s: %q: no row has the value %q in column %q; %s",
			t.names[0], text, c.text, t.header[c.column], advice)
	}
	return absent
}

// condition parses a condition such as "age >= 18". The operator must have blanks around it, and
// the value of <, >, <= or >= must be a number.
func (t *Table) condition(text string) (condition, error) {
	column, comparison, value := splitCondition(text)
	if comparison == "" {
		return condition{}, fmt.Errorf("want `COLUMN OP VALUE` with spaces, where `OP` is one of `>= <= != = > <`")
	}
	c := condition{comparison: comparison, text: value}
	isKnown := false
	if c.column, isKnown = t.column[column]; !isKnown {
		return c, fmt.Errorf("there is no column %q", column)
	}
	c.value, c.numeric = decimal(c.text)
	if c.isOrdered() && !c.numeric {
		return c, fmt.Errorf("%q is not a number; compare text with `=` or `!=`", c.text)
	}
	return c, nil
}

// ConditionColumn returns the name of the column in a condition (see Where), or "" if the condition has no
// operator.
func ConditionColumn(condition string) string {
	column, _, _ := splitCondition(condition)
	return column
}

// splitCondition returns the parts of a condition such as "age >= 18", without blanks. All parts are "" if
// there is no operator with blanks around it.
func splitCondition(text string) (column, comparison, value string) {
	for _, comparison := range comparisons {
		if left, right, ok := strings.Cut(text, comparison); ok {
			return strings.TrimSpace(left), strings.TrimSpace(comparison), strings.TrimSpace(right)
		}
	}
	return "", "", ""
}

// An Equality is a condition that a column has a given value, such as "site = north".
type Equality struct {
	column, value string
	number        float64 // the value as a number, if isNumber
	isNumber      bool
}

// EqualitiesOf returns the conditions with = in a list of conditions (see Where). It omits
// conditions with = NA, because any text can mark missing values.
func EqualitiesOf(conditions []string) (list []Equality) {
	for _, text := range conditions {
		column, comparison, value := splitCondition(text)
		if comparison != "=" || value == "NA" {
			continue
		}
		e := Equality{column: column, value: value}
		e.number, e.isNumber = decimal(strings.Replace(value, ",", ".", 1)) // the decimal mark may be a comma
		list = append(list, e)
	}
	return list
}

// Disjoint reports whether two lists of conditions require different values of a column.
func Disjoint(a, b []Equality) bool {
	for i := range a {
		for k := range b {
			if a[i].excludes(&b[k]) {
				return true
			}
		}
	}
	return false
}

func (e *Equality) excludes(other *Equality) bool {
	isEqualNumber := e.isNumber && other.isNumber && e.number == other.number
	return e.column == other.column && e.value != other.value && !isEqualNumber
}

func (c *condition) isOrdered() bool { return c.comparison != "=" && c.comparison != "!=" }

// valueIn returns the number in a cell. Columns that are not numeric attributes may have a decimal
// point in a table with decimal commas.
func (t *Table) valueIn(cell string) (v float64, isNumber bool) {
	if v, isNumber = t.number(cell); isNumber {
		return v, true
	}
	return decimal(cell)
}

// equals reports whether a cell has the value of the condition. Numbers are compared by value, and NA
// means a missing value.
func (c *condition) equals(t *Table, cell string) bool {
	if c.text == "NA" {
		return t.isMissing(cell)
	}
	v, isNumber := t.valueIn(cell)
	return cell == c.text || isNumber && c.numeric && v == c.value
}

// holds reports whether a row satisfies the condition. A cell that is not a number never satisfies
// <, >, <= or >=.
func (c *condition) holds(t *Table, row tableRow) bool {
	cell := row.cell(c.column)
	v, isNumber := t.valueIn(cell)
	switch c.comparison {
	case "=":
		return c.equals(t, cell)
	case "!=":
		return !c.equals(t, cell)
	case ">":
		return isNumber && v > c.value
	case "<":
		return isNumber && v < c.value
	case ">=":
		return isNumber && v >= c.value
	default: // "<="
		return isNumber && v <= c.value
	}
}

// Append returns a table with the rows of t, followed by the rows of another table with the same
// columns. The order of the columns may differ. Only optional columns may be absent in one of the
// tables. Their cells are then "", a missing value. Numbers get the decimal mark of t.
func (t *Table) Append(other *Table, isOptional func(column string) bool) (*Table, error) {
	if err := t.checkSameColumns(other, isOptional); err != nil {
		return nil, err
	}
	joined := *t
	joined.names = slices.Concat(t.names, other.names)
	joined.header, joined.column = slices.Clone(t.header), maps.Clone(t.column)
	for _, name := range other.header {
		if _, ok := t.column[name]; !ok {
			joined.column[name] = len(joined.header)
			joined.header = append(joined.header, name)
		}
	}
	joined.rows = slices.Clone(t.rows) // without cells for the added columns, which cell then reads as ""
	row := make([]string, len(joined.header))
	for _, r := range other.rows {
		for j, name := range joined.header {
			row[j] = "" // missing
			if column, ok := other.column[name]; ok {
				row[j] = t.inNotation(r.cell(column), other)
			}
		}
		copied := newTableRow(row, r.number)
		copied.file = len(t.names) + r.file // index of the row's file in joined.names
		joined.rows = append(joined.rows, copied)
	}
	return &joined, nil
}

func (t *Table) checkSameColumns(other *Table, isOptional func(column string) bool) error {
	const rule = "a column may be absent only if `drop` or `keep` leaves it out and no other key uses it"
	for _, name := range t.header {
		if _, ok := other.column[name]; !ok && !isOptional(name) {
			return other.columnError(name, "%s has this column, but this file does not; %s", t.names[0], rule)
		}
	}
	for _, name := range other.header {
		if _, ok := t.column[name]; !ok && !isOptional(name) {
			return other.columnError(name, "%s has no such column; %s", t.names[0], rule)
		}
	}
	return nil
}

// inNotation returns a cell of the other table in the notation of t: "" for a missing value, and
// numbers with the decimal mark of t.
func (t *Table) inNotation(cell string, other *Table) string {
	if other.marks[cell] {
		return ""
	}
	if _, ok := other.number(cell); !ok || other.decimal == t.decimal {
		return cell
	}
	return strings.ReplaceAll(cell, string(other.decimal), string(t.decimal))
}
