package sheet

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	gaps = regexp.MustCompile(`^ *| {2,}`) // indentation (possibly empty) or gap between columns
	// aCommand matches a copse command at the beginning of a line or after a colon.
	aCommand = regexp.MustCompile(`(?:^|: )( *copse [a-z].*)`)
)

// Fold breaks long lines between words. columns is the width of the terminal; 0 means no limit. A copse command
// moves to an unbroken line of its own, from which users can copy it.
func Fold(text string, columns int) string {
	if columns == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = foldAround(line, columns)
	}
	return strings.Join(lines, "\n")
}

// foldAround folds a long line, except a copse command in it.
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

// foldLine breaks a line between words. It never breaks a word.
func foldLine(line string, columns int) string {
	indent := continuationIndent(line, columns)
	var b strings.Builder
	rest := []rune(line)
	for len(rest) > columns {
		end := lineEnd(rest, indent, columns)
		b.WriteString(strings.TrimRight(string(rest[:end]), " "))
		next := strings.TrimLeft(string(rest[end:]), " ")
		if next == "" { // only spaces remain, or the last word is too long
			return b.String()
		}
		b.WriteByte('\n')
		rest = []rune(strings.Repeat(" ", indent) + next)
	}
	return b.String() + string(rest)
}

// continuationIndent returns the indentation of the lines that continue a long line. In a table row, they
// continue below a cell:
//
//	two cells    This line is too long, so it continues below the second
//	             cell.
//
// They continue below the last cell that begins in the left half of the terminal and leaves enough room for the
// longest word in the rest of the line. The first cell need not leave this room.
func continuationIndent(line string, terminalWidth int) int {
	indent := 0
	for _, gap := range gaps.FindAllStringIndex(line, -1) {
		before, after := line[:gap[1]], line[gap[1]:]
		start := utf8.RuneCountInString(before) // position of the cell after the gap
		inLeftHalf := start <= terminalWidth/2
		isFirstCell := gap[0] == 0
		hasRoom := start+longestWord(after) <= terminalWidth
		if inLeftHalf && (isFirstCell || hasRoom) {
			indent = start
		}
	}
	return indent
}

// longestWord returns the number of characters of the longest word.
func longestWord(text string) (length int) {
	for _, word := range strings.Fields(text) {
		length = max(length, utf8.RuneCountInString(word))
	}
	return length
}

// lineEnd returns the index of the last space at which the line fits into columns or, if there is none, of the
// first space after the indentation. It returns the length of the line if the line fits or has no such space.
func lineEnd(line []rune, indent, columns int) int {
	end := len(line)
	for i := len(line) - 1; i > indent && end > columns; i-- {
		if line[i] == ' ' {
			end = i
		}
	}
	return end
}
