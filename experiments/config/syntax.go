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

// A source is the text of a file that is no YAML, by lines. The parser says of a mistake
// where the mapping begins that it is in, or nothing; where it is, is found by parsing
// the text up to each line.
type source struct{ lines [][]byte }

// parse returns the first n lines as a document and what the parser says of them.
func (s source) parse(n int) (*yaml.Node, string) {
	var doc yaml.Node
	text := append([]byte("#\n"), bytes.Join(s.lines[:n], []byte("\n"))...) // it names no place on the first line
	reader := yaml.NewDecoder(bytes.NewReader(text))
	err := reader.Decode(&doc)
	if err == nil {
		err = reader.Decode(&yaml.Node{}) // what does not belong to it is found then
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, strings.TrimPrefix(err.Error(), "yaml: ")
	}
	return &doc, ""
}

// What the parser and the scanner below it say, where the place hangs on it.
const (
	openFlow  = "did not find expected ',' or "
	noColon   = "could not find expected ':'"
	openQuote = "found unexpected end of stream"
	misplaced = "mapping values are not allowed in this context"
	noToken   = "found character that cannot start any token"
)

// hints say what to look at where the parser's words do not.
var hints = map[string]string{
	"did not find expected key": "see the indentation of this line and those above, its " +
		"quotes and its brackets",
	"did not find expected '-' indicator": "see the indentation of this line and those above, its " +
		"quotes and its brackets",
	"did not find expected <document start>": "see the indentation of this line: it is less than that of " +
		"the lines above",
	openFlow + "']'": "the list that opens here has no end, or lacks a comma",
	openFlow + "'}'": "the mapping that opens here has no end, or lacks a comma",
	openQuote:        "the quote that opens here is not closed",
	"control characters are not allowed": "the file is no text, or this line holds a character that " +
		"does not show",
	"found a tab character that violates indentation": "YAML indents with spaces",
}

// syntaxError puts what the YAML parser says at the line of the mistake.
func syntaxError(file string, text []byte, err error) *Error {
	s := source{bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n"))}
	_, full := s.parse(len(s.lines))
	if full == "" { // the parser's words have to do
		return &Error{Origin: file, Line: 1, Column: 1, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	first := sort.Search(len(s.lines), func(n int) bool { _, said := s.parse(n); return said == full })
	e := &Error{Origin: file, Line: first, Column: 1, Msg: full}
	if n, said, ok := strings.Cut(strings.TrimPrefix(full, "line "), ": "); ok {
		if line, err := strconv.Atoi(n); err == nil {
			e.Msg = said
			switch {
			case strings.HasPrefix(said, openFlow): // the line of the bracket, counted from 0
				e.Line = line
			case said == noColon:
				e.Line = line - 1
			}
		}
	}
	e.Line = min(max(e.Line, 1), len(s.lines)) // YAML has more line breaks than one
	hint := hints[e.Msg]
	if strings.Contains(e.Msg, "UTF-8") {
		hint = "save the file as UTF-8"
		e.Line = 1 + slices.IndexFunc(s.lines, func(line []byte) bool { return !utf8.Valid(line) })
	}
	if hint != "" {
		e.Msg += "; " + hint
	}
	if !s.quote(e) {
		s.goesOn(e)
		s.indent(e)
	}
	return e
}

var keyLine = regexp.MustCompile(`^\s*(- +)?[\w-]+:(\s|$)|^\s*- `)

// quote names the quote that takes in lines which look like keys or items.
func (s source) quote(e *Error) bool {
	const most = 2000 // lines, of which those with quotes are parsed, each with all before it
	for n := 1; n <= min(e.Line, most); n++ {
		below := slices.IndexFunc(
			s.lines[n:],
			func(line []byte) bool { line = bytes.TrimSpace(line); return len(line) > 0 && line[0] != '#' },
		)
		if below < 0 || !keyLine.Match(s.lines[n+below]) || !bytes.ContainsAny(s.lines[n-1], `"'`) {
			continue
		}
		if _, said := s.parse(n); strings.HasSuffix(said, openQuote) {
			e.Line, e.Msg = n, fmt.Sprintf(
				"the quote that opens here takes in what stands below, %q: is it closed?",
				bytes.TrimSpace(s.lines[n+below]),
			)
			return true
		}
	}
	return false
}

// goesOn explains a colon in a text that began on a line above.
func (s source) goesOn(e *Error) {
	if e.Msg != misplaced {
		return
	}
	before, _, _ := bytes.Cut(s.lines[e.Line-1], []byte(":"))
	cut := source{append(slices.Clone(s.lines[:e.Line-1]), before)}
	doc, _ := cut.parse(e.Line)
	if doc == nil {
		e.Msg += "; a text with a colon and a space stands in quotes"
		return
	}
	text := doc
	for len(text.Content) > 0 {
		text = text.Content[len(text.Content)-1]
	}
	begins, goesOn := text.Line-1, e.Line // the first line of the source is not the file's
	switch {
	case begins < 1 || begins >= goesOn:
	case keyLine.Match(s.lines[begins-1]) && bytes.Contains(s.lines[begins-1], []byte(":")):
		e.Msg += fmt.Sprintf("; it goes on with the text that begins on line %d: see the indentation of both", begins)
	default:
		e.Line, e.Msg = begins, fmt.Sprintf(
			"a text that goes on up to the colon of line %d: does a colon and a space lack here?",
			goesOn,
		)
	}
}

// indent names what is no space in an indentation, where the mistake is or, if it does not
// show, above.
func (s source) indent(e *Error) {
	for n, line := range s.lines[:e.Line] {
		white := line[:len(line)-len(bytes.TrimLeftFunc(line, unicode.IsSpace))]
		at := bytes.IndexFunc(white, func(r rune) bool { return r >= utf8.RuneSelf || n == e.Line-1 && r == '\t' })
		switch {
		case at < 0:
		case white[at] == '\t':
			e.Column, e.Msg = at+1, "a tab in the indentation: YAML indents with spaces"
		default:
			e.Line, e.Column, e.Msg = n+1, at+1, "the indentation holds a character that looks like a space and is none"
			return
		}
	}
}
