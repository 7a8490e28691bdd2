package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/experiments/study"
	"copse/generators"
	"copse/report/figure"
	"copse/stats"
	"copse/stats/metrics"
)

// A topic is a kind of entries that copse list lists.
type topic struct {
	name    string
	entries func() []entry
}

var topics = []topic{{"classifiers", classifierEntries}, {"generators", generatorEntries}, {"metrics", metricEntries},
	{"tests", testEntries}, {"tables", tableEntries}, {"figures", figureEntries}}

// An entry is an item of a topic, such as a classifier.
type entry struct {
	name, summary  string
	limits, source string // "": none
	params         []config.Key
	keys           string // path of the study's keys that configure it; "": only params
}

func newList() *cobra.Command {
	names := []string{"studies"}
	for _, t := range topics {
		names = append(names, t.name)
	}
	cmd := &cobra.Command{
		Use:   "list classifiers|generators|metrics|tests|tables|figures|studies [NAME...]",
		Short: "List classifiers, generators, metrics, tests, kinds of tables and figures, or studies",
		Long: `List prints a line for each entry of a topic. With NAMEs it describes these
entries: parameters with defaults, ranges and meanings, and sources.`,
		ValidArgs: names,
		Example: `  copse list classifiers
  copse list classifiers slb
  copse list metrics auc log_loss`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "studies" {
				return listStudies(cmd)
			}
			at := slices.IndexFunc(topics, func(t topic) bool { return t.name == args[0] })
			if at < 0 {
				return usagef("no topic %q to list%s", args[0], config.DidYouMean(args[0], names))
			}
			return listEntries(cmd, topics[at], args[1:])
		},
	}
	addJSON(cmd)
	return cmd
}

// listEntries prints a line for each entry of a topic, or describes the entries in only, if it
// names any.
func listEntries(cmd *cobra.Command, t topic, only []string) error {
	out := cmd.OutOrStdout()
	entries := t.entries()
	if len(only) > 0 {
		var err error
		if entries, err = choose(t.name, entries, only); err != nil {
			return err
		}
	}
	var rows [][]string
	for _, e := range entries {
		switch {
		case wantsJSON(cmd):
			linesTo(out).entry(t.name, e)
		case len(only) > 0:
			e.print(out)
		default:
			rows = append(rows, []string{e.name, e.summary})
		}
	}
	printLines(out, rows)
	return nil
}

// choose returns the entries of the given names. The name sensitivity:ill, as a study writes it,
// means the entry sensitivity:CLASS.
func choose(topic string, entries []entry, only []string) (chosen []entry, err error) {
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	for _, name := range only {
		at := slices.Index(names, name)
		if metric, _, ofClass := strings.Cut(name, ":"); at < 0 && ofClass {
			at = slices.Index(names, metric+":CLASS")
		}
		if at < 0 {
			return nil, usagef("no %q among the %s%s", name, topic, config.DidYouMean(name, names))
		}
		chosen = append(chosen, entries[at])
	}
	return chosen, nil
}

// print describes an entry and its parameters.
func (e entry) print(out io.Writer) {
	fmt.Fprintf(out, "%s\n    %s", e.name, e.summary)
	if e.limits != "" {
		fmt.Fprintf(out, " (%s)", e.limits)
	}
	fmt.Fprintln(out)
	if e.source != "" {
		fmt.Fprintf(out, "    source: %s\n", e.source)
	}
	if e.keys != "" {
		fmt.Fprintf(out, "    its keys: copse explain %s\n", e.keys)
	}
	for _, p := range e.params {
		printParameter(out, p, "    ")
	}
}

// withPrograms adds entries for the programs that a study can name besides the registered methods:
// the keys at path whose names the registry does not have.
func withPrograms(path string, registered []entry) []entry {
	k, err := findKey(path)
	if err != nil {
		panic(err) // the callers pass constants
	}
	for _, method := range k.Keys {
		if !slices.ContainsFunc(registered, func(e entry) bool { return e.name == method.Name }) {
			registered = append(registered,
				entry{name: method.Name, summary: method.Doc, keys: below(path, method.Name)})
		}
	}
	return registered
}

// classifierEntries returns the registered classifiers with the data that they accept, and the
// programs that a study can use as classifiers.
func classifierEntries() []entry {
	var list []entry
	for _, s := range classifiers.Registry {
		limits := "any number of classes"
		if s.MaxClasses > 0 {
			limits = fmt.Sprintf("%d classes, more with multiclass: ovo or ovr", s.MaxClasses)
		}
		if s.Discrete {
			limits += ", discrete attributes"
		}
		if s.Missing {
			limits += ", missing values"
		}
		if s.Probabilities {
			limits += ", class probabilities"
		}
		list = append(list, entry{name: s.Name, summary: s.Summary, limits: limits, source: s.Source,
			params: config.KeysOf(s.New())})
	}
	return withPrograms("classifiers", list)
}

