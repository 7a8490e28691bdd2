package csvfile

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"copse/stats/dataset"
)

// A coding numbers the levels of an attribute or the classes.
type coding struct {
	names []string       // by code
	code  map[string]int // by name
	known int            // number of names at first; later names are not in the training set
}

// newCoding returns the coding of known names.
func newCoding(names []string) *coding {
	c := &coding{names: slices.Clip(names), code: make(map[string]int, len(names)), known: len(names)}
	for k, name := range names {
		c.code[name] = k
	}
	return c
}

// add returns the code of a name, which gets the next code if it is new.
func (c *coding) add(name string) int {
	code, ok := c.code[name]
	if !ok {
		code = len(c.names)
		c.code[name] = code
		c.names = append(c.names, name)
	}
	return code
}

// A namesReader writes the codes of levels and classes to a Set.
type namesReader struct {
	*Table
	*layout
	rule    Unseen
	levels  []*coding // of the attributes, nil for numeric ones
	classes *coding
	unseen  []unseen           // in the order of their first rows
	place   map[unseenName]int // in unseen
}

// An unseenName is a cell with a level or class that is not in the training set.
type unseenName struct {
	column int
	text   string
}

// An unseen counts the rows with a level or class that is not in the training set.
type unseen struct {
	unseenName
	first int // the first row
	count int
}

// readNames writes the codes of discrete attributes to s.X and those of the classes to s.Y. A
// class that is not in the training set is an error, or is added after the others: no rule can
// predict it, so its rows count as errors.
func (t *Table) readNames(o Options, l *layout, s *dataset.Set) error {
	r := &namesReader{Table: t, layout: l, rule: o.Unseen, classes: newCoding(s.Classes), place: map[unseenName]int{}}
	for _, a := range s.Attributes {
		var levels *coding
		if a.Kind == dataset.Discrete {
			levels = newCoding(a.Levels)
		}
		r.levels = append(r.levels, levels)
	}
	for i := range t.rows {
		if err := r.readLevels(i, s.X.RawRowView(i)); err != nil {
			return err
		}
		var err error
		if s.Y[i], err = r.readClass(i); err != nil {
			return err
		}
	}
	s.Classes = r.classes.names
	for j, levels := range r.levels {
		if levels != nil {
			s.Attributes[j].Levels = levels.names
		}
	}
	r.noteUnseen(o)
	return nil
}

// readLevels writes the codes of the discrete attributes of row i to values, NaN for missing ones.
func (r *namesReader) readLevels(i int, values []float64) error {
	for j, column := range r.columns {
		levels := r.levels[j]
		if levels == nil {
			continue
		}
		cell := r.rows[i].at(column)
		if r.marks[cell] {
			values[j] = math.NaN()
			continue
		}
		code, found := levels.code[cell]
		if found && code < levels.known {
			values[j] = float64(code)
			continue
		}
		r.count(i, column, cell)
		switch r.rule {
		case UnseenError:
			return r.fail(i, r.header[column], fmt.Sprintf("unknown level %q; the levels are %q", cell, levels.names))
		case UnseenMissing:
			values[j] = math.NaN()
		case UnseenLevel:
			values[j] = float64(levels.add(cell))
		}
	}
	return nil
}

// readClass returns the class of row i, dataset.Unknown in a file without classes.
func (r *namesReader) readClass(i int) (int, error) {
	if r.class < 0 {
		return dataset.Unknown, nil
	}
	label := r.rows[i].at(r.class)
	if r.marks[label] {
		return 0, r.fail(i, r.header[r.class], "the class is missing")
	}
	if class, isMerged := r.merged[label]; isMerged {
		label = class
	}
	code, found := r.classes.code[label]
	if found && code < r.classes.known {
		return code, nil
	}
	if r.rule == UnseenError {
		problem := fmt.Sprintf("unknown class %q; the classes are %q", label, r.classes.names)
		return 0, r.fail(i, r.header[r.class], problem)
	}
	r.count(i, r.class, label)
	return r.classes.add(label), nil
}

// count counts a row with an unseen level or class.
func (r *namesReader) count(i, column int, text string) {
	name := unseenName{column, text}
	k, ok := r.place[name]
	if !ok {
		k = len(r.unseen)
		r.place[name] = k
		r.unseen = append(r.unseen, unseen{unseenName: name, first: i})
	}
	r.unseen[k].count++
}

// maxNoted is the number of unseen levels of a column that are noted one by one.
const maxNoted = 5

// noteUnseen passes a note on each of the first unseen levels of each column, and on how many more
// there are, to the options.
func (r *namesReader) noteUnseen(o Options) {
	noted := map[int]int{} // unseen levels by column
	for _, u := range r.unseen {
		noted[u.column]++
		if noted[u.column] > maxNoted {
			continue
		}
		what, fate := "level", "read as missing"
		if u.column == r.class {
			what, fate = "class", "counted as errors"
		} else if r.rule == UnseenLevel {
			fate = "read as a level without training rows"
		}
		row := r.rows[u.first]
		o.note("%s: row %d, column %q: no training row has the %s %q (%d in all); %s",
			r.names[row.file], row.row, r.header[u.column], what, u.text, u.count, fate)
	}
	for _, column := range slices.Sorted(maps.Keys(noted)) {
		if more := noted[column] - maxNoted; more > 0 {
			o.note("%s: column %q: %d more values occur in no training row; they are read alike",
				r.names[0], r.header[column], more)
		}
	}
}
