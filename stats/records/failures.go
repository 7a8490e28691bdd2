package records

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A FailureGroup is the failed fits of one classifier that say the same, but for
// numbers and quoted names.
type FailureGroup struct {
	Classifier, Message string    // of the first
	Rows                []*Record // in the order of the records
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

const (
	aName       = `"(?:[^"\\]|\\.)*"`
	aParticular = `(?:` + aName + `|[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)`
)

var (
	names       = regexp.MustCompile(aName)
	particulars = regexp.MustCompile(aParticular + `(?:, ` + aParticular + `)*`)
)

// shape is a message without its numbers and quoted names, one or a list of them.
func shape(message string) string { return particulars.ReplaceAllString(message, "#") }

// Ranges writes ascending numbers in short: 1,4-7.
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts, i = append(parts, part), j+1
	}
	return strings.Join(parts, ",")
}
