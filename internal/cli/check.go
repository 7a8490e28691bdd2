package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
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
	"copse/report/view"
	"copse/stats/records"
)

// checkTime is the default total time for reading a study and running its trial fits. Trial fits
// always get at least leastPilot.
const (
	checkTime  = 5 * time.Second
	leastPilot = time.Second / 2
)

// newCheck returns the command copse check.
func newCheck() *cobra.Command {
	var flags studyFlags
	var pilot time.Duration
	var details bool
	cmd := &cobra.Command{
		Use:   "check CONFIG...",
		Short: "Check a study and show what would run, why, and at what cost",
		Long: `Check reads a study and prints its cells with the number of results to run,
the reasons to run them, and the expected memory and time. Times come from
earlier runs; without any, check times trial fits for a few seconds and
extrapolates to other numbers of rows and columns. --details adds all columns
and remarks on files, the data of every cell, the classifiers' parameters and
the list of results to run.

The exit code is 1 if every trial fit of a classifier failed, or if no data
could be drawn.

Check writes nothing and starts no program of the study: it looks for the
interpreters in PATH and for the files. copse try starts the programs and
checks their packages.`,
		Example: `  copse check configs/quickstart.yaml
  copse check configs/quickstart.yaml --replicates 100 --details`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if pilot < 0 {
				return usageErrorf("--pilot %v: the duration must not be negative", pilot)
			}
			out := cmd.OutOrStdout()
			foundProblem := false
			for _, file := range args {
				began, memoryBefore := time.Now(), processMemory()
				s, err := flags.load(cmd, file)
				if err != nil {
					return err
				}
				readingMemory := processMemory() - memoryBefore
				f, err := results.OpenFor(resultsDir(s.Study, flags.out, len(args)), s.Study)
				if err != nil {
					return err
				}
				if err := s.FindPrograms(s.Programs()); err != nil {
					return err
				}
				// Data that take long to read are large, so their trial fits get more time.
				pilotTime := func() time.Duration {
					if cmd.Flags().Changed("pilot") {
						return pilot
					}
					readingTime := time.Since(began)
					return max(leastPilot, checkTime-readingTime, readingTime/2)
				}
				if wantsJSON(cmd) {
					foundProblem = writeCheckLines(out, s, f, pilotTime) || foundProblem
				} else {
					foundProblem = printCheck(out, s, f, readingMemory, pilotTime, details) || foundProblem
				}
			}
			if foundProblem {
				return errAlreadyPrinted
			}
			return nil
		},
	}
	flags.add(cmd)
	addJSONFlag(cmd)
	cmd.Flags().BoolVar(&details, "details", false,
		"also print all columns, the data of each cell, the classifiers' parameters and all missing results")
	cmd.Flags().DurationVar(&pilot, "pilot", checkTime,
		"time for trial fits of classifiers that no run has timed; 0 skips these fits. The default includes the "+
			"time to read the study, but leaves at least 0.5s, or half of the reading time, for the fits")
	return cmd
}

// printCheck prints what a run of a study would do, which results the folder f lacks, and the cost
// of these results (see estimateCost). It reports whether a classifier, or drawing the
// data, failed in all cells.
// readingMemory is the memory for reading the study and its data, in bytes.
func printCheck(
	out io.Writer, s *reported.Study, f *results.Folder, readingMemory int64, pilotTime func() time.Duration,
	details bool,
) (foundProblem bool) {
	fmt.Fprintf(out, "study %s: %s x %s, seed %d, results in %s\n", s.Name, view.Plural(len(s.Cells), "cell", "cells"),
		view.Plural(s.Replicates, "replicate", "replicates"), s.Seed, f.Dir)
	p := run.NewPlan(f) // trials with missing results
	printGrid(out, s.Study, countResults(p, nil))
	columns := data.MaxListed
	if details {
		columns = math.MaxInt
	}
	printFilesRead(out, s.Study, columns)
	printMessages(out, "remark", remarks(s))
	fmt.Fprintln(out, "classifiers:", strings.Join(s.ClassifierIDs(), ", "))
	printMessages(out, "warning", f.Warnings)
	printPrograms(out, s.Study)
	printMessages(out, "note", f.Select().Notes)
	printToRun(out, p)
	if details {
		printDetails(out, s.Study, p)
	}
	printMemory(out, s.Study, run.Memory(p))
	if p.Missing > 0 {
		printReadingMemory(out, readingMemory)
	}
	estimate := estimateCost(p, pilotTime)
	if estimate == nil {
		return false
	}
	for _, f := range estimate.Failures {
		fmt.Fprintf(out, "pilot: %s\n  %s\n", describeFailedFit(s.Study, f), remedyOf(f))
	}
	printCost(out, estimate)
	return anyFailsEverywhere(estimate)
}

