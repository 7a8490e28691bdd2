package config

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
)

// A syntax error names its line. For a tab, it states what to write instead.
func TestSyntaxErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb:\n\tc: 2\n":   "f.yaml:3:1: a tab in the indentation: YAML indents with spaces",
		"a: 1\nb:\n  \tc: [\n": "f.yaml:3:3: a tab in the indentation",
		"%YAML 1.2\n---\na: 1\n": "f.yaml:1:1: found incompatible YAML document; write `%YAML 1.1`, or " +
			"remove this line",
		"a: 1\nb: 2\nc: {d: [x, y}\n":  "f.yaml:3:1: did not find expected ',' or ']'",
		"a: 1\nb: 2\nc: {d: 1\ne: 2\n": "f.yaml:3:1: did not find expected ',' or '}'",
		"a: [1, 2\nb: 3\n": "f.yaml:1:1: did not find expected ',' or ']'; the list that opens " +
			"here is not closed",
		"a: [1,\n  {b: 2,\n  c: 3],\nd\n": "f.yaml:2:1: did not find expected ',' or '}'; the mapping that opens " +
			"here is not closed",
		"a: \"x\n\n# y\nb: 1\n": "f.yaml:1:1: the quoted text that begins here includes the line \"b: 1\" " +
			"below; add the closing quote",
		"a 1\nb: 2\n": "f.yaml:1:1: the text that begins here continues up to the colon on line 2",
		"a: 1\n  b: 2\n": "f.yaml:2:1: mapping values are not allowed in this context; this line " +
			"continues the text of line 1",
		" a: 1\nb: 2\n": "f.yaml:2:1: did not find expected <document start>",
		"a: [?, NA]\n": "f.yaml:1:1: did not find expected ',' or ']'; the list that opens here is not closed, lacks " +
			"a comma, or contains an unquoted value such as \"?\"",
		"a: [*]\n":                        "f.yaml:1:1: did not find expected alphabetic or numeric character; a value",
		"c: {d: [x, y}\n":                 "f.yaml:1:1: did not find expected ',' or ']'",
		"a: 1\nb: c: d\n":                 "f.yaml:2:1: mapping values are not allowed in this context; a value that",
		"a: b: c\nd: 1\n":                 "f.yaml:1:1: mapping values are not allowed in this context; a value that",
		"- a\n- b: c: d\n":                "f.yaml:2:1: mapping values are not allowed in this context; a value that",
		"a: 1\nb 2\nc: 3\n":               "f.yaml:2:1: could not find expected ':'; a key needs a colon",
		"a: 1\nb: @c\n":                   "f.yaml:2:1: found character that cannot start any token; a value that",
		"a: [, b]\n":                      "f.yaml:1:1: did not find expected node content; a value is missing",
		"a: - b\n":                        "f.yaml:1:1: block sequence entries are not allowed in this context; begin",
		"a: \"C:\\dir\"\n":                "f.yaml:1:1: found unknown escape character; use single quotes",
		"a: >b\n":                         "f.yaml:1:1: did not find expected comment or line break; a value that",
		"a: 1\nl:\n- x\n- y\nb: 1\n- z\n": "f.yaml:6:1: did not find expected key",
	} {
		_, err := Parse("f.yaml", []byte(text))
		errtest.Case(t, text).HasPrefix(err, want)
	}
}

// A typo, and whether every typo of this kind is invalid YAML. Others give a string or an unknown key, which
// the reader of the study reports.
type typo struct {
	name, pattern, with string
	always              bool
}

const blockKey = `^(\s*(?:- )?[\w-]+):`

