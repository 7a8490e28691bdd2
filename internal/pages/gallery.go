package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/internal/cli"
	"copse/report/figure"
	"copse/report/view"
)

// galleryStudy is the study whose results most figures show. The other figures show stored results.
const galleryStudy = `study: gallery
title: Four classifiers on Bayesian networks
seed: 4
replicates: 12
predictions: keep
design:
  d: [4, 8]
  n: [60, 120, 240]
data:
  generator: {name: bayesnet, d: $d}
  train: {n: $n}
  test: {n: 300}
classifiers:
  - nb
  - qda
  - rf
  - {id: knn, label: k-NN, classifier: 5nn, tune: {k: [1, 5, 15, 30]}}
  - oracle
`

// galleryHead is the beginning of the page. Its arguments are the study file and the table of
// results.
const galleryHead = "# Gallery\n\n" +
	"This page shows a table of results, each kind of figure, and the lines of the section `report` that\n" +
	"produce them. `copse list tables` lists the other kinds of tables. The command `copse plot RESULTS\n" +
	"KIND KEY=VALUE...` draws a figure from existing results. A classifier has the same colour in all\n" +
	"figures of a study. The order of the classifiers in the study sets the colours, and no key changes\n" +
	"them. Unless the text names another results folder, the figures below show the results of this\n" +
	"study:\n\n" +
	"```yaml\n%s```\n\n## table\n\n```yaml\ntables:\n  - {name: errors}\n```\n\n```text\n%s\n```\n"

// An example is a figure in the gallery.
type example struct {
	Kind    string
	Results string   // folder; "": the results of galleryStudy
	Keys    []string // KEY=VALUE
	Caption string   // caption that copse plot prints
}

var gallery = []example{
	{Kind: "box", Keys: []string{"panel=d", "where=n=60"}},
	{Kind: "line", Keys: []string{"x=n", "where=d=8"}},
	{Kind: "differences", Keys: []string{"where=n=240,d=8"}},
	{Kind: "heat", Keys: []string{"excess=true"}},
	{Kind: "nested", Keys: []string{"rows=d,n"}},
	{Kind: "bars", Keys: []string{"reference=rf", "panel=n", "where=d=8"}},
	{Kind: "wins", Keys: []string{"champion=qda"}},
	{Kind: "tuned", Keys: []string{"rows=d,n"}},
	{Kind: "roc", Keys: []string{"where=n=60,d=8"}},
	{Kind: "reliability", Keys: []string{"where=n=60,d=8"}},
	{Kind: "cd", Results: "results/real-tour", Keys: []string{"columns=slb,nb,tan,rf,svm"}},
	{Kind: "pareto", Results: "results/grand-tour",
		Keys: []string{"where=family=forest,n=500", "columns=slb,nb,tan,rf,svm,cnc"}},
}

// writeGallery writes gallery.md and the pictures to dir. It must run in the root folder of the
// repository.
func writeGallery(dir string) error {
	temporary, err := os.MkdirTemp("", "gallery")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	study, results := filepath.Join(temporary, "gallery.yaml"), filepath.Join(temporary, "results")
	if err := os.WriteFile(study, []byte(galleryStudy), 0o666); err != nil {
		return err
	}
	output, err := copse("run", study, "--out", results) // runs the command in this process
	if err != nil {
		return err
	}
	var page strings.Builder
	table, _, _ := strings.Cut(output, "\nwritten to ")
	fmt.Fprintf(&page, galleryHead, galleryStudy, strings.TrimSpace(table))
	for _, example := range gallery {
		args := append([]string{"plot", cmp.Or(example.Results, results), example.Kind}, example.Keys...)
		args = append(args, "name="+example.Kind, "width=column", "--out", filepath.Join(dir, "gallery"))
		output, err := copse(args...)
		if err != nil {
			return err
		}
		_, caption, _ := strings.Cut(output, "\n\n") // the caption follows the path of the file
		example.Caption = strings.TrimSpace(caption)
		if err := pages.ExecuteTemplate(&page, "example", example); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "gallery.md"), []byte(page.String()), 0o666)
}

// copse runs a copse command and returns its standard output.
func copse(args ...string) (string, error) {
	var out, errOut bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &errOut); code != 0 {
		return "", fmt.Errorf("copse %s: exit %d: %s", strings.Join(args, " "), code, errOut.String())
	}
	return out.String(), nil
}

// Summary describes this kind of figure.
func (e example) Summary() string {
	i := slices.IndexFunc(figure.Kinds, func(k figure.Kind) bool { return k.Name == e.Kind })
	return view.Capital(figure.Kinds[i].Summary)
}

// yaml converts a setting of the form NAME=VALUE, as on the command line, to YAML.
func yaml(key string) string {
	name, value, _ := strings.Cut(key, "=")
	isList := slices.Contains([]string{"panel", "where", "columns", "rows"}, name)
	if isList { // the command line has a,b and YAML [a, b]
		value = "[" + strings.ReplaceAll(value, ",", ", ") + "]"
	}
	return name + ": " + value
}
