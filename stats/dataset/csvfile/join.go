package csvfile

import (
	"fmt"
	"slices"
	"strings"
)

// Unmatched says what becomes of rows that a joined table knows nothing of.
type Unmatched string

// The ways. A row of the other table that has no counterpart is an error where
// rows are refused, and left out otherwise.
const (
	RefuseUnmatched  Unmatched = "refuse"
	DropUnmatched    Unmatched = "drop"
	MissingUnmatched Unmatched = "missing" // its cells are missing values
)

// Join returns the rows of t, in their order, each with the columns of the row of
// another table that has the same texts in the columns on. These columns are in
// both tables and never empty, no other is; their texts may occur several times in
// t, in the other table once. Errors name the file and the row, that of t for what
// comes later.
func (t *Table) Join(other *Table, on []string, unmatched Unmatched) (*Table, error) {
	keys, err := t.keys(on)
	if err != nil {
		return nil, err
	}
	otherKeys, err := other.keys(on)
	if err != nil {
		return nil, err
	}
	place := map[string]int{} // of a key in the other table
	for i, key := range otherKeys {
		if first, twice := place[key]; twice {
			return nil, other.fail(i, strings.Join(on, ", "), fmt.Sprintf("%s is in row %d, too; each row of %s needs one counterpart at most", words(key), other.rows[first].row, t.names[0]))
		}
		place[key] = i
	}
	columns, err := t.added(other, on)
	if err != nil {
		return nil, err
	}
	joined := &Table{names: []string{t.names[0] + " joined with " + other.names[0]}, header: slices.Clone(t.header), column: map[string]int{}, marks: t.marks, decimal: t.decimal}
	for _, j := range columns {
		joined.header = append(joined.header, other.header[j])
	}
	for j, column := range joined.header {
		joined.column[column] = j
	}
	used := map[string]bool{}
	for i, key := range keys {
		at, ok := place[key]
		if !ok && unmatched == RefuseUnmatched {
			return nil, t.fail(i, strings.Join(on, ", "), other.names[0]+" has no row of "+words(key)+"; unmatched: drop leaves such rows out, unmatched: missing fills them up with missing values")
		}
		if !ok && unmatched == DropUnmatched {
			continue
		}
		used[key] = true
		row := make([]string, 0, len(joined.header))
		for j := range t.header {
			row = append(row, t.rows[i].at(j))
		}
		for _, j := range columns {
			cell := ""
			if ok {
				cell = t.foreign(other.rows[at].at(j), other)
			}
			row = append(row, cell)
		}
		joined.rows = append(joined.rows, newCells(row, t.rows[i].row))
	}
	if len(joined.rows) == 0 {
		return nil, fmt.Errorf("%s: no row has a counterpart in %s by %s", t.names[0], other.names[0], strings.Join(on, ", "))
	}
	for i, key := range otherKeys {
		if !used[key] && unmatched == RefuseUnmatched {
			return nil, other.fail(i, strings.Join(on, ", "), t.names[0]+" has no row of "+words(key)+"; unmatched: drop leaves such rows out")
		}
	}
	return joined, nil
}

// keySeparator stands between the parts of a key: no text has it.
const keySeparator = "\x00"

func words(key string) string { return fmt.Sprintf("%q", strings.Split(key, keySeparator)) }

// keys returns what identifies each row.
func (t *Table) keys(on []string) ([]string, error) {
	keys := make([]string, t.N())
	for k, name := range on {
		values, err := t.Column(name)
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			if k > 0 {
				keys[i] += keySeparator
			}
			keys[i] += v
		}
	}
	return keys, nil
}

// added lists the columns of another table that are not joined on.
func (t *Table) added(other *Table, on []string) (columns []int, err error) {
	for j, column := range other.header {
		if slices.Contains(on, column) {
			continue
		}
		if _, both := t.column[column]; both {
			return nil, other.failHead(column, t.names[0]+" has this column, too: rename it in one file, or join on it")
		}
		columns = append(columns, j)
	}
	return columns, nil
}
