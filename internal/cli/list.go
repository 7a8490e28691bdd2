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
	"copse/internal/reference"
	"copse/report/figure"
	"copse/stats"
	"copse/stats/metrics"
)

// A topic is a list of entries that the command "copse list" can print, such as the classifiers.
type topic struct {
	name    string
	entries func() []entry
}

var topics = []topic{{"classifiers", classifierEntries}, {"generators", generatorEntries}, {"metrics", metricEntries},
	{"tests", testEntries}, {"tables", tableEntries}, {"figures", figureEntries}}

// An entry describes one item of a topic, such as one of the classifiers.
type entry struct {
	name, summary  string
	limits, source string // "": none
	params         []config.Key
	keys           string // path of further keys of the entry in a study; "" if there are none
}

// newList returns the command copse list.
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
				if len(args) > 1 {
					return usageErrorf("`copse list studies` takes no names; `copse check FILE` describes a study")
				}
				return listStudies(cmd)
			}
			at := slices.IndexFunc(topics, func(t topic) bool { return t.name == args[0] })
			if at < 0 {
				return usageErrorf("`copse list` has no topic %q%s", args[0], config.DidYouMean(args[0], names))
			}
			return listEntries(cmd, topics[at], args[1:])
		},
	}
	addJSONFlag(cmd)
	return cmd
}

// listEntries prints a line for each entry of a topic. If names are given, it describes only these
// entries, in more detail.
func listEntries(cmd *cobra.Command, t topic, names []string) error {
	out := cmd.OutOrStdout()
	entries := t.entries()
	if len(names) > 0 {
		var err error
		if entries, err = selectEntries(t.name, entries, names); err != nil {
			return err
		}
	}
	var rows [][]string // rows of a table, unless the entries are printed one by one
	for _, e := range entries {
		switch {
		case wantsJSON(cmd):
			writeEntryLine(out, t.name, e)
		case len(names) > 0:
			e.print(out)
		default:
			rows = append(rows, []string{e.name, e.summary})
		}
	}
	printTable(out, rows)
	return nil
}

// selectEntries returns the entries with the given names. It also accepts the name of a metric for
// one class, such as sensitivity:ill, whose entry is sensitivity:CLASS.
func selectEntries(topic string, entries []entry, names []string) (chosen []entry, err error) {
	var known []string
	for _, e := range entries {
		known = append(known, e.name)
	}
	for _, name := range names {
		at := slices.Index(known, name)
		if metric, _, ofClass := strings.Cut(name, ":"); at < 0 && ofClass {
			at = slices.Index(known, metric+":CLASS")
		}
		if at < 0 {
			return nil, usageErrorf("%[2]q is not one of the %[1]s%[3]s", topic, name, config.DidYouMean(name, known))
		}
		chosen = append(chosen, entries[at])
	}
	return chosen, nil
}

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
		fmt.Fprintf(out, "    to list its keys: copse explain %s\n", e.keys)
	}
	for _, p := range e.params {
		printParameter(out, p, "    ")
	}
}

// withPrograms appends the programs that a study can use by name, such as sklearn, to the
// registered methods. A key of the section at path names such a program unless it is the name of a
// registered method.
func withPrograms(path string, registered []entry) []entry {
	k, _ := reference.Find(path) // the callers pass paths that exist
	for _, method := range k.Keys {
		if !slices.ContainsFunc(registered, func(e entry) bool { return e.name == method.Name }) {
			registered = append(registered,
				entry{name: method.Name, summary: method.Doc, keys: path + "." + method.Name})
		}
	}
	return registered
}

// classifierEntries returns the entries for "copse list classifiers".
func classifierEntries() []entry {
	var list []entry
	for _, s := range classifiers.Registry {
		limits := "any number of classes"
		if s.MaxClasses > 0 { // 0 means no limit
			limits = fmt.Sprintf("at most %d classes, or more with `multiclass: ovo` or `multiclass: ovr`",
				s.MaxClasses)
		}
		if s.Discrete {
			limits += "; discrete attributes"
		}
		if s.OneKind { // continues the text about discrete attributes
			limits += ", but not together with numeric ones"
		}
		if s.Missing {
			limits += "; missing values"
		}
		if s.Probabilities {
			limits += "; class probabilities"
		}
		list = append(list, entry{name: s.Name, summary: s.Summary, limits: limits, source: s.Source,
			params: config.KeysOf(s.New())})
	}
	return withPrograms("classifiers", list)
}

