package csvfile

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Unseen says what becomes of a level or a class in a file that the training set
// lacks.
type Unseen uint8

const (
	// UnseenError refuses the file.
	UnseenError Unseen = iota
	// UnseenMissing takes an unseen level as a missing value.
	UnseenMissing
	// UnseenLevel adds an unseen level after those of the training set, which
	// Set.WithAttributesOf then gives to the training set, where no row has it.
	UnseenLevel
)

// A filling sets X and Y of a Set whose attributes and classes are known.
type filling struct {
	*Table
	set     *dataset.Set
	columns []int             // of the attributes
	class   int               // -1: none
	merged  map[string]string // labels that get another name
	values  [][]float64       // the cells of numeric columns
	unseen  []unseen
	at      map[unseenName]int
}

type unseenName struct {
	column int
	text   string
}

// An unseen is a level or a class that the training set lacks.
type unseen struct {
	unseenName
	first, count int // row, and how many
}

// fill sets X and Y. Unless unseen levels are errors, an unseen class is added
// after the others: no rule can predict it, so its rows count as errors.
func (f *filling) fill(o Options) error {
	s := f.set
	s.X = mat.NewDense(len(f.rows), len(f.columns), nil)
	s.Y = make([]int, len(f.rows))
	codes := make([]map[string]int, len(f.columns))
	for j, a := range s.Attributes {
		codes[j] = codesOf(a.Levels)
	}
	classes := codesOf(s.Classes)
	known := slices.Clone(s.Attributes)
	for i, row := range f.rows {
		x := s.X.RawRowView(i)
		for j, column := range f.columns {
			a, cell := &s.Attributes[j], row.at(column)
			if a.Kind == dataset.Numeric {
				x[j] = f.values[i][column]
				continue
			}
			if f.marks[cell] {
				x[j] = math.NaN()
				continue
			}
			code, ok := codes[j][cell]
			if !ok && o.Unseen == UnseenError {
				return f.fail(i, f.header[column], fmt.Sprintf("unknown level %q; the levels are %q", cell, a.Levels))
			}
			if !ok {
				code = addName(&a.Levels, codes[j], cell)
			}
			if x[j] = float64(code); code >= len(known[j].Levels) {
				f.saw(i, column, cell)
				if o.Unseen == UnseenMissing {
					x[j] = math.NaN()
				}
			}
		}
		label, err := f.label(i)
		if err != nil {
			return err
		}
		if s.Y[i] = dataset.Unknown; f.class < 0 {
			continue
		}
		code, ok := classes[label]
		if !ok && o.Unseen == UnseenError {
			return f.fail(i, f.header[f.class], fmt.Sprintf("unknown class %q; the classes are %q", label, s.Classes))
		}
		if !ok {
			code = addName(&s.Classes, classes, label)
		}
		if s.Y[i] = code; o.Train != nil && code >= o.Train.C() {
			f.saw(i, f.class, label)
		}
	}
	if o.Unseen == UnseenMissing {
		s.Attributes = known
	}
	f.tell(o)
	return nil
}

// addName appends a name that codes lacks and returns its code.
func addName(names *[]string, codes map[string]int, name string) int {
	code := len(*names)
	codes[name] = code
	*names = append(slices.Clip(*names), name)
	return code
}

// label returns the class of a row, renamed.
func (f *filling) label(i int) (string, error) {
	if f.class < 0 {
		return "", nil
	}
	label := f.rows[i].at(f.class)
	if f.marks[label] {
		return "", f.fail(i, f.header[f.class], "the class is missing")
	}
	if m, ok := f.merged[label]; ok {
		label = m
	}
	return label, nil
}

// saw counts an unseen level or class.
func (f *filling) saw(i, column int, text string) {
	name := unseenName{column, text}
	k, ok := f.at[name]
	if !ok {
		if f.at == nil {
			f.at = map[unseenName]int{}
		}
		k = len(f.unseen)
		f.at[name] = k
		f.unseen = append(f.unseen, unseen{unseenName: name, first: i})
	}
	f.unseen[k].count++
}

// mostTold are the unseen levels of a column that are named.
const mostTold = 5

// tell notes what was unseen and what became of it: of each column the first ones, and
// how many more there are.
func (f *filling) tell(o Options) {
	told := map[int]int{}
	for _, u := range f.unseen {
		if told[u.column]++; told[u.column] > mostTold {
			continue
		}
		what, fate := "level", "taken as missing"
		switch {
		case u.column == f.class:
			what, fate = "class", "counted as errors"
		case o.Unseen == UnseenLevel:
			fate = "taken as a level without training rows"
		}
		o.note("%s: row %d, column %q: no training row has the %s %q (%d in all); %s", f.names[f.rows[u.first].file], f.rows[u.first].row,
			f.header[u.column], what, u.text, u.count, fate)
	}
	for _, column := range slices.Sorted(maps.Keys(told)) {
		if more := told[column] - mostTold; more > 0 {
			o.note("%s: column %q: %d more of its values stand in no training row; treated alike", f.names[0], f.header[column], more)
		}
	}
}

func codesOf(names []string) map[string]int {
	codes := make(map[string]int, len(names))
	for k, name := range names {
		codes[name] = k
	}
	return codes
}
