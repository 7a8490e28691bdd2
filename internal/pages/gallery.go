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
)

// galleryStudy is run for the gallery. Two kinds of figures are drawn from committed results instead.
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

// galleryHead is the beginning of the page: the study and its table.
const galleryHead = "# Gallery\n\n" +
	"Each kind of table and figure, with the lines of `report` that make it. `copse plot RESULTS KIND\n" +
	"KEY=VALUE...` draws a figure from existing results. Unless a section names other results, its figure\n" +
	"shows this study:\n\n" +
	"```yaml\n%s```\n\n## table\n\n```yaml\ntables:\n  - {name: errors}\n```\n\n```text\n%s\n```\n"

// A shown is a figure of the gallery.
type shown struct {
	kind    string
	results string   // folder; "": the results of galleryStudy
	keys    []string // KEY=VALUE
}

// gallery has a figure of each kind.
var gallery = []shown{
	{"box", "", []string{"panel=d", "where=n=60"}},
	{"line", "", []string{"x=n", "where=d=8"}},
	{"differences", "", []string{"where=n=240,d=8"}},
	{"heat", "", []string{"excess=true"}},
	{"nested", "", []string{"rows=d,n"}},
	{"bars", "", []string{"reference=rf", "panel=n", "where=d=8"}},
	{"wins", "", []string{"champion=qda"}},
	{"tuned", "", []string{"rows=d,n"}},
	{"roc", "", []string{"where=n=60,d=8"}},
	{"reliability", "", []string{"where=n=60,d=8"}},
	{"cd", "results/real-tour", []string{"columns=slb,nb,tan,rf,svm"}},
	{"pareto", "results/grand-tour", []string{"where=family=forest,n=500", "columns=slb,nb,tan,rf,svm,cnc"}},
}

// writeGallery writes gallery.md and its pictures to a folder. The working directory is the
// project's folder.
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
	table, err := copse("run", study, "--out", results)
	if err != nil {
		return err
	}
	var page strings.Builder
	printed, _, _ := strings.Cut(table, "\nwritten to ")
	fmt.Fprintf(&page, galleryHead, galleryStudy, strings.TrimSpace(printed))
	for _, s := range gallery {
		args := append([]string{"plot", cmp.Or(s.results, results), s.kind}, s.keys...)
		args = append(args, "name="+s.kind, "width=column", "--out", filepath.Join(dir, "gallery"))
		if _, err := copse(args...); err != nil {
			return err
		}
		page.WriteString(s.section())
	}
	return os.WriteFile(filepath.Join(dir, "gallery.md"), []byte(page.String()), 0o666)
}

// copse runs a command and returns its output.
func copse(args ...string) (string, error) {
	var out, errOut bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &errOut); code != 0 {
		return "", fmt.Errorf("copse %s: exit %d: %s", strings.Join(args, " "), code, errOut.String())
	}
	return out.String(), nil
}

// section returns the section of the page about a figure: its kind, picture and YAML.
func (s *shown) section() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n", s.kind)
	for _, k := range figure.Kinds {
		if k.Name == s.kind {
			fmt.Fprintf(&b, "%s%s.", strings.ToUpper(k.Summary[:1]), k.Summary[1:])
		}
	}
	if s.results != "" {
		fmt.Fprintf(&b, " This one shows [%[1]s](../%[1]s).", s.results)
	}
	fmt.Fprintf(&b, "\n\n![%s](gallery/%s.svg)\n\n", s.kind, s.kind)
	fmt.Fprintf(&b, "```yaml\nfigures:\n  - name: %s\n    kind: %s\n", s.kind, s.kind)
	for _, key := range append(s.keys, "width=column") {
		name, value, _ := strings.Cut(key, "=")
		if slices.Contains([]string{"panel", "where", "columns", "rows"}, name) {
			value = "[" + strings.ReplaceAll(value, ",", ", ") + "]"
		}
		fmt.Fprintf(&b, "    %s: %s\n", name, value)
	}
	b.WriteString("```\n")
	return b.String()
}