// estimateCost estimates the cost of the missing results. It returns nil if no result is missing, or
// if there are no trial fits and earlier runs have not timed every classifier. pilotTime is called just
// before the trial fits and returns their time limit; 0 means no trial fits.
func estimateCost(p *run.Plan, pilotTime func() time.Duration) *run.Estimate {
	if p.Missing == 0 {
		return nil
	}
	pilot := pilotTime()
	if pilot == 0 && !p.AllTimed {
		return nil
	}
	return p.Estimate(pilot)
}

// printMessages prints a line for each text, such as "remark: TEXT". The level is "remark",
// "warning" or "note".
func printMessages(out io.Writer, level string, texts []string) {
	for _, text := range texts {
		fmt.Fprintf(out, "%s: %s\n", level, text)
	}
}

// printToRun prints how many results are missing and why.
func printToRun(out io.Writer, p *run.Plan) {
	fmt.Fprintf(out, "to run: %s in %s", view.Plural(p.Missing, "result", "results"),
		view.Plural(len(p.Tasks), "trial", "trials"))
	if p.Done > 0 {
		fmt.Fprintf(out, "; %d are already done, %d of them failed", p.Done, p.Failed)
	}
	fmt.Fprintln(out)
	for _, line := range p.ReasonLines() {
		fmt.Fprintln(out, "  "+line)
	}
}

// describeFailedFit describes a trial fit that failed, as in "rf failed at n=40: MESSAGE", or a failure to draw
// the data.
func describeFailedFit(s *study.Study, f run.FailedFit) string {
	where := ""
	if levels := s.Describe(f.Cell); levels != "" {
		where = " at " + levels
	}
	if f.ID == run.Drawing {
		return fmt.Sprintf("drawing the data failed%s: %s", where, f.Message)
	}
	return fmt.Sprintf("%s failed%s: %s", f.ID, where, f.Message)
}

// anyFailsEverywhere reports whether some classifier, or drawing the data, failed in all cells.
func anyFailsEverywhere(e *run.Estimate) bool {
	return slices.ContainsFunc(e.Failures, func(f run.FailedFit) bool { return f.Everywhere })
}

// remedyOf suggests a change to the study that may prevent a failed fit. It infers the cause from
// the error message. The suggestion is general if the cause is unknown, or if the message already
// names the key that would help.
func remedyOf(f run.FailedFit) string {
	if f.ID == run.Drawing {
		return "without data, all fits of a trial fail; correct the section `data`"
	}
	const otherCells = "limit the classifier to other cells with `only: {FACTOR: LEVELS}`"
	remedies := []struct{ cause, key string }{
		{"missing value", "prepare: [{impute: median}]"},
		{"is discrete", "prepare: [{encode: dummy}]"},
		{"at most 2 classes", "multiclass: ovo"},
		{"time limit", "a longer time_limit"},
	}
	for _, r := range remedies {
		if !strings.Contains(f.Message, r.cause) || strings.Contains(f.Message, r.key) {
			continue // the remedy does not apply, or the message names it
		}
		if f.Everywhere {
			return "set " + r.key
		}
		return "set " + r.key + ", or " + otherCells
	}
	if f.Everywhere {
		return "every trial fit of this classifier failed; correct its parameters or the data"
	}
	return otherCells + "; the key inference.failures sets how reports count failed fits"
}

