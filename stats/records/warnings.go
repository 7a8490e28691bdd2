package records

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
)

// A Warning is a group of warnings whose texts are the same except for numbers and quoted names.
type Warning struct {
	First string         // text of the first warning
	Names []string       // distinct quoted names in texts that differ from First only in one name
	Vary  bool           // some text differs from First in other ways than one name or the numbers
	Fits  map[string]int // number of fits with this warning, by classifier

	ranges []numberRange // of the numbers in the texts that differ from First only in numbers
}

// A numberRange contains the smallest and the largest of several numbers.
type numberRange struct{ low, high string }

// Text returns the text of the first warning. Unless Vary is true, a range such as "0.01 to 1" replaces
// each number that is not the same in all warnings of the group.
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

// GroupWarnings groups the warnings of successful fits whose texts are the same except for numbers
// and quoted names. The groups are in the order in which they first occur.
func GroupWarnings(rows []*Record) []*Warning {
	type fitWarning struct {
		fit  *Record
		text string
	}
	var all []fitWarning
	for _, r := range rows {
		if r.Status == OK && r.Message != "" {
			for _, text := range warningsOf(r.Message) {
				all = append(all, fitWarning{r, text})
			}
		}
	}
	var list []*Warning
	for _, group := range stats.Grouped(all, func(w fitWarning) string { return Shape(w.text) }) {
		summary := &Warning{First: group[0].text, Fits: map[string]int{}}
		for i, w := range group {
			isNewFit := i == 0 || w.fit != group[i-1].fit // a fit may have several warnings of the group
			if isNewFit {
				summary.Fits[w.fit.Classifier]++
			}
			summary.noteDifferences(w.text)
		}
		list = append(list, summary)
	}
	return list
}

// noteDifferences records how text differs from w.First, the text of the first warning in the
// group:
//   - If text has a single quoted name and differs at most in this name, the name is added to
//     w.Names.
//   - If text differs at most in numbers, the ranges of the numbers are extended.
//   - If neither is true, w.Vary becomes true.
func (w *Warning) noteDifferences(text string) {
	// The regular expression names matches quoted names.
	withoutNames := func(text string) string { return names.ReplaceAllString(text, "#") }
	quoted := names.FindAllString(text, -1)
	onlyNameDiffers := len(quoted) == 1 && withoutNames(text) == withoutNames(w.First)
	if onlyNameDiffers && !slices.Contains(w.Names, quoted[0]) {
		w.Names = append(w.Names, quoted[0])
	}
	onlyNumbersDiffer := withoutNumbers(text) == withoutNumbers(w.First)
	if onlyNumbersDiffer {
		w.extendRanges(text)
	}
	if !onlyNameDiffers && !onlyNumbersDiffer {
		w.Vary = true
	}
}

// extendRanges extends w.ranges to include the numbers of text. The text must equal w.First except for
// its numbers.
func (w *Warning) extendRanges(text string) {
	for k, number := range numbersIn(text) {
		if k == len(w.ranges) { // the first text
			w.ranges = append(w.ranges, numberRange{number, number})
		}
		r := &w.ranges[k]
		if valueOf(number) < valueOf(r.low) {
			r.low = number
		}
		if valueOf(number) > valueOf(r.high) {
			r.high = number
		}
	}
}

// valueOf returns the value of a number, or NaN for a name or a list.
func valueOf(token string) float64 {
	v, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// tokens matches lists of names and numbers, together with a minus sign or a word such as "class "
// before them. A match is a number only if it has a single element and no such prefix.
var tokens = regexp.MustCompile(quotedName + `|(?:class |against |from |-)?` + namesOrNumbers)

// replaceNumbers replaces each number of a warning, except in names.
func replaceNumbers(text string, replacement func(number string) string) string {
	return tokens.ReplaceAllStringFunc(text, func(token string) string {
		if math.IsNaN(valueOf(token)) || token[0] == '-' {
			return token
		}
		return replacement(token)
	})
}

// numbersIn returns the numbers that replaceNumbers would replace.
func numbersIn(text string) (numbers []string) {
	replaceNumbers(text, func(number string) string {
		numbers = append(numbers, number)
		return number
	})
	return numbers
}

func withoutNumbers(text string) string {
	return replaceNumbers(text, func(string) string { return "#" })
}

// tuningFailed begins the warning about failed tuning candidates. This warning ends with an error
// message, which may contain "; ".
const tuningFailed = "tuning candidates failed"

// continuations lists the beginnings of texts that continue a warning after "; ".
var continuations = []string{"its objective, ", "the fit uses ", "the fit predicts ", "distinct rows alone "}

// warningsOf returns the warnings in a message, which are separated by "; ". A quoted name, or the text
// of a warning, can itself contain "; ". The message may join the messages of several folds (see Mean).
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
