package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An Error is one mistake in a study file or on the command line.
type Error struct {
	Origin string // file, or the flag that set the value
	Line   int    // 1-based; 0 if a flag set the value
	Column int
	Path   string // dotted path of the key, such as data.generator.edge_prob
	Msg    string
	Cause  error // the error from the operating system, if any
}

func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Error() string {
	text := e.Origin
	if e.Line > 0 {
		text += fmt.Sprintf(":%d:%d", e.Line, e.Column)
	}
	if e.Path != "" {
		text += ": " + e.Path
	}
	text += ": " + e.Msg
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return oneLine(text)
}

// oneLine escapes characters that cannot be printed on one line, such as a line break in a key.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

// ErrConfig matches every Error: errors.Is(err, ErrConfig) reports whether the user caused the error.
var ErrConfig = errors.New("bad configuration")

func (e *Error) Is(target error) bool { return target == ErrConfig }

// Errors lists the errors of one file.
type Errors []error

func (list Errors) Unwrap() []error { return list }

func (list Errors) Error() string { return errors.Join(list...).Error() } // on separate lines

// sorted returns the errors by line and column without duplicates, or nil if there are none. A
// mistake in a factor level is reported for every cell with that level.
func (list Errors) sorted() error {
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(x, y error) int {
		a, b := x.(*Error), y.(*Error) // Fail adds no other errors
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(err error) bool {
		text := err.Error()
		repeated := seen[text]
		seen[text] = true
		return repeated
	})
}
