package records

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
)

// Failures returns the failed fits and the failed draws of data. If the data of a replicate cannot
// be drawn, draws contains only the first of the failed records. The rows must be sorted by cell
// and replicate.
func Failures(rows []Record) (fits, draws []*Record) {
	for i := range rows {
		r := &rows[i]
		last := len(draws) - 1
		switch {
		case r.Status == OK: // no failure
		case r.Cause != NotDrawn:
			fits = append(fits, r)
		case last < 0 || draws[last].Cell != r.Cell || draws[last].Replicate != r.Replicate:
			draws = append(draws, r)
		}
	}
	return fits, draws
}

// GroupFailures groups the failed fits by classifier and message, and the failed draws by message
// (see Failures). It ignores numbers and quoted names in messages. The largest group comes first.
func GroupFailures(rows []Record) [][]*Record {
	kind := func(r *Record) [2]string {
		if r.Cause == NotDrawn {
			return [2]string{"", Shape(r.Message)}
		}
		return [2]string{r.Classifier, Shape(r.Message)}
	}
	fits, draws := Failures(rows)
	groups := stats.Grouped(slices.Concat(fits, draws), kind)
	slices.SortStableFunc(groups, func(a, b []*Record) int { return len(b) - len(a) })
	return groups
}

// regular expressions for parts of messages
const (
	quotedName     = `"(?:[^"\\]|\\.)*"`
	nameOrNumber   = `(?:` + quotedName + `|[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)`
	namesOrNumbers = nameOrNumber + `(?:, ` + nameOrNumber + `)*` // of one or more elements
)

var (
	names = regexp.MustCompile(quotedName)
	lists = regexp.MustCompile(namesOrNumbers)
)

// twoClasses matches the beginning of a message such as "class A against B: ".
var twoClasses = regexp.MustCompile(`^class .+? against .+?: `)

// Shape returns a message in which # replaces numbers, quoted names, lists of these, and the class
// names in "class A against B: ". For example, `column "x" has 3 values` becomes `column # has #
// values`.
func Shape(message string) string {
	return lists.ReplaceAllString(twoClasses.ReplaceAllString(message, "class # against #: "), "#")
}

// Ranges formats ascending numbers with ranges: 1, 4, 5, 6, 7 becomes 1,4-7.
func Ranges(numbers []int) string {
	var parts []string
	for len(numbers) > 0 {
		run := 1 // number of consecutive numbers at the start
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
