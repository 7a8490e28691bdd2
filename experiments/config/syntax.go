package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// A source contains the lines of a text with a YAML syntax error. The parser often reports a wrong
// line or none. To find the line, copse also parses only the first n lines, for several n.
type source [][]byte

// parseLines parses the first n lines. It returns the document, or nil and the parser's error
// message. An empty text has neither. Line numbers also count a line that parseLines inserts at the
// top (see cutLine).
func (s source) parseLines(n int) (doc *yaml.Node, message string) {
	// With this additional line, the parser gives the line number of an error on line 1, too.
	text := append([]byte("#\n"), bytes.Join(s[:n], []byte("\n"))...)
	doc, _, err := readDocuments(text)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, strings.TrimPrefix(err.Error(), "yaml: ")
	}
	return doc, ""
}

// Messages from the YAML parser, or parts of messages, that need special treatment.
const (
	unclosedBracket = "did not find expected ',' or "
	noColon         = "could not find expected ':'"
	unclosedQuote   = "found unexpected end of stream"
	misplacedColon  = "mapping values are not allowed in this context"
)

const checkLayout = "check the indentation, quotes and brackets of this line and of those above"

var hints = map[string]string{
	"did not find expected key":                             checkLayout,
	"did not find expected '-' indicator":                   checkLayout,
	"did not find expected <document start>":                "this line is indented less than the lines above",
	"did not find expected alphabetic or numeric character": "a value such as \"*\" must be in quotes",
	unclosedBracket + "']'": "the list that opens here is not closed, lacks a comma, or contains an unquoted value " +
		"such as \"?\"",
	unclosedBracket + "'}'":            "the mapping that opens here is not closed, or lacks a comma",
	"found incompatible YAML document": "write `%YAML 1.1`, or remove this line",
	unclosedQuote:                      "the quote that opens here is not closed",
	noColon:                            "a key needs a colon and a space after it, and a list item a dash before it",
	"found character that cannot start any token": "a value that begins with \"@\", \"%\" or a backtick must " +
		"be in quotes",
	"did not find expected node content": "a value is missing before a comma or a closing bracket, or a value " +
		"that begins with one of them must be in quotes",
	"block sequence entries are not allowed in this context": "begin the list on the line below its key, or " +
		"write it as [a, b]",
	"found unknown escape character":              "use single quotes for a value that contains a backslash",
	"did not find expected comment or line break": "a value that begins with \"|\" or \">\" must be in quotes",
	"control characters are not allowed": "the file is not a text file, or this line contains an " +
		"invisible character",
	"found a tab character that violates indentation": "YAML indents with spaces",
}