// generatorEntries returns the registered generators, and the programs that a study can use as
// generators.
func generatorEntries() []entry {
	var list []entry
	for _, s := range generators.Registry {
		list = append(list, entry{name: s.Name, summary: s.Summary, source: s.Source, params: config.KeysOf(s.New())})
	}
	return withPrograms("data.generator", list)
}

// metricEntries returns the metrics with their range, direction and the predictions that they need.
func metricEntries() []entry {
	var list []entry
	for i, name := range metrics.Names() {
		m := metrics.Registry[i]
		direction := "smaller is better"
		if m.Higher {
			direction = "larger is better"
		}
		values := strings.TrimSpace(fmt.Sprintf("[%.4g, %.4g] %s", m.Low, m.High, m.Unit))
		list = append(list, entry{name: name, summary: m.Label, source: m.Source,
			limits: fmt.Sprintf("in %s, %s; from the %s", values, direction, m.Needs)})
	}
	return list
}

// testEntries returns the paired tests with their assumptions.
func testEntries() []entry {
	var list []entry
	for _, t := range stats.AllTests() {
		list = append(list, entry{name: t.Name, summary: fmt.Sprintf("%s, for %s differences", t.Label, t.Designs[0]),
			limits: "assumes " + t.Assumption, source: t.Source})
	}
	return list
}

// tableEntries returns the kinds of tables, which have no registry.
func tableEntries() []entry {
	return []entry{
		{name: "results", summary: "a metric in every cell: mean and spread of each classifier, the best in bold",
			keys: "report.tables"},
		{name: "metrics", summary: "several metrics in one table, a block of rows for each",
			keys: "report.tables.metrics"},
		{name: "contrast", summary: "differences between the levels of a factor, with intervals",
			keys: "report.tables.contrast"},
		{name: "monte-carlo", summary: "Monte-Carlo standard errors of the means",
			limits: "in report.html, below each table with replicates", keys: "report.tables.spread"},
		{name: "effects", summary: "each classifier against the best of its row: effect size, interval, p",
			limits: "in report.html, below each table with tests", keys: "inference"},
		{name: "published", summary: "published numbers and ours: agreement, differences, ranks, verdicts",
			limits: "one set for each published table", keys: "published"},
	}
}

// figureEntries returns the kinds of figures with the keys that only some kinds read.
func figureEntries() []entry {
	var list []entry
	o := figure.Defaults()
	for _, k := range figure.Kinds {
		read := slices.DeleteFunc(config.KeysOf(&o), func(key config.Key) bool { return !k.Reads(key.Name) })
		list = append(list, entry{name: k.Name, summary: k.Summary, keys: "report.figures", params: read})
	}
	return list
}

// studiesFolder is the folder whose study files copse list studies lists.
const studiesFolder = "configs"

// listStudies prints a line for each study file of configs/, and an error for each file that
// cannot be read, such as one whose data sets are not on this machine.
func listStudies(cmd *cobra.Command) error {
	files, err := os.ReadDir(studiesFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var studies []*study.Study
	var unread []error
	for _, e := range files {
		if filepath.Ext(e.Name()) != ".yaml" {
			continue
		}
		s, err := study.Load(filepath.Join(studiesFolder, e.Name()))
		if err != nil {
			unread = append(unread, err)
			continue
		}
		studies = append(studies, s)
	}
	if len(studies)+len(unread) == 0 {
		return usagef("no %s/*.yaml here; run copse in the project's folder", studiesFolder)
	}
	out := cmd.OutOrStdout()
	rows := [][]string{{"file", "cells", "replicates", "classifiers", "title"}}
	for _, s := range studies {
		if wantsJSON(cmd) {
			linesTo(out).study(s, "")
		}
		rows = append(rows, []string{s.File, fmt.Sprint(len(s.Cells)), fmt.Sprint(s.Replicates),
			fmt.Sprint(len(s.ClassifierIDs())), s.Title})
	}
	if wantsJSON(cmd) {
		linesTo(out).fail(errors.Join(unread...))
		return nil
	}
	printLines(out, rows)
	for _, err := range unread {
		fmt.Fprintf(out, "cannot read %v\n", err)
	}
	return nil
}