// printCost prints the expected processor time of the missing results, its sources and the
// classifiers that the estimate excludes.
func printCost(out io.Writer, e *run.Estimate) {
	if total := e.Seconds(); total > 0 {
		fmt.Fprintf(out, "cost: %s on one core, %s", aboutSeconds(total), strings.Join(costSources(e), ", "))
		if e.Fits > 0 {
			fmt.Fprintf(out, " (pilot: %s in %s)",
				view.Plural(e.Fits, "fit", "fits"), view.Plural(e.Cells, "cell", "cells"))
		}
		fmt.Fprintln(out)
	}
	if len(e.CutOff) > 0 {
		fmt.Fprintf(out, "cost: may be higher, because trial fits of %s took too long or were skipped; "+
			"try a longer `--pilot`\n", strings.Join(e.CutOff, ", "))
	}
	if len(e.Unknown) > 0 {
		fmt.Fprintf(out, "cost: unknown for these classifiers: %s; only built-in classifiers get trial fits; "+
			"try a longer `--pilot`\n", strings.Join(e.Unknown, ", "))
	}
}

// costSources lists the sources of an estimate with their times, such as "2s from trial fits". It
// omits sources with a negligible share. If only one source remains, it omits its time.
func costSources(e *run.Estimate) []string {
	const negligible = 0.005 // as a share of the total
	var list []string
	for _, part := range []struct {
		seconds float64
		source  string
	}{
		{e.Measured, "from measured times"},
		{e.Tried, "from trial fits"},
		{e.Extrapolated, "extrapolated from other numbers of rows and columns"},
	} {
		share := part.seconds / e.Seconds()
		if share > 1-negligible {
			return []string{part.source}
		}
		if share > negligible {
			list = append(list, aboutSeconds(part.seconds)+" "+part.source)
		}
	}
	return list
}

// printMemory prints the expected memory of the largest trial, if it is known.
func printMemory(out io.Writer, s *study.Study, most run.Demand) {
	if most.Bytes == 0 {
		return
	}
	source := "estimated"
	if most.Measured {
		source = "measured"
	}
	where := most.Entry.ID
	if levels := s.Describe(most.Cell); levels != "" {
		where += " at " + levels
	}
	fmt.Fprintf(out, "memory: %s per worker for the largest trial (%s; %s), plus garbage-collector overhead; "+
		"cap it with `--memory`\n", config.FormatBytes(most.Bytes), where, source)
}

// processMemory returns the memory that the process has obtained from the operating system, in bytes.
func processMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// printReadingMemory prints the memory for reading the study and its data, in bytes, if it is large.
func printReadingMemory(out io.Writer, bytes int64) {
	const large = 100 << 20
	if bytes > large {
		fmt.Fprintf(out, "memory: %s for reading the study and its data, once for all workers (measured)\n",
			config.FormatBytes(bytes))
	}
}

// printFilesRead prints how copse reads each CSV file of the study, with up to maxColumns columns of
// each kind. If the design reads a file in several ways, such as with different columns in drop, it
// prints each of them with the first cell that reads the file this way.
func printFilesRead(out io.Writer, s *study.Study, maxColumns int) {
	first := map[*data.File]*study.Cell{} // the first cell of each way to read files
	ways := map[string]int{}              // by names of the files
	for _, c := range s.Cells {
		if file := c.Data.File; first[file] == nil {
			first[file] = c
			ways[c.Data.Source()]++
		}
	}
	title := "read from files:"
	for _, c := range s.Cells {
		lines := c.Data.AsRead(maxColumns)
		if lines == nil || first[c.Data.File] != c {
			continue // the cell reads no CSV file, or an earlier cell reads it in the same way
		}
		if title != "" {
			fmt.Fprintln(out, title)
			title = ""
		}
		if ways[c.Data.Source()] > 1 {
			fmt.Fprintln(out, "  "+s.Describe(c)+":")
		}
		for _, line := range lines {
			fmt.Fprintln(out, "  "+line)
		}
	}
}

