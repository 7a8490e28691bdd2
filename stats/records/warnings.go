package records

import (
	"slices"
	"strings"
)

// A Warning groups the warnings of successful fits that differ only in numbers and quoted
// names.
type Warning struct {
	First string         // text of the first warning
	Names []string       // the different quoted names, if each text has one and nothing else differs
	Vary  bool           // texts differ in more than one name
	Fits  map[string]int // number of fits by classifier
}

// GroupWarnings groups the warnings of successful fits, in order of appearance.
func GroupWarnings(rows []*Record) []*Warning {
	var list []*Warning
	byShape := map[string]*Warning{}
	for _, r := range rows {
		if r.Status != OK || r.Message == "" {
			continue
		}
		counted := map[*Warning]bool{} // for this fit
		for _, text := range warningsOf(r.Message) {
			w := byShape[shape(text)]
			if w == nil {
				w = &Warning{First: text, Fits: map[string]int{}}
				byShape[shape(text)] = w
				list = append(list, w)
			}
			if !counted[w] {
				counted[w] = true
				w.Fits[r.Classifier]++
			}
			w.add(text)
		}
	}
	return list
}

// add adds a text of the same shape to Names or Vary.
func (w *Warning) add(text string) {
	withoutNames := func(text string) string { return names.ReplaceAllString(text, "#") }
	found := names.FindAllString(text, -1)
	switch {
	case len(found) != 1 || withoutNames(text) != withoutNames(w.First):
		w.Vary = w.Vary || text != w.First
	case !slices.Contains(w.Names, found[0]):
		w.Names = append(w.Names, found[0])
	}
}

// warningsOf splits the message of a fit into its warnings, which semicolons separate. A
// semicolon inside a quoted name does not separate.
func warningsOf(message string) []string {
	var list []string
	insideName := false // the last warning so far ends inside a name
	for _, part := range strings.Split(message, "; ") {
		if insideName {
			list[len(list)-1] += "; " + part
		} else {
			list = append(list, part)
		}
		last := list[len(list)-1]
		insideName = strings.Contains(names.ReplaceAllString(last, ""), `"`)
	}
	return list
}