func generatorEntries() []entry {
	var list []entry
	for _, s := range generators.Registry {
		list = append(list, entry{name: s.Name, summary: s.Summary, source: s.Source, params: config.KeysOf(s.New())})
	}
	return withPrograms("data.generator", list)
}

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

// testEntries returns the registered tests and further tests that tables and figures use, but that are not valid for
// the key "test" of a study file.
func testEntries() []entry {
	var list []entry
	for _, t := range stats.AllTests() {
		list = append(list, entry{name: t.Name, summary: fmt.Sprintf("%s, for %s differences", t.Label, t.Design),
			limits: "assumes " + t.Assumption, source: t.Source})
	}
	return append(list,
		entry{name: "max-type",
			summary: "chosen by `test: auto` for independent replicates; tests all pairs of classifiers",
			limits:  "only with `test: auto` and `correction: best`", keys: "inference.correction"},
		entry{name: "corrected-t-pairs",
			summary: "chosen by `test: auto` for folds or splits of one data set; tests all pairs of classifiers",
			limits:  "only with `test: auto` and `correction: best`", keys: "inference.correction"},
		entry{name: "friedman",
			summary: "chi-square test of average ranks, in figures of the kind `cd`",
			limits:  "assumes independent blocks", source: "Friedman (1937); R's friedman.test"},
		entry{name: "nemenyi",
			summary: "test of all pairs by average ranks, in figures of the kind `cd` with `cliques: nemenyi`",
			limits:  "assumes independent blocks", source: "Demšar (2006), section 3.2.2"})
}

// tableEntries returns the kinds of tables. A test checks that the list contains every table of
// page.Content.
func tableEntries() []entry {
	return []entry{
		{name: "results", keys: "report.tables",
			summary: "mean and spread of a metric for each classifier in every cell; the best mean is bold"},
		{name: "metrics", summary: "several metrics in one table, with a block of rows for each metric",
			keys: "report.tables.metrics"},
		{name: "contrast", summary: "differences between the levels of a factor, with confidence intervals",
			keys: "report.tables.contrast"},
		{name: "tuned", summary: "how often tuning chose each combination of values, for each classifier",
			limits: "only if a classifier is tuned", keys: "classifiers.tune"},
		{name: "monte-carlo", summary: "Monte-Carlo standard errors of the means",
			limits: "only in report.html, below each table of a study with replicates", keys: "report.tables.spread"},
		{name: "effects", summary: "each classifier compared with the best in its row: effect size, interval, p-value",
			limits: "only in report.html, below each table with tests", keys: "inference"},
		{name: "published", summary: "results compared with published numbers: agreement, differences, ranks, verdicts",
			limits: "copse writes several tables for each published table", keys: "published"},
	}
}

// figureEntries returns an entry for each kind of figure. Its parameters are the keys that this kind
// reads.
func figureEntries() []entry {
	var list []entry
	o := figure.Defaults()
	for _, k := range figure.Kinds {
		read := slices.DeleteFunc(config.KeysOf(&o), func(key config.Key) bool { return !k.Reads(key.Name) })
		list = append(list, entry{name: k.Name, summary: k.Summary, keys: "report.figures", params: read})
	}
	return list
}

const studiesFolder = "configs"

// listStudies prints a line for each study file in configs/, and an error for each file that cannot
// be loaded.
func listStudies(cmd *cobra.Command) error {
	files, err := os.ReadDir(studiesFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	isOther := func(f fs.DirEntry) bool { return filepath.Ext(f.Name()) != ".yaml" }
	files = slices.DeleteFunc(files, isOther)
	if len(files) == 0 {
		return usageErrorf("%s/ contains no study files; run copse in the root folder of copse's repository",
			studiesFolder)
	}
	out := cmd.OutOrStdout()
	rows := [][]string{{"file", "cells", "replicates", "classifiers", "title"}}
	var unread []error
	for _, file := range files {
		s, err := study.Load(filepath.Join(studiesFolder, file.Name()))
		switch {
		case err != nil:
			unread = append(unread, err)
		case wantsJSON(cmd):
			writeStudyLine(out, s, "")
		default:
			rows = append(rows, []string{s.File, fmt.Sprint(len(s.Cells)), fmt.Sprint(s.Replicates),
				fmt.Sprint(len(s.ClassifierIDs())), s.Title})
		}
	}
	if wantsJSON(cmd) {
		writeErrorLines(out, errors.Join(unread...))
		return nil
	}
	printTable(out, rows)
	for _, err := range unread {
		fmt.Fprintf(out, "cannot read %v\n", err)
	}
	return nil
}
