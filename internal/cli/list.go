package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"copse/classifiers"
	"copse/experiments/study"
	"copse/generators"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/recipe"
)

func newList() *cobra.Command {
	return &cobra.Command{
		Use:       "list classifiers|generators|metrics|tests|studies [NAME...]",
		Short:     "List classifiers and generators with their parameters, defaults and sources, metrics, tests, or the studies",
		ValidArgs: []string{"classifiers", "generators", "metrics", "tests", "studies"},
		Example: `  copse list classifiers
  copse list classifiers slb`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, only := cmd.OutOrStdout(), args[1:]
			switch args[0] {
			case "classifiers":
				return listClassifiers(out, only)
			case "generators":
				return listGenerators(out, only)
			case "metrics":
				return listMetrics(out, only)
			case "tests":
				return listTests(out, only)
			case "studies":
				return listStudies(out)
			}
			return usagef("copse list %s: want classifiers, generators, metrics, tests or studies", args[0])
		},
	}
}

func listClassifiers(out io.Writer, only []string) error {
	if err := known(only, study.ClassifierNames()); err != nil {
		return err
	}
	for _, s := range classifiers.Registry {
		if wanted(s.Name, only) {
			limits := "any number of classes"
			if s.MaxClasses > 0 {
				limits = fmt.Sprintf("%d classes", s.MaxClasses)
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
			listEntry(out, s.Name, s.Summary+" ("+limits+")", s.Source, recipe.Params(s.New()))
		}
	}
	if wanted("oracle", only) {
		listEntry(out, "oracle", "the Bayes rule of a generator with known densities: its error is the floor of every table", "", nil)
	}
	return nil
}

func listGenerators(out io.Writer, only []string) error {
	if err := known(only, study.GeneratorNames()); err != nil {
		return err
	}
	for _, s := range generators.Registry {
		if wanted(s.Name, only) {
			listEntry(out, s.Name, s.Summary, s.Source, recipe.Params(s.New()))
		}
	}
	return nil
}

func listMetrics(out io.Writer, only []string) error {
	if err := known(only, metrics.Names()); err != nil {
		return err
	}
	for i, name := range metrics.Names() {
		if m := metrics.Registry[i]; wanted(name, only) {
			direction := "smaller is better"
			if m.Higher {
				direction = "larger is better"
			}
			unit := m.Unit
			if unit != "" {
				unit = " " + unit
			}
			listEntry(out, name, fmt.Sprintf("%s in [%.4g, %.4g]%s, %s; from the %s", m.Label, m.Low, m.High, unit, direction, m.Needs), m.Source, nil)
		}
	}
	return nil
}

func listTests(out io.Writer, only []string) error {
	var names []string
	for _, t := range stats.Tests {
		names = append(names, t.Name)
	}
	if err := known(only, names); err != nil {
		return err
	}
	for _, t := range stats.Tests {
		if wanted(t.Name, only) {
			listEntry(out, t.Name, fmt.Sprintf("%s, for %s differences; assumes %s", t.Label, t.Designs[0], t.Assumption), t.Source, nil)
		}
	}
	return nil
}

func listEntry(out io.Writer, name, summary, source string, params []recipe.Param) {
	fmt.Fprintf(out, "%s\n    %s\n", name, summary)
	if source != "" {
		fmt.Fprintf(out, "    source: %s\n", source)
	}
	for _, p := range params {
		allowed := p.Type
		if p.Allowed != "" {
			allowed += ", " + p.Allowed
		}
		fmt.Fprintf(out, "    %s = %s  (%s)\n", p.Name, p.Default, allowed)
		if p.Doc != "" {
			fmt.Fprintf(out, "        %s\n", p.Doc)
		}
	}
}

// listStudies names the study files below configs/.
func listStudies(out io.Writer) error {
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
		if err != nil {
			fmt.Fprintf(out, "%s\n    cannot be read: %v\n", file, err)
			continue
		}
		fmt.Fprintf(out, "%s\n    %s\n    %d cells x %s replicates, %d classifiers\n", file, s.Title, len(s.Cells), replicatesOf(s), len(s.ClassifierIDs()))
		if s.Source != "" {
			fmt.Fprintf(out, "    source: %s\n", s.Source)
		}
	}
	return nil
}

func wanted(name string, only []string) bool {
	for _, o := range only {
		if o == name {
			return true
		}
	}
	return len(only) == 0
}

func known(only, names []string) error {
	for _, o := range only {
		if !wanted(o, names) {
			return usagef("no %q; there are: %s", o, strings.Join(names, ", "))
		}
	}
	return nil
}
