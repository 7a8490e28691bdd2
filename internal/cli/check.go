package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/reported"
	"copse/report"
	"copse/report/view"
	"copse/stats/records"
)

func newCheck() *cobra.Command {
	var flags studyFlags
	var budget time.Duration
	var details bool
	cmd := &cobra.Command{
		Use:   "check CONFIG...",
		Short: "Show the expanded design, what would run and why, and its cost; write nothing",
		Long: `Check reads a study and prints its cells with the results to run, why they would
run, and what it would cost: by the times of earlier runs, by trial fits of a few seconds
where there are none, and by what follows from both for other rows and columns. --details
adds the data and the recipes of every cell. Check writes nothing and starts no program
that the study names: it looks for their interpreters in PATH and for their files. copse
try starts them and checks their packages.`,
		Example: `  copse check configs/quickstart.yaml
  copse check configs/quickstart.yaml --replicates 100 --details`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range args {
				s, err := flags.load(cmd, file)
				if err != nil {
					return err
				}
				dir := resultsDir(s.Study, flags.out, len(args) > 1)
				if wantsJSON(cmd) {
					err = checkJSON(linesTo(cmd.OutOrStdout()), s, dir, budget)
				} else {
					err = check(cmd.OutOrStdout(), s, dir, budget, details)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	flags.add(cmd)
	addJSON(cmd)
	cmd.Flags().BoolVar(&details, "details", false, "print data, recipes and everything that would run")
	cmd.Flags().DurationVar(&budget, "pilot", 5*time.Second,
		"time to spend on trial fits for the cost, where earlier runs do not tell it; 0: none")
	return cmd
}

func check(out io.Writer, s *reported.Study, dir string, budget time.Duration, details bool) error {
	f, err := results.OpenFor(dir, s.Study)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "study %s: %s x %s, seed %d, results in %s\n", s.Name, view.Plural(len(s.Cells), "cell", "cells"),
		view.Plural(s.Replicates, "replicate", "replicates"), s.Seed, dir)
	p := run.NewPlan(f, false)
	missing, _ := cellCounts(p, nil)
	printGrid(out, s.Study, "results to run", missing)
	printReading(out, s.Study)
	printLabels(out, s.Study, s.Layout)
	for _, remark := range s.Remarks() {
		fmt.Fprintln(out, "remark:", remark)
	}
	fmt.Fprintln(out, "classifiers:", strings.Join(s.ClassifierIDs(), ", "))
	for _, w := range f.Warnings {
		fmt.Fprintln(out, "warning:", w)
	}
	if err := s.FindPrograms(); err != nil {
		return err
	}
	printPrograms(out, s.Study)
	for _, note := range f.Select().Notes {
		fmt.Fprintln(out, "note:", note)
	}
	fmt.Fprintf(out, "to run: %s in %s", view.Plural(p.Rows, "result", "results"),
		view.Plural(len(p.Tasks), "trial", "trials"))
	if p.Done > 0 {
		fmt.Fprintf(out, "; %d already done, %d of them failed", p.Done, p.Failed)
	}
	fmt.Fprintln(out)
	for _, line := range p.ReasonLines() {
		fmt.Fprintln(out, "  "+line)
	}
	if details {
		printDetails(out, s.Study, p)
	}
	if len(p.Tasks) == 0 {
		return nil
	}
	printMemory(out, s.Study, run.Memory(p))
	if budget > 0 || p.Known {
		e := p.Estimate(s.Study, budget)
		printFailedFits(out, s.Study, e.Failures)
		printCost(out, e)
	}
	return nil
}

// printFailedFits prints the fits of the pilot that failed, each with a remedy.
func printFailedFits(out io.Writer, s *study.Study, failures []run.FailedFit) {
	for _, f := range failures {
		where := ""
		if levels := s.Describe(f.Cell); levels != "" {
			where = " at " + levels
		}
		fmt.Fprintf(out, "pilot: %s failed%s: %s\n  %s\n", f.ID, where, f.Message, remedyOf(f.Message))
	}
}

// remedyOf returns what helps against the reason of a failed fit.
func remedyOf(message string) string {
	for _, known := range [][2]string{
		{"missing value", "prepare: [{impute: median}]"},
		{"is discrete", "prepare: [{encode: onehot}]"},
		{"at most 2 classes", "multiclass: ovo"},
		{"time limit", "a longer time_limit"},
	} {
		if strings.Contains(message, known[0]) {
			return known[1] + ", or only: to limit it to other cells"
		}
	}
	return "only: limits it to other cells; inference.failures decides how reports count failed fits"
}

// printCost says what a plan will take and how that is known.
func printCost(out io.Writer, e *run.Estimate) {
	whole := e.Seconds()
	if whole == 0 {
		return
	}
	var parts []string
	part := func(seconds float64, how string) {
		const worthTelling = 0.005 // of the whole
		switch share := seconds / whole; {
		case share > 1-worthTelling:
			parts = []string{how}
		case share > worthTelling:
			parts = append(parts, aboutSeconds(seconds)+" "+how)
		}
	}
	part(e.Measured, "from measured times")
	part(e.Tried, "from trial fits")
	part(e.Extrapolated, "extrapolated to other rows and columns")
	fmt.Fprintf(out, "cost: %s on one core, %s", aboutSeconds(whole), strings.Join(parts, ", "))
	if e.Fits > 0 {
		fmt.Fprintf(out, " (pilot: %s in %s)",
			view.Plural(e.Fits, "fit", "fits"), view.Plural(e.Cells, "cell", "cells"))
	}
	fmt.Fprintln(out)
	if len(e.CutOff) > 0 {
		fmt.Fprintf(out, "cost: perhaps more, since the pilot cut off fits of %s; try a longer --pilot\n",
			strings.Join(e.CutOff, ", "))
	}
	if len(e.Unknown) > 0 {
		fmt.Fprintf(out, "cost: not included, since no times are known: %s\n", strings.Join(e.Unknown, ", "))
	}
}

// printMemory prints what the most demanding trial is expected to hold.
func printMemory(out io.Writer, s *study.Study, most run.Demand) {
	if most.Bytes == 0 {
		return
	}
	how := "estimated"
	if most.Measured {
		how = "as measured"
	}
	where := most.Entry.ID
	if levels := s.Describe(most.Cell); levels != "" {
		where += " at " + levels
	}
	fmt.Fprintf(out, "memory: %s per worker for the largest trial (%s), %s, plus the garbage collector's share; "+
		"--memory caps it\n", config.FormatBytes(most.Bytes), where, how)
}

func printCells(out io.Writer, s *study.Study) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "  cell")
	for _, f := range s.Factors {
		fmt.Fprint(w, "\t", f.Name)
	}
	fmt.Fprintln(w, "\tdata")
	for _, c := range s.Cells {
		fmt.Fprint(w, "  ", c.ID)
		for _, l := range c.Levels.In(records.FactorNames(s.Factors)) {
			if l == "" {
				l = "-"
			}
			fmt.Fprint(w, "\t", l)
		}
		fmt.Fprintln(w, "\t"+c.Content())
	}
	w.Flush()
}

