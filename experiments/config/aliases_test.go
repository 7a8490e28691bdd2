package config

import (
	"fmt"
	"strings"
	"testing"
)

// Aliases that contain themselves, or expand to more than any memory holds, are errors with a place, in files
// and in flags.
func TestAliases(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [1, 2, 3]\n")
	for k := range 40 {
		fmt.Fprintf(&laughs, "a%d: &a%d [*a%d, *a%d]\n", k+1, k+1, k, k)
	}
	for text, want := range map[string]string{
		"a: &a [*a]\n":                "f.yaml:1:8: the alias *a is inside",
		"a: &a {b: [1, {c: *a}]}\n":   "f.yaml:1:19: the alias *a is inside",
		"a: &a [&b [*a], *b]\n":       "f.yaml:1:12: the alias *a is inside",
		laughs.String():               "the aliases in the file expand to more than 10000000 values",
		"a: &a [1, 2]\nb: [*a, *a]\n": "",
	} {
		_, err := Parse("f.yaml", []byte(text))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%.40q: %v", text, err)
		}
		_, err = parseValue(text)
		if (err != nil) != (want != "") {
			t.Errorf("as a flag: %.40q: %v", text, err)
		}
	}
}

// An alias whose anchor was removed is replaced by its content. Other aliases stay.
func TestWriteOut(t *testing.T) {
	root, err := Parse("f.yaml", []byte("gone: &x [1, &y {z: 2}]\nkept: &k [3]\na: *x\nb: [*x, *y, *k]\n"))
	if err != nil {
		t.Fatal(err)
	}
	root.Remove("gone")
	text, err := root.YAML()
	if want := "kept: &k [3]\na: [1, &y {z: 2}]\nb: [[1, &y {z: 2}], *y, *k]\n"; err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// If an alias precedes its anchor, all aliases of the anchor are replaced, including those that follow it.
func TestWriteOutAliasBeforeAnchor(t *testing.T) {
	root, err := Parse("f.yaml", []byte("a: &x [1]\nb: *x\nc: *x\n"))
	if err != nil {
		t.Fatal(err)
	}
	n := root.node
	n.Content[0], n.Content[1], n.Content[2], n.Content[3] = n.Content[2], n.Content[3], n.Content[0], n.Content[1]
	text, err := root.YAML()
	if want := "b: [1]\na: [1]\nc: [1]\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
}
