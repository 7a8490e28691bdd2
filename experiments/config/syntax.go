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

// A source has the lines of a text with a YAML syntax error. The parser reports the line where
// the mapping around a mistake begins, or no line. The line of the mistake is therefore found
// by parsing the first n lines for different n.
type source struct{ lines [][]byte }

// parse returns the document in the first n lines, or the message of the parser. Line numbers
// in both are too large by one: the parser omits the number of line 1, so a comment precedes.
func (s source) parse(n int) (doc *yaml.Node, message string) {
	text := append([]byte("#\n"), bytes.Join(s.lines[:n], []byte("\n"))...)
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

// Messages of the YAML parser that decide the line.
const (
	openFlow  = "did not find expected ',' or "
	noColon   = "could not find expected ':'"
	openQuote = "found unexpected end of stream"
	misplaced = "mapping values are not allowed in this context"
	noToken   = "found character that cannot start any token"
)

// checkLayout is the hint for messages about a misplaced key or item.
const checkLayout = "check the indentation, quotes and brackets of this line and of those above"

// hints maps messages of the parser to what the user should check.
var hints = map[string]string{
	"did not find expected key":              checkLayout,
	"did not find expected '-' indicator":    checkLayout,
	"did not find expected <document start>": "this line is indented less than the lines above",
	openFlow + "']'":                         "the list that opens here has no end, or lacks a comma",
	openFlow + "'}'":                         "the mapping that opens here has no end, or lacks a comma",
	openQuote:                                "the quote that opens here is not closed",
	"control characters are not allowed": "the file is not a text file, or this line contains an " +
		"invisible character",
	"found a tab character that violates indentation": "YAML indents with spaces",
}

// syntaxError returns the parser's error err at the line of the mistake, with a hint.
func syntaxError(file string, text []byte, err error) *Error {
	s := source{bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n"))}
	_, message := s.parse(len(s.lines))
	if message == "" { // an error of the decoder, not of the syntax
		return &Error{Origin: file, Line: 1, Column: 1, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	e := &Error{Origin: file, Column: 1}
	e.Line, e.Msg = s.locate(message)
	if hint := hints[e.Msg]; hint != "" {
		e.Msg += "; " + hint
	}
	if !s.findOpenQuote(e) {
		s.explainColon(e)
		s.explainIndentation(e)
	}
	return e
}

// locate returns the line of the parser's message, counted from 1, and the message without
// its line number.
func (s source) locate(message string) (line int, text string) {
	if strings.Contains(message, "UTF-8") {
		bad := slices.IndexFunc(s.lines, func(line []byte) bool { return !utf8.Valid(line) })
		return bad + 1, message + "; save the file as UTF-8"
	}
	line = sort.Search(len(s.lines), func(n int) bool { // the first n lines that give this message
		_, got := s.parse(n)
		return got == message
	})
	text = message
	if number, rest, ok := strings.Cut(strings.TrimPrefix(message, "line "), ": "); ok {
		if reported, err := strconv.Atoi(number); err == nil {
			text = rest
			switch {
			case strings.HasPrefix(rest, openFlow): // the line of the bracket counted from 0; see parse
				line = reported
			case rest == noColon:
				line = reported - 1 // see parse
			}
		}
	}
	return min(max(line, 1), len(s.lines)), text // YAML knows line breaks other than \n
}

// keyLine matches a line that begins with a key or with the dash of a list item.
var keyLine = regexp.MustCompile(`^\s*(- +)?[\w-]+:(\s|$)|^\s*- `)

// maxQuoteLines bounds the lines in which findOpenQuote looks for a quote; it parses all lines
// before each of them.
const maxQuoteLines = 2000

// findOpenQuote looks for a quote above the mistake that is not closed on its line although a
// key or a list item follows. If it finds one, it moves the error there and returns true.
func (s source) findOpenQuote(e *Error) bool {
	hasText := func(line []byte) bool {
		line = bytes.TrimSpace(line)
		return len(line) > 0 && line[0] != '#'
	}
	for n := 1; n <= min(e.Line, maxQuoteLines); n++ {
		below := slices.IndexFunc(s.lines[n:], hasText)
		if below < 0 || !keyLine.Match(s.lines[n+below]) || !bytes.ContainsAny(s.lines[n-1], `"'`) {
			continue
		}
		if _, message := s.parse(n); strings.HasSuffix(message, openQuote) {
			e.Line = n
			e.Msg = fmt.Sprintf("the quote that opens here includes the line %q below; close the quote",
				bytes.TrimSpace(s.lines[n+below]))
			return true
		}
	}
	return false
}

// explainColon completes the message on a colon where YAML allows none. The colon is often in
// a text that began on an earlier line.
func (s source) explainColon(e *Error) {
	if e.Msg != misplaced {
		return
	}
	beforeColon, _, _ := bytes.Cut(s.lines[e.Line-1], []byte(":"))
	head := source{append(slices.Clone(s.lines[:e.Line-1]), beforeColon)}
	last, _ := head.parse(e.Line)
	if last == nil {
		e.Msg += "; put a text with a colon and a space in quotes"
		return
	}
	for len(last.Content) > 0 {
		last = last.Content[len(last.Content)-1]
	}
	begins := last.Line - 1 // see parse
	if begins < 1 || begins >= e.Line {
		return
	}
	if line := s.lines[begins-1]; keyLine.Match(line) && bytes.Contains(line, []byte(":")) {
		e.Msg += fmt.Sprintf("; this line continues the text of line %d: check the indentation of both", begins)
		return
	}
	e.Msg = fmt.Sprintf("the text that begins here continues up to the colon of line %d; "+
		"is a colon with a space missing here?", e.Line)
	e.Line = begins
}

// explainIndentation replaces the message if the indentation of the mistake's line has a tab,
// or that of any line up to it an invisible character other than a space.
func (s source) explainIndentation(e *Error) {
	for n, line := range s.lines[:e.Line] {
		indentation := line[:len(line)-len(bytes.TrimLeftFunc(line, unicode.IsSpace))]
		isLast := n == e.Line-1
		at := bytes.IndexFunc(indentation, func(r rune) bool { return r >= utf8.RuneSelf || isLast && r == '\t' })
		switch {
		case at < 0:
		case indentation[at] == '\t':
			e.Column, e.Msg = at+1, "a tab in the indentation: YAML indents with spaces"
		default:
			e.Line, e.Column = n+1, at+1
			e.Msg = "the indentation contains a character that looks like a space but is not one"
			return
		}
	}
}
