package records

import (
	"slices"
	"strings"
)

// A Warning is a group of warnings from successful fits. Their texts are the same except for numbers and quoted
// names.
type Warning struct {
	First string         // text of the first warning
	Names []string       // distinct quoted names of the texts that differ from First only in one name
	Vary  bool           // whether some text differs from First in other ways, such as in a number
	Fits  map[string]int // number of fits with this warning, by classifier
}

// GroupWarnings groups the warnings of successful fits. Warnings that differ only in numbers and
// quoted names form one group. The groups are in the order in which they first occur.
func GroupWarnings(rows []*Record) []*Warning {
	var list []*Warning
	byShape := map[string]*Warning{}
	for _, r := range rows {
		if r.Status != OK || r.Message == "" {
			continue
		}
		counted := map[*Warning]bool{} // warnings that already count this fit
		for _, text := range warningsOf(r.Message) {
			w := byShape[Shape(text)]
			if w == nil {
				w = &Warning{First: text, Fits: map[string]int{}}
				byShape[Shape(text)] = w
				list = append(list, w)
			}
			if !counted[w] {
				counted[w] = true
				w.Fits[r.Classifier]++
			}
			w.noteDifferences(text)
		}
	}
	return list
}

// noteDifferences compares text with w.First, the text of the first warning in the group. If text
// has one quoted name, and differs at most in this name, the name is added to w.Names. Any other
// difference sets w.Vary to true.
func (w *Warning) noteDifferences(text string) {
	withoutNames := func(text string) string { return names.ReplaceAllString(text, "#") }
	quoted := names.FindAllString(text, -1)
	onlyNameDiffers := len(quoted) == 1 && withoutNames(text) == withoutNames(w.First)
	switch {
	case !onlyNameDiffers:
		w.Vary = w.Vary || text != w.First
	case !slices.Contains(w.Names, quoted[0]):
		w.Names = append(w.Names, quoted[0])
	}
}

// tuningFailed begins the warning about failed tuning candidates, which is the first one of its fit. It ends
// with an error, which may contain "; ".
const tuningFailed = "tuning candidates failed; "

// continuations begin the second halves of warnings that contain "; " themselves.
var continuations = []string{"its objective, ", "the fit uses ", "the fit predicts ", "distinct rows alone "}

// warningsOf splits the message of a fit at "; " into separate warnings, except where "; " is part of a quoted
// name or of a warning. It does not split a message about failed tuning candidates.
func warningsOf(message string) []string {
	if strings.HasPrefix(message, tuningFailed) {
		return []string{message}
	}
	var list []string
	insideName := false // the last warning so far ends inside a name
	for _, part := range strings.Split(message, "; ") {
		begins := func(continuation string) bool { return strings.HasPrefix(part, continuation) }
		if insideName || list != nil && slices.ContainsFunc(continuations, begins) {
			list[len(list)-1] += "; " + part
		} else {
			list = append(list, part)
		}
		last := list[len(list)-1]
		insideName = strings.Contains(names.ReplaceAllString(last, ""), `"`)
	}
	return list
}