// remarks returns the remarks on a study, and a remark for each label in report.labels whose factor
// level is not in the design.
func remarks(s *reported.Study) []string {
	list := s.Remarks()
	levels := map[string][]string{}
	for _, f := range s.Factors {
		levels[f.Name] = f.Levels
	}
	for _, key := range slices.Sorted(maps.Keys(s.Layout.Labels)) {
		factor, level, ofLevel := strings.Cut(key, "=")
		if ofLevel && !slices.Contains(levels[factor], level) {
			list = append(list, fmt.Sprintf("report.labels.%s has no effect: the factor %s has no level %q%s",
				key, factor, level, config.DidYouMean(level, levels[factor])))
		}
	}
	return list
}

// printDetails prints the data of each cell, the recipes of each classifier, and which results are
// missing and why.
func printDetails(out io.Writer, s *study.Study, p *run.Plan) {
	fmt.Fprintln(out, "data:")
	printCells(out, s)
	fmt.Fprintln(out, "recipes:")
	printRecipes(out, s)
	if len(p.Gaps) > 0 {
		fmt.Fprintln(out, "results to run:")
	}
	for _, g := range p.Gaps {
		reason, _, _ := strings.Cut(g.Reason, ":")
		fmt.Fprintf(out, "  %s/%s: %s (%s)\n", g.Cell.ID, records.Ranges(g.Replicates), strings.Join(g.IDs, " "),
			strings.TrimPrefix(s.Describe(g.Cell)+"; "+reason, "; "))
	}
}

// printCells prints a table with the id, the factor levels and the canonical description of the
// data of each cell.
func printCells(out io.Writer, s *study.Study) {
	w := newTable(out, 0)
	factors := records.FactorNames(s.Factors)
	fmt.Fprintf(w, "  %s\n", strings.Join(slices.Concat([]string{"cell"}, factors, []string{"data"}), "\t"))
	for _, c := range s.Cells {
		fmt.Fprint(w, "  ", c.ID)
		for _, level := range c.Levels.List(factors) {
			fmt.Fprint(w, "\t", cmp.Or(level, "-"))
		}
		fmt.Fprintln(w, "\t"+c.Content())
	}
	w.Flush()
}

// printRecipes prints up to eight recipes (names with parameters) for each classifier.
func printRecipes(out io.Writer, s *study.Study) {
	const most = 8
	byID := recipes(s)
	for _, id := range s.ClassifierIDs() {
		list := byID[id]
		for _, recipe := range list[:min(len(list), most)] {
			fmt.Fprintf(out, "  %-14s %s\n", id, recipe)
		}
		if len(list) > most {
			fmt.Fprintf(out, "  %-14s and %d more\n", id, len(list)-most)
		}
	}
}

// recipes maps the id of each classifier to its distinct recipes, in the order of the cells.
func recipes(s *study.Study) map[string][]string {
	byID := map[string][]string{}
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			byID[e.ID] = view.AddNew(byID[e.ID], e.Spec)
		}
	}
	return byID
}

// printPrograms prints the external commands of a study and how to test them. The commands must exist.
func printPrograms(out io.Writer, s *study.Study) {
	var commands, remarks []string
	advice := ""
	for _, p := range s.Programs() { // a program may occur with several values of its parameters
		commands = view.AddNew(commands, p.Command[0])
		// An argument such as method.R may name the file code/method.R without its folder.
		if argument, file := p.Misplaced(s.Folder()); file != "" {
			remark := fmt.Sprintf("in the key `command`, replace %q with the path %q", argument, file)
			remarks = view.AddNew(remarks, remark)
		}
		if p.Kind != external.CSVGenerator { // CSV generators do not state their packages
			advice = fmt.Sprintf("; run `copse try %s` to start them and check their packages",
				cluster.ShellWord(s.File))
		}
	}
	printMessages(out, "remark", remarks)
	if len(commands) > 0 {
		fmt.Fprintf(out, "programs: found %s and all listed files, but started no program%s\n",
			strings.Join(commands, ", "), advice)
	}
}
