package records

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A FailureGroup has the failed fits of one classifier whose messages differ only in numbers
// and quoted names.
type FailureGroup struct {
	Classifier string
	Message    string    // of the first fit
	Rows       []*Record // in the order of the records
}

// GroupFailures groups failed fits by classifier and message, the largest group first.
func GroupFailures(rows []Record) []*FailureGroup {
	var list []*FailureGroup
	at := map[[2]string]*FailureGroup{}
	for i := range rows {
		r := &rows[i]
		if r.Status != Failed {
			continue
		}
		key := [2]string{r.Classifier, shape(r.Message)}
		if at[key] == nil {
			at[key] = &FailureGroup{Classifier: r.Classifier, Message: r.Message}
			list = append(list, at[key])
		}
		at[key].Rows = append(at[key].Rows, r)
	}
	slices.SortStableFunc(list, func(a, b *FailureGroup) int { return cmp.Compare(len(b.Rows), len(a.Rows)) })
	return list
}

// Patterns of a quoted name, and of what varies between messages of the same shape.
const (
	aName       = `"(?:[^"\\]|\\.)*"`
	aParticular = `(?:` + aName + `|[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)`
)

var (
	names       = regexp.MustCompile(aName)
	particulars = regexp.MustCompile(aParticular + `(?:, ` + aParticular + `)*`)
)

// shape returns a message with # for each number, quoted name or list of them.
func shape(message string) string { return particulars.ReplaceAllString(message, "#") }

// Ranges returns ascending numbers in short, such as 1,4-7.
func Ranges(numbers []int) string {
	var parts []string
	for len(numbers) > 0 {
		run := 1 // length of the run of consecutive numbers at the start
		for run < len(numbers) && numbers[run] == numbers[0]+run {
			run++
		}
		part := strconv.Itoa(numbers[0])
		if run > 1 {
			part += "-" + strconv.Itoa(numbers[run-1])
		}
		parts = append(parts, part)
		numbers = numbers[run:]
	}
	return strings.Join(parts, ",")
}
