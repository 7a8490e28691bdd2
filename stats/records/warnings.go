package records

import (
	"slices"
	"strings"
)

// A Warning is what successful fits say alike, but for numbers and quoted names.
type Warning struct {
	First string         // what the first of them says
	Names []string       // different ones, if nothing else differs
	Vary  bool           // in more than one name
	Fits  map[string]int // by classifier
}

// GroupWarnings groups the warnings of successful fits, in order of appearance.
func GroupWarnings(rows []*Record) []*Warning {
	var list []*Warning
	at := map[string]*Warning{}
	for _, r := range rows {
		if r.Status != OK || r.Message == "" {
			continue
		}
		said := map[*Warning]bool{}
		for _, text := range warningsOf(r.Message) {
			w := at[shape(text)]
			if w == nil {
				w = &Warning{First: text, Fits: map[string]int{}}
				list, at[shape(text)] = append(list, w), w
			}
			if !said[w] {
				w.Fits[r.Classifier]++
			}
			said[w] = true
			w.add(text)
		}
	}
	return list
}

func (w *Warning) add(text string) {
	if found := names.FindAllString(text, -1); len(found) == 1 && names.ReplaceAllString(text, "#") == names.ReplaceAllString(w.First, "#") {
		if !slices.Contains(w.Names, found[0]) {
			w.Names = append(w.Names, found[0])
		}
		return
	}
	w.Vary = w.Vary || text != w.First
}

// warningsOf divides the message of a fit, which joins its warnings with semicolons; one
// in a name does not divide it.
func warningsOf(message string) []string {
	var list []string
	open := false // the last of the list ends inside a name
	for _, part := range strings.Split(message, "; ") {
		if open {
			list[len(list)-1] += "; " + part
		} else {
			list = append(list, part)
		}
		open = strings.Contains(names.ReplaceAllString(list[len(list)-1], ""), `"`)
	}
	return list
}
