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

// A source is a text with a YAML syntax error, as a list of its lines. The parser often reports no line or a
// wrong one, so copse parses the first n lines for several n.
type source [][]byte

// parse parses the first n lines and returns the document or the parser's error message. Line numbers in both are too
// large by one.
func (s source) parse(n int) (doc *yaml.Node, message string) {
	// Without an inserted line, the parser would report no line number for an error on line 1.
	text := append([]byte("#\n"), bytes.Join(s[:n], []byte("\n"))...)
	reader := yaml.NewDecoder(bytes.NewReader(text))
	doc = &yaml.Node{}
	err := reader.Decode(doc)
	if err == nil {
		err = reader.Decode(&yaml.Node{}) // finds text after the document
	}
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
	"control characters are not allowed": "the file is not a text file, or this line contains an " +
		"invisible character",
	"found a tab character that violates indentation": "YAML indents with spaces",
}

// syntaxError explains why a YAML text cannot be read. The result has the parser's message, the line of the
// mistake and often a hint. file is the name of the file. err is the error that yaml.v3 returned for text.
func syntaxError(file string, text []byte, err error) *Error {
	// The text may begin with a byte order mark, U+FEFF.
	s := source(bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n")))
	// s.parse(len(s)) parses all lines again, after a line that it inserts at the top. Its line numbers are therefore
	// larger than those in err. locate allows for the inserted line, so it needs the message of s.parse.
	_, message := s.parse(len(s))
	if message == "" { // an error from the decoder, not a syntax error
		return &Error{Origin: file, Line: 1, Column: 1, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	e := &Error{Origin: file, Column: 1}
	e.Line, e.Msg = s.locate(message)
	if hint := hints[e.Msg]; hint != "" {
		e.Msg += "; " + hint
	}
	// Each of these methods may add an explanation to e. If a quote is open, the other explanations are skipped.
	if !s.findOpenQuote(e) {
		s.explainColon(e)
		s.explainIndentation(e)
	}
	return e
}

// locate returns the line of the syntax error, counted from 1, and the parser's message without its line number.
// message is the error message that parse returned for the whole text.
func (s source) locate(message string) (line int, text string) {
	if strings.Contains(message, "UTF-8") {
		bad := slices.IndexFunc(s, func(line []byte) bool { return !utf8.Valid(line) })
		return bad + 1, message + "; save the file as UTF-8"
	}
	reported, text := cutLine(message)
	switch {
	case reported > 0 && strings.HasPrefix(text, unclosedBracket):
		// In this message, the parser counts lines from 0. The inserted line makes up for this difference.
		line = reported
	case reported > 0 && text == noColon:
		line = reported - 1 // without the inserted line
	default:
		// The parser reports no line, or the line where the enclosing mapping begins. The error is on the first line
		// with which the parser returns this message.
		line = s.linesUntil(message)
	}
	// The parser also breaks lines at characters other than \n, so its line number can exceed len(s).
	return min(max(line, 1), len(s)), text
}

// linesUntil returns the smallest n for which parsing the first n lines results in the given error message. The
// error is on line n. For all larger n, the message is the same.
func (s source) linesUntil(message string) int {
	return sort.Search(len(s), func(n int) bool {
		_, got := s.parse(n)
		return got == message
	})
}

// cutLine splits a parser message, such as "line 3: did not find expected key", into the line number and
// the text. If the message has no line number, number is 0.
func cutLine(message string) (number int, text string) {
	digits, rest, _ := strings.Cut(strings.TrimPrefix(message, "line "), ": ")
	number, err := strconv.Atoi(digits)
	if err != nil {
		return 0, message
	}
	return number, rest
}

// keyLine matches a line that begins with a key or with the dash of a list item.
var keyLine = regexp.MustCompile(`^\s*(- +)?[\w-]+:(\s|$)|^\s*- `)

// maxQuoteLines limits the number of lines that findOpenQuote searches, since its run time grows with the
// square of this number.
const maxQuoteLines = 2000

// findOpenQuote searches the lines up to the syntax error e for a quote that is not closed. It changes e to describe
// the first line with such a quote, or returns false if there is none.
func (s source) findOpenQuote(e *Error) bool {
	hasText := func(line []byte) bool {
		line = bytes.TrimSpace(line)
		return len(line) > 0 && line[0] != '#'
	}
	for n := 1; n <= min(e.Line, maxQuoteLines); n++ {
		hasQuote := bytes.ContainsAny(s[n-1], `"'`)
		skipped := slices.IndexFunc(s[n:], hasText) // number of lines without text after line n, or -1
		if !hasQuote || skipped < 0 {
			continue
		}
		next := s[n+skipped]
		// A new key or list item is probably not part of the quoted text.
		if !keyLine.Match(next) {
			continue
		}
		if _, message := s.parse(n); strings.HasSuffix(message, unclosedQuote) {
			e.Line = n // the quote opens in the first line at whose end it is unclosed
			e.Msg = fmt.Sprintf("the quoted text that begins here includes the line %q below; add the closing quote",
				bytes.TrimSpace(next))
			return true
		}
	}
	return false
}

// explainColon adds a hint to e if its message is about a misplaced colon. The mistake is often in an earlier line,
// where the colon after a key is missing. explainColon then sets e.Line to that line. In the following example, the
// parser complains about line 2. But the colon is missing in line 1, after the key metrics.
//
//	metrics [error]
//	seed: 1
func (s source) explainColon(e *Error) {
	if e.Msg != misplacedColon {
		return
	}
	firstLine, ok := s.valueBeforeColon(e.Line)
	if !ok { // the text before the colon has a syntax error of its own
		e.Msg += "; a value that contains a colon followed by a space must be in quotes"
		return
	}
	if firstLine < 1 || firstLine >= e.Line {
		return // no value from an earlier line precedes the colon, so there is no hint
	}
	first := s[firstLine-1]
	// After a key, as in "title: text", the next line is probably indented too far.
	startsAfterKey := bytes.Contains(first, []byte(":")) && keyLine.Match(first)
	if startsAfterKey {
		e.Msg += fmt.Sprintf("; this line continues the text of line %d: check the indentation of both", firstLine)
		return
	}
	// The text is probably a key that lacks its colon.
	e.Msg = fmt.Sprintf("the text that begins here continues up to the colon on line %d; "+
		"is a key's colon missing here, or the space after it?", e.Line)
	e.Line = firstLine
}

// valueBeforeColon returns the line on which the YAML value before the first colon of a line begins. The result is less
// than 1 if there is no value. ok is false if the text before the colon has a syntax error.
func (s source) valueBeforeColon(line int) (firstLine int, ok bool) {
	beforeColon, _, _ := bytes.Cut(s[line-1], []byte(":"))
	head := append(slices.Clone(s[:line-1]), beforeColon)
	doc, _ := head.parse(line)
	if doc == nil {
		return 0, false
	}
	return lastNode(doc).Line - 1, true // parse inserts one line
}

func lastNode(n *yaml.Node) *yaml.Node {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n
}

// explainIndentation replaces the message of e if the faulty line is indented with a tab, or if this or an
// earlier line is indented with an invisible character other than a space or a tab.
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
		e.Column, e.Msg = at+1, "a tab in the indentation: YAML indents with spaces"
	}
}

func indentation(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeftFunc(line, unicode.IsSpace))]
}