// syntaxError explains why a YAML text cannot be read, with the line of the mistake and often a
// hint. err is the error from yaml.v3.
func syntaxError(file string, text []byte, err error) *Error {
	s := source(bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n")))
	// Parse the text again, because err gives no line number for errors on line 1. The message from
	// parseLines does.
	_, message := s.parseLines(len(s))
	if message == "" { // an error from the decoder, not a syntax error
		return &Error{Origin: file, Line: 1, Column: 1, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	e := &Error{Origin: file, Column: 1}
	e.Line, e.Msg = s.locate(message)
	if hint := hints[e.Msg]; hint != "" {
		e.Msg += "; " + hint
	}
	// Each of these methods changes e if its explanation applies. An open quote rules out the others.
	if !s.findOpenQuote(e) {
		s.explainColon(e)
		s.explainIndentation(e)
	}
	return e
}

// locate returns the line of a syntax error, counted from 1, and the parser's message without its
// line number. The argument message is the parser's message for the whole text.
func (s source) locate(message string) (line int, text string) {
	if strings.Contains(message, "UTF-8") {
		bad := slices.IndexFunc(s, func(line []byte) bool { return !utf8.Valid(line) })
		return bad + 1, message + "; save the file as UTF-8"
	}
	line, text = cutLine(message)
	isExact := strings.HasPrefix(text, unclosedBracket) || text == noColon
	if line == 0 || !isExact {
		// The parser reports no line, or the line where the enclosing mapping begins.
		line = s.linesUntil(message)
	}
	// The parser also breaks lines at characters other than \n, so its line number can exceed
	// len(s).
	return min(max(line, 1), len(s)), text
}

// linesUntil returns the smallest n for which the parser reports the given message in the first n
// lines. The parser reports the same error for all larger n.
func (s source) linesUntil(message string) int {
	return sort.Search(len(s), func(n int) bool {
		_, got := s.parseLines(n)
		return got == message
	})
}

// cutLine splits a message from parseLines, such as "line 3: did not find expected key", into a
// line number and the rest. The number does not count the line that parseLines inserted. It is 0 if
// the message contains none.
func cutLine(message string) (line int, text string) {
	digits, text, _ := strings.Cut(strings.TrimPrefix(message, "line "), ": ")
	reported, err := strconv.Atoi(digits)
	if err != nil {
		return 0, message
	}
	if strings.HasPrefix(text, unclosedBracket) {
		return reported, text // the parser counts these lines from 0, so the inserted line corrects the number
	}
	return reported - 1, text
}

// keyLine matches a line that begins with a key or with the dash of a list item.
var keyLine = regexp.MustCompile(`^\s*(- +)?[\w-]+:(\s|$)|^\s*- `)

// maxQuoteLines limits the number of lines that findOpenQuote searches in quadratic time.
const maxQuoteLines = 2000

// findOpenQuote searches the lines up to the syntax error e for a quote that is not closed. If it
// finds one, it changes e to describe the first such line, and returns true.
func (s source) findOpenQuote(e *Error) bool {
	for i, line := range s[:min(e.Line, maxQuoteLines)] {
		if !bytes.ContainsAny(line, `"'`) {
			continue
		}
		n := i + 1 // lines up to and including this one
		next := s[n:].firstContent()
		// The quoted text may continue on the next line, but it probably does not contain a key or a
		// list item.
		if !keyLine.Match(next) {
			continue
		}
		_, message := s.parseLines(n)
		isOpen := strings.HasSuffix(message, unclosedQuote)
		if isOpen {
			e.Line = n
			e.Msg = fmt.Sprintf("the quoted text that begins here includes the line %q below; add the closing quote",
				bytes.TrimSpace(next))
			return true
		}
	}
	return false
}

// firstContent returns the first line that is neither blank nor a comment, or nil.
func (s source) firstContent() []byte {
	for _, line := range s {
		if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '#' {
			return line
		}
	}
	return nil
}

// explainColon adds a hint to an error e about a misplaced colon. If an earlier line probably lacks
// a colon, it sets e.Line to this line. In the following example, the parser reads the value
// "metrics [error] seed" and reports the colon on line 2:
//
//	metrics [error]
//	seed: 1
func (s source) explainColon(e *Error) {
	if e.Msg != misplacedColon {
		return
	}
	firstLine := s.valueBeforeColon(e.Line)
	startsEarlier := firstLine > 0 && firstLine < e.Line
	if !startsEarlier {
		e.Msg += "; a value that contains a colon followed by a space must be in quotes"
		return
	}
	first := s[firstLine-1]
	// If the text follows a key, as in "title: text", no colon is missing. The next line is probably
	// indented too far.
	startsAfterKey := bytes.Contains(first, []byte(":")) && keyLine.Match(first)
	if startsAfterKey {
		e.Msg += fmt.Sprintf("; this line continues the text of line %d: check the indentation of both", firstLine)
		return
	}
	e.Msg = fmt.Sprintf("the text that begins here continues up to the colon on line %d; "+
		"is a key's colon missing here, or the space after it?", e.Line)
	e.Line = firstLine
}

// valueBeforeColon finds the value that ends before the first colon of a line. It returns the line
// on which this value begins, or a number below 1 if there is none.
func (s source) valueBeforeColon(line int) (firstLine int) {
	beforeColon, _, _ := bytes.Cut(s[line-1], []byte(":"))
	head := append(slices.Clone(s[:line-1]), beforeColon)
	doc, _ := head.parseLines(line)
	if doc == nil {
		return 0
	}
	last := doc
	for len(last.Content) > 0 {
		last = last.Content[len(last.Content)-1]
	}
	return last.Line - 1 // parseLines inserts one line
}

// explainIndentation changes e if a wrong character in the indentation may be the cause of the
// error. Tabs are reported only on the line of e. Characters that look like a space are reported on
// earlier lines, too.
func (s source) explainIndentation(e *Error) {
	isOddSpace := func(r rune) bool { return r >= utf8.RuneSelf }
	for n, line := range s[:e.Line] {
		if at := bytes.IndexFunc(indentation(line), isOddSpace); at >= 0 {
			e.Line, e.Column = n+1, at+1
			e.Msg = "the indentation contains a character that looks like a space but is not one"
			return
		}
	}
	if at := bytes.IndexByte(indentation(s[e.Line-1]), '\t'); at >= 0 {
		e.Column = at + 1
		e.Msg = "a tab in the indentation: YAML indents with spaces"
	}
}

func indentation(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeftFunc(line, unicode.IsSpace))]
}
