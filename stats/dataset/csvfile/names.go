package csvfile

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/dataset"
)

// A coding assigns the codes 0, 1, ... to levels or classes.
type coding struct {
	names []string       // names in the order of their codes
	code  map[string]int // code of each name
	known int            // number of names in the training set; add appends further names
}

func newCoding(names []string) *coding {
	c := &coding{names: slices.Clip(names), code: make(map[string]int, len(names)), known: len(names)}
	for k, name := range names {
		c.code[name] = k
	}
	return c
}

// seen returns the code of a name, and whether the training set contains the name.
func (c *coding) seen(name string) (code int, ok bool) {
	code, ok = c.code[name]
	return code, ok && code < c.known
}

// add returns the code of a name, which is a new code if the coding lacks the name.
func (c *coding) add(name string) int {
	code, ok := c.code[name]
	if !ok {
		code = len(c.names)
		c.code[name] = code
		c.names = append(c.names, name)
	}
	return code
}

// A namesReader converts levels and classes to codes, and lists the cells whose names the training
// set lacks.
type namesReader struct {
	*Table
	*layout
	rule       Unseen
	isTraining bool      // whether the table itself is a training set
	levels     []*coding // codings of the attributes; nil for a numeric attribute
	classes    *coding   // of the training set, followed by unseen classes
	unseen     []unseen  // cells whose names the training set lacks
}

type unseenName struct {
	column int
	text   string
}

type unseen struct {
	unseenName
	row int
}

// readNames stores the codes of discrete attributes in s.X and of classes in s.Y, and treats
// unknown names by o.Unseen. Unknown classes are added to s.Classes.
func (t *Table) readNames(o Options, l *layout, s *dataset.Set) error {
	r := &namesReader{Table: t, layout: l, rule: o.Unseen, isTraining: o.Train == nil, classes: newCoding(s.Classes)}
	for _, a := range s.Attributes {
		var levels *coding // remains nil for a numeric attribute
		if a.Kind == dataset.Discrete {
			levels = newCoding(a.Levels)
		}
		r.levels = append(r.levels, levels)
	}
	for i := range t.rows {
		var err error
		for j, levels := range r.levels {
			if levels == nil {
				continue
			}
			if s.X.RawRowView(i)[j], err = r.readLevel(i, l.columns[j], levels); err != nil {
				return err
			}
		}
		if s.Y[i], err = r.readClass(i); err != nil {
			return err
		}
	}
	// The codings now also contain the unseen names, if the rule accepts them.
	s.Classes = r.classes.names
	for j, levels := range r.levels {
		if levels != nil {
			s.Attributes[j].Levels = levels.names
		}
	}
	r.noteUnseen(o)
	return nil
}

// readLevel returns the code of a discrete attribute in row i, or NaN for a missing value. If levels
// lacks the level in this row, r.rule decides: it is an error, a missing value or a new level.
func (r *namesReader) readLevel(i, column int, levels *coding) (float64, error) {
	cell := r.rows[i].cell(column)
	if r.isMissing(cell) {
		return math.NaN(), nil
	}
	if code, ok := levels.seen(cell); ok {
		return float64(code), nil
	}
	if r.rule == UnseenError {
		return 0, r.rowError(i, r.header[column], "unknown level %q; the levels are %q", cell, levels.names)
	}
	r.unseen = append(r.unseen, unseen{unseenName{column, cell}, i})
	if r.rule == UnseenMissing {
		return math.NaN(), nil
	}
	return float64(levels.add(cell)), nil // a new code, unless an earlier row has added the level
}

// readClass returns the class code of row i, or dataset.Unknown without a class column. A missing
// class is an error in a training set, and dataset.Unknown in any other file.
//
// r.rule decides whether an unknown class is an error. If not, it is added to r.unseen and gets a new
// code.
func (r *namesReader) readClass(i int) (int, error) {
	if r.class < 0 {
		return dataset.Unknown, nil
	}
	label := r.rows[i].cell(r.class)
	if r.isMissing(label) {
		if !r.isTraining {
			return dataset.Unknown, nil
		}
		column := r.header[r.class]
		return 0, r.rowError(i, column, "the class is missing; enter it or remove the row (in a study: "+
			"`rows: [%s != NA]`); marks of missing values (`missing_marks` in a study): %s", column, r.describeMarks())
	}
	if class, isMerged := r.merged[label]; isMerged {
		label = class
	}
	if code, ok := r.classes.seen(label); ok {
		return code, nil
	}
	if r.rule == UnseenError {
		return 0, r.rowError(i, r.header[r.class], "unknown class %q; the classes are %q", label, r.classes.names)
	}
	r.unseen = append(r.unseen, unseen{unseenName{r.class, label}, i})
	return r.classes.add(label), nil
}

const maxNoted = 5

// noteUnseen notes the first maxNoted unseen levels of each column and the number of the others.
func (r *namesReader) noteUnseen(o Options) {
	counts := map[int]int{} // number of unseen levels by column
	for _, occurrences := range stats.Grouped(r.unseen, func(u unseen) unseenName { return u.unseenName }) {
		column := occurrences[0].column
		counts[column]++
		if counts[column] <= maxNoted {
			o.note("%s", r.unseenNote(occurrences))
		}
	}
	for _, column := range slices.Sorted(maps.Keys(counts)) {
		if more := counts[column] - maxNoted; more > 0 {
			o.note("%s: column %q: %d more values occur in no training row and are treated in the same way",
				r.names[0], r.header[column], more)
		}
	}
}

// unseenNote returns a note about the occurrences of a level or class that the training set lacks,
// such as
//
//	test.csv: row 3, column "stage": no training row has the level "4" (occurrences: 2); read as missing
func (r *namesReader) unseenNote(occurrences []unseen) string {
	noun, treatment := "level", "read as missing"
	first := occurrences[0]
	if first.column == r.class {
		noun, treatment = "class", "counted as errors"
	} else if r.rule == UnseenLevel {
		treatment = "read as an additional level that has no training rows"
	}
	row := r.rows[first.row]
	return fmt.Sprintf("%s: row %d, column %q: no training row has the %s %q (occurrences: %d); %s",
		r.names[row.file], row.number, r.header[first.column], noun, first.text, len(occurrences), treatment)
}
