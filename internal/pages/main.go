// Command pages writes docs/methods and docs/gallery.md from the registries, doc comments and
// parameter tags in the code. The argument is the folder for the methods:
//
//	go run ./internal/pages docs/methods
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"text/template"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/generators"
	"copse/report/view"
	"copse/stats/kde"
	"copse/stats/recipe"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage, in the root folder of the repository: go run ./internal/pages DIR")
		os.Exit(2)
	}
	if err := cmp.Or(writePages(os.Args[1]), writeGallery(filepath.Dir(os.Args[1]))); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(1)
	}
}

// A method is a classifier or generator together with the content of its documentation page.
type method struct {
	Kind    string // classifier or generator
	Name    string // in a study
	Label   string // in tables
	Summary string
	Source  string
	Version int
	Limits  string // the data that a classifier accepts, in a sentence; "" for a generator
	Doc     string // description in Markdown
	recipe  any    // the classifier or generator with default parameters
}

// Parameters describes the parameters of the method.
func (m method) Parameters() []config.Key { return config.KeysOf(m.recipe) }

// writePages writes README.md, a page for each method and a picture for each generator to dir.
func writePages(dir string) error {
	list, err := methods()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, m := range list {
		if err := write(filepath.Join(dir, m.File()), "page", m); err != nil {
			return err
		}
		generator, ok := m.recipe.(generators.Generator)
		if !ok {
			continue
		}
		if err := drawSample(filepath.Join(dir, m.Picture()), generator); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	docs, err := docsOf("stats/kde")
	if err != nil {
		return err
	}
	return write(filepath.Join(dir, "README.md"), "index", struct {
		Methods        []method
		BandwidthRules string
	}{list, strings.TrimSpace(docs["Rule"])}) // the comment of the type kde.Rule
}

func methods() ([]method, error) {
	var list []method
	for _, s := range classifiers.Registry {
		list = append(list, method{Kind: "classifier", Name: s.Name, Label: s.Label, Summary: s.Summary,
			Source: s.Source, Version: s.Version, Limits: limits(s), recipe: s.New()})
	}
	for _, s := range generators.Registry {
		list = append(list, method{Kind: "generator", Name: s.Name, Label: s.Name, Summary: s.Summary,
			Source: s.Source, Version: s.Version, recipe: s.New()})
	}
	return list, addDocs(list)
}

// limits describes the data that a classifier accepts, as in "Accepts missing values and any number
// of classes."
func limits(s classifiers.Spec) string {
	var accepted []string
	switch {
	case s.OneKind: // the classifier also has Discrete
		accepted = append(accepted, "discrete attributes (but not together with numeric ones)")
	case s.Discrete:
		accepted = append(accepted, "discrete attributes")
	}
	if s.Missing {
		accepted = append(accepted, "missing values")
	}
	classes := "any number of classes"
	if s.MaxClasses == 2 {
		classes = "two classes (more with `multiclass: ovo` or `ovr`)"
	}
	text := "Accepts " + view.And(append(accepted, classes))
	if s.Probabilities {
		text += "; gives class probabilities"
	}
	return text + "."
}

// addDocs sets Doc to the doc comment of each method's Go type, in which the method's label replaces
// the type name at the beginning.
func addDocs(list []method) error {
	comments := map[string]map[string]string{} // by folder of the package and name of the type
	for i := range list {
		t := reflect.TypeOf(list[i].recipe).Elem()
		folder := recipe.Folder(t)
		if comments[folder] == nil {
			docs, err := docsOf(folder)
			if err != nil {
				return err
			}
			comments[folder] = docs
		}
		text, ok := strings.CutPrefix(comments[folder][t.Name()], t.Name()+" ")
		if !ok {
			return fmt.Errorf("the doc comment of the type of %s does not begin with the type's name", list[i].Name)
		}
		list[i].Doc = strings.TrimSpace(list[i].Label + " " + text)
	}
	return nil
}

// docsOf returns the doc comments of the types in the package in a folder, as Markdown by type name.
func docsOf(dir string) (map[string]string, error) {
	files := token.NewFileSet()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var parsed []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	p, err := doc.NewFromFiles(files, parsed, dir)
	if err != nil {
		return nil, err
	}
	docs := map[string]string{}
	for _, t := range p.Types {
		printer := p.Printer()
		printer.DocLinkURL = func(*comment.DocLink) string { return "" }
		docs[t.Name] = restoreCode(string(printer.Markdown(p.Parser().Parse(t.Doc))))
	}
	return docs, nil
}

// escapedCode matches a word between backquotes that the Markdown printer has escaped.
var escapedCode = regexp.MustCompile("\\\\`.+?\\\\`")

// restoreCode removes the backslashes from each word in backquotes, which is then code in Markdown.
func restoreCode(markdown string) string {
	return escapedCode.ReplaceAllStringFunc(markdown, func(code string) string {
		return strings.ReplaceAll(code, `\`, "")
	})
}

// Picture returns the file name of the picture of a generator.
func (m method) Picture() string { return m.Name + ".png" }

// File returns the file name of the page of a method, such as slb-minus.md for slb-.
func (m method) File() string {
	if base, ok := strings.CutSuffix(m.Name, "-"); ok {
		return base + "-minus.md"
	}
	return m.Name + ".md"
}

//go:embed pages.tmpl
var pageText string

// pages contains the templates "page" of a method, "index" of README.md and "example" of a figure.
var pages = template.Must(template.New("").
	Funcs(template.FuncMap{"escape": escape, "isBandwidthRule": isBandwidthRule, "yaml": yaml}).
	Parse(pageText))

// escape escapes the character |, which would otherwise end a Markdown table cell.
func escape(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// isBandwidthRule reports whether a parameter chooses one of the rules for bandwidths.
func isBandwidthRule(k config.Key) bool {
	return strings.Contains(k.Allowed(), string(kde.NormalReference))
}

// write executes a template with the given data and writes the output to a file.
func write(file, name string, data any) error {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}