var typos = []typo{
	{"colon forgotten", blockKey + `( \S|\s*$)`, "$1$2", false},
	{"equals sign", blockKey + `( \S)`, "$1 =$2", false},
	{"bracket not closed", `\]`, "", false},
	{"brace not closed", `\}`, "", false},
	{"brace closed as a bracket", `\}`, "]", true},
	{"bracket closed as a parenthesis", `\]`, ")", false},
	{"bracket closed twice", `(\[[^]]*\])$`, "$1]", true},
	{"brace closed twice", `(: \{[^{}]*\})$`, "$1}", true},
	{"two commas", `(\[\w+),`, "$1,,", true},
	{"double quote not closed", blockKey + ` (\w)`, `$1: "$2`, true},
	{"single quote not closed", blockKey + ` (\w)`, "$1: '$2", true},
	{"quote not closed in a list", `\[(\w)`, `["$1`, true},
	{"quote not closed in a mapping", `(\{\w+: )(\w)`, `$1"$2`, true},
	{"text after a quote", blockKey + ` (\w+)`, `$1: "$2" x`, true},
	{"tab for spaces", `^  (\s*\S)`, "\t$1", true},
	{"tab after spaces", `^(\s+)(\S)`, "$1\t$2", true},
	{"no-break spaces", `^(    )(\S)`, "\u00a0\u00a0\u00a0\u00a0$2", false},
	{"alias of nothing", blockKey + ` (\S)`, "$1: *nope", true},
	{"anchor without a name", blockKey + ` (\S)`, "$1: & $2", true},
	{"percent sign", blockKey + ` (\S)`, "$1: %$2", true},
	{"at sign", blockKey + ` (\S)`, "$1: @$2", true},
	{"backtick", blockKey + ` (\S)`, "$1: `$2", true},
	{"colon in a text", blockKey + ` (\w)`, "$1: a: $2", true},
	{"backslash", blockKey + ` \w.*$`, `$1: "C:\dir"`, true},
	{"block sign before a text", blockKey + ` (\w)`, "$1: | $2", true},
	{"control character", blockKey + ` (\S)`, "$1: \x01$2", true},
	{"Latin-1", blockKey + ` (\S)`, "$1: \xe9$2", true},
	{"list sign without a space", `^(\s*)- (\{)`, "$1-$2", true},
	{"star for a list sign", `^(\s*)- (\S)`, "$1* $2", true},
	{"conflict marker", `^(\s*\S)`, "<<<<<<< HEAD\n$1", true},
}

// The error for a typo anywhere in a study names its line. This is neither the line where the parser noticed
// it nor the first line of its mapping.
func TestErrorsOfTyposNameTheLine(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: tries thousands of typos")
	}
	for _, name := range []string{"quickstart", "jmlr2020-table1", "against-r", "calibrate-forest", "khrf2010-tasks"} {
		file := "../../configs/" + name + ".yaml"
		text := filetest.Read(t, file)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for _, typo := range typos {
			pattern := regexp.MustCompile(typo.pattern)
			for i, line := range lines {
				at := pattern.FindStringSubmatchIndex(line)
				if at == nil || strings.HasPrefix(strings.TrimSpace(line), "#") {
					continue
				}
				wrong := line[:at[0]] + string(pattern.ExpandString(nil, typo.with, line, at)) + line[at[1]:]
				edited := strings.Join(slices.Replace(slices.Clone(lines), i, i+1, wrong), "\n")
				_, err := Parse(file, []byte(edited))
				var e *Error
				switch {
				case err == nil && !typo.always:
					continue
				case err == nil:
					t.Errorf("%s: %s:%d: %q is accepted", typo.name, file, i+1, wrong)
				case !errors.As(err, &e) || e.Line != i+1:
					t.Errorf("%s: %s:%d: %q: %v", typo.name, file, i+1, wrong, err)
				}
			}
		}
	}
}

// If a whole file is one string, the error does not repeat it.
func TestLongTextsAreShortened(t *testing.T) {
	n, err := Parse("f.yaml", []byte("a,b,class\n"+strings.Repeat("1,2,x\n", 1000)))
	if err != nil {
		t.Fatal(err)
	}
	const want = `the text "a,b,class 1,2,x 1,2,x 1,2,x 1,2,x 1,2,x 1,2,x 1,2,x 1,2,x 1,"...`
	if got := n.Describe(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
