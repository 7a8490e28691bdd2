package csvfile

import (
	"fmt"
	"slices"
	"strings"
)

// Unmatched is the way to treat rows without a counterpart in a joined table.
type Unmatched string

// The ways. A row of the other table without a counterpart is an error with
// RefuseUnmatched and is left out otherwise.
const (
	RefuseUnmatched  Unmatched = "refuse"
	DropUnmatched    Unmatched = "drop"
	MissingUnmatched Unmatched = "missing" // its cells are missing values
)

// A join matches the rows of two tables by the texts in the columns on.
type join struct {
	left, right         *Table
	on                  []string
	leftKeys, rightKeys []string
	place               map[string]int // row of a key in right
	added               []int          // columns of right that are not in left
}

// Join returns the rows of t, in their order, each with the columns of the row of
// another table that has the same texts in the columns on. Both tables have these
// columns, which are never empty, and no other column in common. A text may occur in
// several rows of t, but only in one row of the other table. Errors name the file and
// the row; later errors about joined rows name the row of t.
func (t *Table) Join(other *Table, on []string, unmatched Unmatched) (*Table, error) {
	m, err := newJoin(t, other, on)
	if err != nil {
		return nil, err
	}
	if unmatched == RefuseUnmatched {
		if err := m.refuseUnmatched(); err != nil {
			return nil, err
		}
	}
	joined := m.emptyTable()
	for i, key := range m.leftKeys {
		at, ok := m.place[key]
		if !ok && unmatched == DropUnmatched {
			continue
		}
		if !ok {
			at = -1
		}
		joined.rows = append(joined.rows, m.row(i, at))
	}
	if len(joined.rows) == 0 {
		return nil, fmt.Errorf("%s: no row has a counterpart in %s by %s", t.names[0], other.names[0], m.by())
	}
	return joined, nil
}

func newJoin(left, right *Table, on []string) (*join, error) {
	m := &join{left: left, right: right, on: on, place: map[string]int{}}
	var err error
	if m.leftKeys, err = left.keys(on); err != nil {
		return nil, err
	}
	if m.rightKeys, err = right.keys(on); err != nil {
		return nil, err
	}
	for i, key := range m.rightKeys {
		if first, twice := m.place[key]; twice {
			problem := fmt.Sprintf("%s is in row %d, too; each row of %s needs one counterpart at most",
				words(key), right.rows[first].row, left.names[0])
			return nil, right.fail(i, m.by(), problem)
		}
		m.place[key] = i
	}
	for j, column := range right.header {
		if slices.Contains(on, column) {
			continue
		}
		if _, both := left.column[column]; both {
			problem := left.names[0] + " has this column, too: rename it in one file, or join on it"
			return nil, right.failHead(column, problem)
		}
		m.added = append(m.added, j)
	}
	return m, nil
}

// by returns the names of the columns that are joined on.
func (m *join) by() string { return strings.Join(m.on, ", ") }

// refuseUnmatched fails on the first row of either table without a counterpart.
func (m *join) refuseUnmatched() error {
	used := map[string]bool{}
	for i, key := range m.leftKeys {
		if _, ok := m.place[key]; !ok {
			return m.left.fail(i, m.by(), m.right.names[0]+" has no row of "+words(key)+
				"; unmatched: drop leaves such rows out, unmatched: missing fills them up with missing values")
		}
		used[key] = true
	}
	for i, key := range m.rightKeys {
		if !used[key] {
			return m.right.fail(i, m.by(), m.left.names[0]+" has no row of "+words(key)+
				"; unmatched: drop leaves such rows out")
		}
	}
	return nil
}

// emptyTable returns a table with the columns of both and no rows.
func (m *join) emptyTable() *Table {
	t := &Table{
		names:   []string{m.left.names[0] + " joined with " + m.right.names[0]},
		header:  slices.Clone(m.left.header),
		column:  map[string]int{},
		marks:   m.left.marks,
		decimal: m.left.decimal,
	}
	for _, j := range m.added {
		t.header = append(t.header, m.right.header[j])
	}
	for j, column := range t.header {
		t.column[column] = j
	}
	return t
}

// row joins row i of the left table with row at of the right one, -1 for missing values.
func (m *join) row(i, at int) cells {
	var row []string
	for j := range m.left.header {
		row = append(row, m.left.rows[i].at(j))
	}
	for _, j := range m.added {
		cell := ""
		if at >= 0 {
			cell = m.left.foreign(m.right.rows[at].at(j), m.right)
		}
		row = append(row, cell)
	}
	return newCells(row, m.left.rows[i].row)
}

// keySeparator separates the parts of a key. It occurs in no text.
const keySeparator = "\x00"

// words shows the parts of a key.
func words(key string) string { return fmt.Sprintf("%q", strings.Split(key, keySeparator)) }

// keys returns the texts of each row in the columns on.
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
