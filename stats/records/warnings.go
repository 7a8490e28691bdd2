package records

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Warning is a group of warnings from successful fits. Their texts are the same except for numbers and quoted
// names.
type Warning struct {
	First string         // text of the first warning
	Names []string       // distinct quoted names of the texts that differ from First only in one name
	Vary  bool           // whether some text differs from First in other ways than one name or the numbers
	Fits  map[string]int // number of fits with this warning, by classifier

	ranges []numberRange // of the numbers in the texts that differ from First only in numbers
}

// A numberRange holds the smallest and the largest of some numbers as they are written.
type numberRange struct{ low, high string }

// Text returns the first warning of the group. If Vary is false, a range such as "0.01 to 1" replaces each number that
// differs between the warnings.
func (w *Warning) Text() string {
	if w.Vary {
		return w.First
	}
	k := 0 // index of the next number
	return replaceNumbers(w.First, func(number string) string {
		r := w.ranges[k]
		k++
		if r.low == r.high {
			return number
		}
		return r.low + " to " + r.high
	})
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
// has one quoted name, and differs at most in this name, the name is added to w.Names. If only
// numbers differ, their ranges are extended. Any other difference sets w.Vary to true.
func (w *Warning) noteDifferences(text string) {
	withoutNames := func(text string) string { return names.ReplaceAllString(text, "#") }
	quoted := names.FindAllString(text, -1)
	onlyNameDiffers := len(quoted) == 1 && withoutNames(text) == withoutNames(w.First)
	if onlyNameDiffers && !slices.Contains(w.Names, quoted[0]) {
		w.Names = append(w.Names, quoted[0])
	}
	switch onlyNumbersDiffer := withoutNumbers(text) == withoutNumbers(w.First); {
	case onlyNumbersDiffer:
		w.extendRanges(text)
	case !onlyNameDiffers:
		w.Vary = true
	}
}

// extendRanges extends the ranges to the numbers in a text that differs from First only in numbers.
func (w *Warning) extendRanges(text string) {
	k := 0 // index of the next number
	replaceNumbers(text, func(number string) string {
		if k == len(w.ranges) { // text is First
			w.ranges = append(w.ranges, numberRange{number, number})
		}
		r := &w.ranges[k]
		if valueOf(number) < valueOf(r.low) {
			r.low = number
		}
		if valueOf(number) > valueOf(r.high) {
			r.high = number
		}
		k++
		return number // the result of replaceNumbers is not used
	})
}

// valueOf returns the value of a number, or NaN for a name or a list.
func valueOf(token string) float64 {
	v, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// tokens matches quoted names, numbers and lists of numbers. A match includes a minus sign or a word such as "class "
// before the number. Matches with such a prefix and lists do not count as numbers.
var tokens = regexp.MustCompile(aName + `|(?:class |against |from |-)?` + aParticular + `(?:, ` + aParticular + `)*`)

// replaceNumbers replaces each number of a warning, except in names, with the result of a function.
func replaceNumbers(text string, replacement func(number string) string) string {
	return tokens.ReplaceAllStringFunc(text, func(token string) string {
		if math.IsNaN(valueOf(token)) || token[0] == '-' {
			return token
		}
		return replacement(token)
	})
}

func withoutNumbers(text string) string {
	return replaceNumbers(text, func(string) string { return "#" })
}

// tuningFailed begins the warning about failed tuning candidates. It ends with an error, which may contain "; ". So the
// rest of the message, up to the next such warning, counts as a part of it.
const tuningFailed = "tuning candidates failed"

// continuations begin the second halves of warnings that contain "; " themselves.
var continuations = []string{"its objective, ", "the fit uses ", "the fit predicts ", "distinct rows alone "}

// warningsOf splits a message at "; " into separate warnings. It does not split quoted names and the warnings that
// contain "; " themselves. The message may join the messages of several folds (see Mean).
func warningsOf(message string) []string {
	var list []string
	for _, part := range strings.Split(message, "; ") {
		if last := len(list) - 1; last >= 0 && continues(list[last], part) {
			list[last] += "; " + part
		} else {
			list = append(list, part)
		}
	}
	return list
}

// continues reports whether a part of a message belongs to the warning before it.
func continues(warning, part string) bool {
	endsInName := strings.Contains(names.ReplaceAllString(warning, ""), `"`)
	endsInError := strings.HasPrefix(warning, tuningFailed) && part != tuningFailed
	begins := func(continuation string) bool { return strings.HasPrefix(part, continuation) }
	return endsInName || endsInError || slices.ContainsFunc(continuations, begins)
}
