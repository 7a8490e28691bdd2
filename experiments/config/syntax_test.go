package config

import (
	"strings"
	"testing"
)

// What is no YAML is said at its own line, and of a tab what to write instead.
func TestSyntaxHasItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb:\n\tc: 2\n":              "f.yaml:3:1: a tab in the indentation: YAML indents with spaces",
		"a: 1\nb:\n  \tc: [\n":            "f.yaml:3:3: a tab in the indentation",
		"a: 1\nb: 2\nc: {d: [x, y}\n":     "f.yaml:3:1: did not find expected ',' or ']'",
		"a: 1\nb: 2\nc: {d: 1\ne: 2\n":    "f.yaml:3:1: did not find expected ',' or '}'",
		"c: {d: [x, y}\n":                 "f.yaml:1:1: did not find expected ',' or ']'",
		"a: 1\nb: c: d\n":                 "f.yaml:2:1: mapping values are not allowed in this context",
		"a: 1\nb 2\nc: 3\n":               "f.yaml:2:1: could not find expected ':'",
		"a: 1\nl:\n- x\n- y\nb: 1\n- z\n": "f.yaml:6:1: did not find expected key",
	} {
		if _, err := Parse("f.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
