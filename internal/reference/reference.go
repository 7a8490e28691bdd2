// Package reference documents the keys of a study file. It writes docs/reference/study.md and the
// JSON Schema, and looks up single keys.
package reference

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"copse/experiments/calibrate"
	"copse/experiments/config"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/protocol"
	"copse/report/table"
	"copse/report/view"
)

// Keys returns the keys of a study file as a tree.
func Keys() []config.Key {
	layout := report.DefaultLayout()
	search := calibrate.Defaults()
	return study.Keys(map[string]any{"ademp": &protocol.Author{}, "inference": &layout.Inference, "report": &layout,
		"published": &published.Table{}, "calibrate": &search})
}

// Find returns the key of a study file at a dotted path. It ignores list indices, as in
// report.figures[2].kind.
func Find(path string) (config.Key, error) {
	found := config.Key{Keys: Keys()}
	parent := "" // path of the section found so far
	for part := range strings.SplitSeq(path, ".") {
		name, _, _ := strings.Cut(part, "[")
		keys := keysBelow(found)
		at := slices.Index(config.Names(keys), name)
		if at < 0 {
			return found, unknownKey(found, parent, name)
		}
		found = keys[at]
		parent = join(parent, part)
	}
	return found, nil
}

// keysBelow returns the keys of a section. In the section "classifiers", these are names such as lda
// and shared keys such as tune.
func keysBelow(section config.Key) []config.Key {
	if section.Type == "list of classifiers" {
		return slices.Concat(section.Keys, study.SharedClassifierKeys())
	}
	return section.Keys
}

// join returns the path of a key in a section. The top level has the path "".
func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// unknownKey returns the error for a name that is not a key of the section at path. The error lists
// the keys with this name in deeper sections or, if there are none, suggests a similar key.
func unknownKey(at config.Key, path, name string) error {
	where := cmp.Or(path, "a study")
	if len(at.Keys) == 0 {
		return fmt.Errorf("%s has no fixed keys; it is a %s: %s", where, at.Type, at.Doc)
	}
	const most = 5
	if paths := pathsOf(name, at.Keys, path); len(paths) > 0 {
		return fmt.Errorf("%s has no key %q; keys with this name exist elsewhere: %s", where, name,
			strings.Join(paths[:min(len(paths), most)], ", "))
	}
	known := config.Names(keysBelow(at))
	return fmt.Errorf("%s has no key %q%s", where, name, config.DidYouMean(name, known))
}

// pathsOf returns the path of the key with the given name in a section or, if the section lacks this
// key, the paths of all such keys in deeper sections. path is the path of the section.
func pathsOf(name string, keys []config.Key, path string) (paths []string) {
	if slices.Contains(config.Names(keys), name) {
		return []string{join(path, name)}
	}
	for _, k := range keys {
		paths = append(paths, pathsOf(name, keysBelow(k), join(path, k.Name))...)
	}
	return paths
}

//go:embed study.tmpl
var pageText string

// page is the template of docs/reference/study.md.
var page = template.Must(template.New("").Funcs(template.FuncMap{"capital": view.Capital, "join": strings.Join,
	"escape": func(text string) string { return strings.ReplaceAll(text, "|", "\\|") }}).Parse(pageText))

// A section of the page is a table of keys.
type section struct {
	Title, Doc string
	Keys       []config.Key
}

// Write writes docs/reference/study.md, with a table of keys for each section of a study file, and
// the columns of tables in CSV files.
func Write(out io.Writer) error {
	keys := Keys()
	sections := []section{{"A study", "", keys}}
	for _, k := range keys {
		if k.Name == "classifiers" {
			sections = append(sections, sectionsOf("classifiers[]", classifierKey())...)
		} else {
			sections = append(sections, sectionsOf(k.Name, k)...)
		}
	}
	return page.Execute(out, struct {
		Sections                 []section
		Columns, ContrastColumns []table.Column
		Spreads                  []table.Spread
	}{sections, table.CSVColumns, table.ContrastColumns, table.Spreads})
}

// classifierKey returns the key of an item of the list "classifiers".
func classifierKey() config.Key {
	k := config.Key{Keys: study.SharedClassifierKeys(), Doc: "an item is the name of a classifier, or a mapping with " +
		"the keys below and the parameters of the classifier"}
	for i := range k.Keys {
		if k.Keys[i].Name == "prepare" {
			k.Keys[i].Keys = nil // documented in the study's section prepare
		}
	}
	return k
}

// sectionsOf returns the section of a key and the sections below it. It omits the parameters of
// classifiers and generators, which have separate pages.
func sectionsOf(path string, k config.Key) []section {
	if len(k.Keys) == 0 || path == "data.generator" {
		return nil
	}
	list := []section{{"`" + path + "`", k.Doc, k.Keys}}
	for _, inner := range k.Keys {
		list = append(list, sectionsOf(join(path, inner.Name), inner)...)
	}
	return list
}
