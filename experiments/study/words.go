package study

import (
	"fmt"
	"strconv"
	"strings"

	"copse/stats/dataset"
)

// SplitInWords says how rows are divided into training and test sets; "" where a
// generator draws both.
func (data *Data) SplitInWords() string {
	words := ""
	switch {
	case data.Folds > 0:
		words = fmt.Sprintf("%d folds", data.Folds)
	case data.Holdout > 0:
		words = fmt.Sprintf("holdout of %v", data.Holdout)
	case data.FromFiles():
		words = "official test set"
	default:
		return ""
	}
	if data.Groups != "" {
		words += " of whole groups (" + data.Groups + ")"
	} else if data.Random && (data.Folds > 0 || data.Holdout > 0) {
		words += ", not stratified"
	}
	if data.Subsample > 0 {
		words += fmt.Sprintf(", of %d rows drawn first", data.Subsample)
	}
	return words
}

// Content is the cell's key as people read it.
func (c *Cell) Content() string {
	m := c.Data.Missing
	words := fmt.Sprintf("{mcar=%v where=%s}", m.MCAR, m.Where)
	if m.MAR > 0 {
		words = fmt.Sprintf("{mar=%v on=%s where=%s}", m.MAR, m.On, m.Where)
	} else if m.PerRow > 0 {
		words = fmt.Sprintf("{per_row=%v where=%s}", m.PerRow, m.Where)
	}
	return strings.Replace(c.Key, fmt.Sprintf("missing=%+v", m), "missing="+words, 1)
}

// Whereabouts says where to look for files that are not here.
func (data *Data) Whereabouts() string {
	if data.CSV == nil {
		return "copse data list tells where a data set comes from"
	}
	return "paths are relative to the folder that copse runs in"
}

// namesShown is the number of columns of a kind that are listed.
const namesShown = 8

// AsRead tells in lines how files of the user's own became rows, since what a column
// is taken for follows from its cells; nil for others.
func (data *Data) AsRead() []string {
	if data.File == nil || data.CSV == nil {
		return nil
	}
	rows := data.File.Rows
	var classes []string
	for c, n := range rows.Counts() {
		classes = append(classes, fmt.Sprintf("%q (%d)", rows.Classes[c], n))
	}
	lines := []string{fmt.Sprintf("%s: %d rows, classes %s", data.Source(), rows.N(), shortened(classes))}
	columns := map[dataset.Kind][]string{}
	for j, a := range rows.Attributes {
		var facts []string
		if a.Kind == dataset.Discrete {
			facts = append(facts, fmt.Sprintf("%d levels", len(a.Levels)))
		}
		if missing := lacking(rows, j); missing > 0 {
			facts = append(facts, fmt.Sprintf("%d missing", missing))
		}
		words := strconv.Quote(a.Name)
		if facts != nil {
			words += " (" + strings.Join(facts, ", ") + ")"
		}
		columns[a.Kind] = append(columns[a.Kind], words)
	}
	for _, kind := range []struct {
		name string
		kind dataset.Kind
	}{{"numeric", dataset.Numeric}, {"discrete", dataset.Discrete}} {
		if list := columns[kind.kind]; list != nil {
			lines = append(lines, fmt.Sprintf("  %s: %s", kind.name, shortened(list)))
		}
	}
	doubts := data.doubts()
	for _, line := range doubts[:min(len(doubts), namesShown)] {
		lines = append(lines, "  remark: "+line)
	}
	return lines
}

// shortened lists the first few.
func shortened(list []string) string {
	more := ""
	if n := len(list) - namesShown; n > 0 {
		list, more = list[:namesShown], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ") + more
}

// NoiseInWords says which attributes are irrelevant, which values are removed and which
// labels changed.
func (data *Data) NoiseInWords() (parts []string) {
	if data.Irrelevant > 0 {
		parts = append(parts, fmt.Sprintf("%d of the attributes are standard normal in every class, independent of all others", data.Irrelevant))
	}
	where := map[string]string{"train": "training", "test": "test", "both": "training and test"}[data.Missing.Where]
	switch m := data.Missing; {
	case m.PerRow > 0:
		parts = append(parts, fmt.Sprintf("each %s row loses %v of its values", where, m.PerRow))
	case m.MCAR > 0:
		parts = append(parts, fmt.Sprintf("each %s value is missing with probability %v", where, m.MCAR))
	case m.MAR > 0:
		parts = append(parts, fmt.Sprintf("each %s value is missing with mean probability %v, more where %s is large", where, m.MAR, m.On))
	}
	if data.Flip > 0 {
		parts = append(parts, fmt.Sprintf("a training label is another class with probability %v", data.Flip))
	}
	return parts
}
