package sheet

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	gaps = regexp.MustCompile(`^ *| {2,}`) // before columns
	// What a reader may paste into a shell begins a line or stands behind a colon.
	aCommand = regexp.MustCompile(`(?:^|: )( *copse [a-z].*)`)
)

// Fold breaks lines between words that are too long for a terminal of so many
// columns, 0: of any. What follows stands below the last column of the line that
// begins in its left half. A command stays whole, in a line of its own.
func Fold(text string, columns int) string {
	if columns == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, end := line, ""
		if strings.HasSuffix(line, "\n") {
			body, end = line[:len(line)-1], "\n"
		}
		if utf8.RuneCountInString(body) > columns {
			if at := aCommand.FindStringSubmatchIndex(body); at != nil {
				body, end = strings.TrimRight(body[:at[2]], " "), body[at[2]:]+end
				if body != "" {
					end = "\n" + end
				}
			}
			body = foldLine(body, columns)
		}
		b.WriteString(body + end)
	}
	return b.String()
}

func foldLine(line string, columns int) string {
	indent := hanging(line, columns)
	var b strings.Builder
	rest := []rune(line)
	for len(rest) > columns {
		end := lineEnd(rest, indent, columns)
		b.WriteString(strings.TrimRight(string(rest[:end]), " "))
		next := strings.TrimLeft(string(rest[end:]), " ")
		if next == "" {
			return b.String()
		}
		b.WriteByte('\n')
		rest = []rune(strings.Repeat(" ", indent) + next)
	}
	return b.String() + string(rest)
}

// hanging is where the last column of a line begins that is in its left half and
// leaves room for the words behind it.
func hanging(line string, columns int) int {
	at := 0
	for _, gap := range gaps.FindAllStringIndex(line, -1) {
		longest := 0
		for _, word := range strings.Fields(line[gap[1]:]) {
			longest = max(longest, utf8.RuneCountInString(word))
		}
		if end := utf8.RuneCountInString(line[:gap[1]]); end <= columns/2 && (end+longest <= columns || gap[0] == 0) {
			at = end
		}
	}
	return at
}

// lineEnd is the last blank that leaves a line short enough, or else the first.
func lineEnd(line []rune, indent, columns int) int {
	end := len(line)
	for i := len(line) - 1; i > indent && end > columns; i-- {
		if line[i] == ' ' {
			end = i
		}
	}
	return end
}
