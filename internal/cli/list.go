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
	"text/tabwriter"

	"github.com/spf13/cobra"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/experiments/study"
	"copse/generators"
	"copse/report/figure"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// A topic is what copse list tells of.
type topic struct {
	name    string
	entries func() []entry
}

var topics = []topic{{"classifiers", classifierEntries}, {"generators", generatorEntries}, {"metrics", metricEntries},
	{"tests", testEntries}, {"tables", tableEntries}, {"figures", figureEntries}}

// An entry is one of a topic.
type entry struct {
	name, summary  string
	limits, source string
	params         []config.Key
	keys           string // what copse explain tells more of; "": nothing
}

func newList() *cobra.Command {
	names := []string{"studies"}
	for _, t := range topics {
		names = append(names, t.name)
	}
	cmd := &cobra.Command{
		Use:   "list classifiers|generators|metrics|tests|tables|figures|studies [NAME...]",
		Short: "List classifiers, generators, metrics, tests, kinds of tables and figures, or studies",
		Long: `List names all of a topic, a line each. Names after it are told in full: parameters
with defaults, ranges and meanings, sources.`,
		ValidArgs: names,
		Example: `  copse list classifiers
  copse list classifiers slb
  copse list metrics auc log_loss`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, only := cmd.OutOrStdout(), args[1:]
			if args[0] == "studies" {
				return listStudies(out, wantsJSON(cmd))
			}
			for _, t := range topics {
				if t.name == args[0] && wantsJSON(cmd) {
					return listJSON(linesTo(out), t, only)
				}
				if t.name == args[0] {
					return listEntries(out, t, only)
				}
			}
			return usagef("nothing to list of %q%s", args[0], config.DidYouMean(args[0], names))
		},
	}
	addJSON(cmd)
	return cmd
}

// listEntries prints a line for each entry, or all of those that are named.
func listEntries(out io.Writer, t topic, only []string) error {
	if len(only) == 0 {
		entries := t.entries()
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, e := range entries {
			fmt.Fprintf(w, "%s\t%s\n", e.name, e.summary)
		}
		err := w.Flush()
		if isTerminal(out) {
			fmt.Fprintf(out, "\nmore of one: copse list %s %s\n", t.name, entries[0].name)
		}
		return err
	}
	chosen, err := t.choose(only)
	for _, e := range chosen {
		e.print(out)
	}
	return err
}

// choose returns the named entries, up to the first name that the topic does not have.
func (t topic) choose(only []string) (chosen []entry, err error) {
	entries := t.entries()
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	for _, name := range only {
		at := slices.Index(names, name)
		if of, _, found := strings.Cut(name, ":"); at < 0 && found { // as a study has it
			at = slices.Index(names, of+":CLASS")
		}
		if at < 0 {
			return chosen, usagef("no %q among the %s%s", name, t.name, config.DidYouMean(name, names))
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
		fmt.Fprintf(out, "    its keys: copse explain %s\n", e.keys)
	}
	for _, p := range e.params {
		allowed := p.Type
		if p.Allowed() != "" {
			allowed += ", " + p.Allowed()
		}
		fmt.Fprintf(out, "    %s = %s  (%s)\n", p.Name, p.Default, allowed)
		if p.Doc != "" {
			fmt.Fprintf(out, "        %s\n", p.Doc)
		}
	}
}

// programEntries are what a study can name beside the registry: the entries whose
// keys, below the given one, are none of it.
func programEntries(at string, registered []entry) []entry {
	k, err := findKey(at)
	if err != nil {
		panic(err) // the caller's key
	}
	for _, below := range k.Keys {
		if !slices.ContainsFunc(registered, func(e entry) bool { return e.name == below.Name }) {
			registered = append(registered, entry{name: below.Name, summary: below.Doc, keys: at + "." + below.Name})
		}
	}
	return registered
}

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
	return programEntries("classifiers", list)
}

func generatorEntries() []entry {
	var list []entry
	for _, s := range generators.Registry {
		list = append(list, entry{name: s.Name, summary: s.Summary, source: s.Source, params: config.KeysOf(s.New())})
	}
	return programEntries("data.generator", list)
}

func metricEntries() []entry {
	var list []entry
	for i, name := range metrics.Names() {
		m := metrics.Registry[i]
		direction := "smaller is better"
		if m.Higher {
			direction = "larger is better"
		}
		unit := m.Unit
		if unit != "" {
			unit = " " + unit
		}
		list = append(list, entry{name: name, summary: m.Label,
			limits: fmt.Sprintf("in [%.4g, %.4g]%s, %s; from the %s", m.Low, m.High, unit, direction, m.Needs),
			source: m.Source})
	}
	return list
}

func testEntries() []entry {
	var list []entry
	for _, t := range stats.AllTests() {
		list = append(list, entry{name: t.Name, summary: fmt.Sprintf("%s, for %s differences", t.Label, t.Designs[0]),
			limits: "assumes " + t.Assumption, source: t.Source})
	}
	return list
}

func tableEntries() []entry {
	return []entry{
		{name: "results", summary: "a metric in every cell: mean and spread of each classifier, the best in bold",
			keys: "report.tables"},
		{name: "monte-carlo", summary: "Monte-Carlo standard errors of the means",
			limits: "in report.html, below each table with replicates", keys: "report.tables.spread"},
		{name: "effects", summary: "each classifier against the best of its row: effect size, interval, p",
			limits: "in report.html, below each table with tests", keys: "inference"},
		{name: "published", summary: "published numbers beside ours: agreement, differences, who is best, verdicts",
			limits: "one set of them for each published table", keys: "published"},
	}
}

func figureEntries() []entry {
	var list []entry
	o := figure.Defaults()
	for _, k := range figure.Kinds {
		read := slices.DeleteFunc(config.KeysOf(&o), func(key config.Key) bool { return !k.Reads(key.Name) })
		list = append(list, entry{name: k.Name, summary: k.Summary, keys: "report.figures", params: read})
	}
	return list
}

// listStudies names the study files below configs/.
func listStudies(out io.Writer, asJSON bool) error {
	entries, err := os.ReadDir("configs")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".yaml") {
			files = append(files, filepath.Join("configs", e.Name()))
		}
	}
	if len(files) == 0 {
		return usagef("no configs/*.yaml here; run copse in the project's folder")
	}
	for _, file := range files {
		s, err := study.Load(file)
		switch {
		case asJSON && err != nil:
			linesTo(out).fail(err)
			continue
		case asJSON:
			linesTo(out).study(s, "")
			continue
		case err != nil:
			fmt.Fprintf(out, "%s\n    cannot be read: %v\n", file, err)
			continue
		}
		fmt.Fprintf(out, "%s\n    %s\n    %s x %s, %s\n", file, s.Title, view.Plural(len(s.Cells), "cell", "cells"),
			view.Plural(s.Replicates, "replicate", "replicates"),
			view.Plural(len(s.ClassifierIDs()), "classifier", "classifiers"))
		if s.Source != "" {
			fmt.Fprintf(out, "    source: %s\n", s.Source)
		}
	}
	return nil
}
