// Command pages writes docs/methods, with a page for each classifier and generator, and docs/gallery.md,
// with a figure of each kind. It takes the content from the registries, the doc comments of types and the
// struct tags of parameters. The argument is the folder for the methods:
//
//	go run ./internal/pages docs/methods
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"

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
	kind    string // classifier or generator
	name    string // in a study
	label   string // in tables
	summary string
	source  string
	version int
	limits  string // the data that a classifier accepts, in a sentence; "" for a generator
	recipe  any    // the classifier or generator with default parameters
	doc     string // description in Markdown
}

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
		if err := os.WriteFile(filepath.Join(dir, m.file()), page(m), 0o666); err != nil {
			return err
		}
		generator, ok := m.recipe.(generators.Generator)
		if !ok {
			continue
		}
		if err := drawSample(filepath.Join(dir, m.picture()), generator); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	docs, err := docsOf("stats/kde")
	if err != nil {
		return err
	}
	bandwidthRules := docs["Rule"] // the comment of the type kde.Rule
	return os.WriteFile(filepath.Join(dir, "README.md"), index(list, bandwidthRules), 0o666)
}

func methods() ([]method, error) {
	var list []method
	for _, s := range classifiers.Registry {
		list = append(list, method{kind: "classifier", name: s.Name, label: s.Label, summary: s.Summary,
			source: s.Source, version: s.Version, limits: limits(s), recipe: s.New()})
	}
	for _, s := range generators.Registry {
		list = append(list, method{kind: "generator", name: s.Name, label: s.Name, summary: s.Summary,
			source: s.Source, version: s.Version, recipe: s.New()})
	}
	return list, addDocs(list)
}

// limits describes the data that a classifier accepts, as in "Accepts missing values and any number of classes."
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

// addDocs sets the doc of each method to the doc comment of its Go type. It replaces the type name with the
// method's label.
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
			return fmt.Errorf("the doc comment of the type of %s does not begin with the type's name", list[i].name)
		}
		list[i].doc = list[i].label + " " + text
	}
	return nil
}

// docsOf returns the doc comment of each type in the package in dir. The result maps type names to
// Markdown.
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
		docs[t.Name] = string(printer.Markdown(p.Parser().Parse(t.Doc)))
	}
	return docs, nil
}

func (m method) picture() string { return m.name + ".png" }

// file returns the file name of the page of a method. The page of slb- is slb-minus.md, because slb-.md
// would look like a typo.
func (m method) file() string {
	if base, ok := strings.CutSuffix(m.name, "-"); ok {
		return base + "-minus.md"
	}
	return m.name + ".md"
}

// page returns the page of a method in Markdown.
func page(m method) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n`%s` (%s, version %d): %s.\n\n", m.label, m.name, m.kind, m.version, m.summary)
	fmt.Fprintf(&b, "Source: %s.", m.source)
	if m.limits != "" {
		fmt.Fprint(&b, " "+m.limits)
	}
	fmt.Fprintf(&b, "\n\n%s\n", strings.TrimSpace(m.doc))
	if m.kind == "generator" {
		fmt.Fprintf(&b, "\n![A sample of %s](%s)\n\n*%s*\n", m.name, m.picture(), pictureCaption)
	}
	params := config.KeysOf(m.recipe)
	if len(params) == 0 {
		fmt.Fprint(&b, "\nNo parameters.\n")
		return b.Bytes()
	}
	fmt.Fprint(&b, "\n## Parameters\n\n| name | default | allowed | meaning |\n|---|---|---|---|\n")
	for _, p := range params {
		allowed := cmp.Or(p.Allowed(), p.Type)
		meaning := escape(p.Doc)
		isBandwidthRule := strings.Contains(p.Allowed(), string(kde.NormalReference))
		if isBandwidthRule {
			meaning += ": [the rules](README.md#bandwidth-rules)"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, code(p.Default), escape(allowed), meaning)
	}
	if m.kind == "classifier" {
		fmt.Fprint(&b, "\n[growth.md](../../results/benchmarks/growth.md) shows how the time and memory of "+
			"classifiers grow with rows and columns.\n")
	}
	return b.Bytes()
}

// code formats a text as Markdown code, unless the text is empty.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// escape escapes the character |, which would otherwise end a Markdown table cell.
func escape(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

const constantColumns = `Except with matlab, a column that is constant in a class has no bandwidth there, and cnc and
cnc-gaussian return an error. In the other methods, its density in this class is normal, and its standard deviation is
the smallest difference between values of the column. In nb and tan, it is at most the smallest bandwidth of the column
in the other classes. Elsewhere, the density of a column of zeros and ones, as after onehot encoding, is therefore much
wider in this class than in the others. slb and its relatives learn weights of log densities and can compensate for
this; markov-chain cannot.

With matlab, the default of cnc, cnc-gaussian and forestdens, a column that is constant in a class has bandwidth 1
there, whatever its units. If the units change, the bandwidth does not, so the predictions change, and the fit gives no
warning. To avoid this, leave the column out. In methods other than cnc and cnc-gaussian, another bandwidth rule also
avoids it. If the range of a column is below 2^-20 or at least 2^21, the fit first divides the column by a power of two,
so that the range is between 1 and 2.
`

const nearlyConstantColumns = `
## Nearly constant columns

Methods that standardise columns, such as svm, knn and logistic, leave out a column if its standard deviation is at most
1e-12 of the absolute value of its mean, because rounding errors alone can cause such a spread. The warning calls this
column constant, even if it has many distinct values. lda applies the same limit within classes, and then uses the
smallest difference between values of the column as its standard deviation. If the small differences matter, subtract a
constant from the column so that its mean is near 0.
`

// index returns README.md: tables of the classifiers and generators, and descriptions of the bandwidth
// rules and the treatment of constant columns, which several methods share.
func index(list []method, bandwidths string) []byte {
	var b bytes.Buffer
	b.WriteString("# Classifiers and generators\n\n`go generate .` writes these pages from the code.\n")
	kind := ""
	for _, m := range list {
		if m.kind != kind {
			kind = m.kind
			fmt.Fprintf(&b, "\n| %s | description | source |\n|---|---|---|\n", kind)
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", m.name, m.file(), escape(m.summary), escape(m.source))
	}
	fmt.Fprintf(&b, "\n## Bandwidth rules\n\n%s\n\n%s%s",
		strings.TrimSpace(bandwidths), constantColumns, nearlyConstantColumns)
	return b.Bytes()
}