// printReading tells how files of the user's own were read, each way once.
func printReading(out io.Writer, s *study.Study) {
	told := map[*data.File]bool{}
	for _, c := range s.Cells {
		lines := c.Data.AsRead()
		if lines == nil || told[c.Data.File] {
			continue
		}
		if len(told) == 0 {
			fmt.Fprintln(out, "read from files:")
		}
		told[c.Data.File] = true
		for _, line := range lines {
			fmt.Fprintln(out, "  "+line)
		}
	}
}

// printRecipes lists the recipes of each classifier, of which there are several where
// factors vary its parameters.
func printRecipes(out io.Writer, s *study.Study) {
	const most = 8
	specs := recipes(s)
	for _, id := range s.ClassifierIDs() {
		list := specs[id]
		for i, spec := range list[:min(len(list), most)] {
			if i > 0 {
				id = ""
			}
			fmt.Fprintf(out, "  %-14s %s\n", id, spec)
		}
		if len(list) > most {
			fmt.Fprintf(out, "  %-14s and %d more\n", "", len(list)-most)
		}
	}
}

// recipes lists the different recipes of each classifier, by id, in the order of the cells.
func recipes(s *study.Study) map[string][]string {
	specs := map[string][]string{}
	listed := map[[2]string]bool{}
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if recipe := [2]string{e.ID, e.Spec}; !listed[recipe] {
				listed[recipe] = true
				specs[e.ID] = append(specs[e.ID], e.Spec)
			}
		}
	}
	return specs
}

// printLabels remarks on words for levels that the study does not have: mistyped, or
// taken away with --set.
func printLabels(out io.Writer, s *study.Study, layout report.Layout) {
	levels := map[string][]string{}
	for _, f := range s.Factors {
		levels[f.Name] = f.Levels
	}
	for _, key := range slices.Sorted(maps.Keys(layout.Labels)) {
		if factor, level, ok := strings.Cut(key, "="); ok && !slices.Contains(levels[factor], level) {
			fmt.Fprintf(out, "remark: %s is left out, since %s has no level %q here%s\n", "report.labels."+key, factor,
				level, config.DidYouMean(level, levels[factor]))
		}
	}
}

// printDetails prints the data of each cell, the recipe of each classifier, and the keys of
// all results to run.
func printDetails(out io.Writer, s *study.Study, p *run.Plan) {
	fmt.Fprintln(out, "data:")
	printCells(out, s)
	fmt.Fprintln(out, "recipes:")
	printRecipes(out, s)
	fmt.Fprintln(out, "results to run:")
	for _, g := range p.Gaps {
		reason, _, _ := strings.Cut(g.Reason, ":")
		fmt.Fprintf(out, "  %s/%s: %s (%s)\n", g.Cell.ID, records.Ranges(g.Replicates), strings.Join(g.IDs, " "),
			strings.TrimPrefix(s.Describe(g.Cell)+"; "+reason, "; "))
	}
}

// printPrograms prints which programs of a study were found, and the command that tries them.
func printPrograms(out io.Writer, s *study.Study) {
	var names []string
	next := ""
	for _, p := range s.Programs() {
		if !slices.Contains(names, p.Command[0]) {
			names = append(names, p.Command[0])
		}
		if p.Kind != external.CSVGenerator {
			next = fmt.Sprintf("; copse try %s starts them and checks their packages", cluster.Word(s.File))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(out, "programs: %s and all files are here, nothing was started%s\n", strings.Join(names, ", "),
			next)
	}
}
