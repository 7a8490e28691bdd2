package config

import (
	"bytes"
	"errors"
	"testing"
)

// An amount of memory is never negative.
func FuzzParseBytes(f *testing.F) {
	for _, text := range []string{"0", "800MB", "1.5GiB", "-1GB", "9999999999TB", "1e3GB", "2XB", ".GB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseBytes(text); err == nil && n < 0 {
			t.Fatalf("%q are %d bytes", text, n)
		}
	})
}

// The value of a flag is rejected or is a finite tree.
func FuzzParseValue(f *testing.F) {
	for _, text := range []string{
		"1", "[1, 2]", "{a: b}", "&a [*a]", "&a [1, 1]", "", "a: [", "!!binary x", "<<: {a: 1}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := parseValue(text); err == nil && checkAliases(n) != nil {
			t.Fatalf("%q has no end", text)
		}
	})
}

// A file is read, or the error names one of its lines.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"a: 1\nb: [x\nc: 2\n",
		"a: 'b\nc: d\n",
		"a\rb: c: d",
		"\ufeffa: \"b",
		"a:\n\u00a0b: 1\nc: : 2",
		"- a\n b: c\u2028d: e: [",
		"a b\nc: d\n",
		" a: 1\nb: 2",
		"a: *b",
		"%YAML 9\n---\na",
		"\xff\xfea\x00",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := Parse("f.yaml", text)
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Msg == "" || e.Line > 1+bytes.Count(text, []byte("\n"))) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
