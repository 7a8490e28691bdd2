package sheet

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	gaps = regexp.MustCompile(`^ *| {2,}`) // before columns
	// A command of copse that a reader may paste begins a line or follows a colon.
	aCommand = regexp.MustCompile(`(?:^|: )( *copse [a-z].*)`)
)

// Fold breaks lines that are longer than a terminal's number of columns between words; 0: the
// terminal has no limit. Further lines are indented like the last column of the line that begins
// in the left half of the terminal. A command is not broken and has a line of its own.
func Fold(text string, columns int) string {
	if columns == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, newline := strings.CutSuffix(line, "\n")
		b.WriteString(foldAround(body, columns))
		if newline {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// foldAround folds a line before the command in it, if it has one.
func foldAround(line string, columns int) string {
	if utf8.RuneCountInString(line) <= columns {
		return line
	}
	at := aCommand.FindStringSubmatchIndex(line)
	if at == nil {
		return foldLine(line, columns)
	}
	command := line[at[2]:]
	before := strings.TrimRight(line[:at[2]], " ")
	if before == "" {
		return command
	}
	return foldLine(before, columns) + "\n" + command
}

// foldLine folds a line without a command.
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

// hanging returns the indentation of further lines: where the last column of a line begins that is
// in the left half and leaves room for its words.
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

// lineEnd returns the position of the last blank that makes a line short enough or, if there is
// none, of the first blank.
func lineEnd(line []rune, indent, columns int) int {
	end := len(line)
	for i := len(line) - 1; i > indent && end > columns; i-- {
		if line[i] == ' ' {
			end = i
		}
	}
	return end
}
