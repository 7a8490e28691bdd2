package cli

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/reported"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// newStatus returns the command copse status.
func newStatus() *cobra.Command {
	var precision float64
	var metricName string
	var details bool
	cmd := &cobra.Command{
		Use:        "status RESULTS...",
		SuggestFor: []string{"watch", "progress"},
		Short:      "Show how many results are done, missing or failed, and the time left",
		Long: `Status reads the journals of a results folder, written by one process or by
many shards. It prints how many results of each cell are done, missing and
failed, and the time left. It changes nothing. To repeat it while a study runs,
use: watch copse status RESULTS. The exit code is 1 when results are missing or
failed.

--precision prints the number of replicates per cell at which every mean
difference between two classifiers has a Monte-Carlo standard error of at most
this value. The differences are in error (0.002: 0.2 percentage points) or in
the stored metric that --metric names. The number allows for the share of fits
that failed, or for which the metric is undefined. In a cell, a classifier that
the tables set aside, because too many of its fits failed, does not count. It
also prints which pair needs the most. copse run --replicates then extends the
study.

Status checks the checksum of every line of the journals. It reads records.csv
only where the journals are missing or incomplete, and then checks its SHA-256.
copse verify checks everything else in the folder.`,
		Example: `  copse status results/quickstart`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			isValid := precision > 0 && !math.IsInf(precision, 1) // false for NaN
			if !isValid && cmd.Flags().Changed("precision") {
				return usageErrorf("--precision %v: give a positive standard error, such as 0.002", precision)
			}
			metric, err := metrics.Lookup(metricName)
			if err != nil {
				return usageErrorf("--metric: %v", err)
			}
			wanted := run.Precision{Metric: metric, MCSE: precision}
			out := cmd.OutOrStdout()
			complete := true
			for _, dir := range args {
				f, err := openFolder(dir)
				if err != nil {
					return err
				}
				if precision > 0 {
					if wanted.SetAside, err = setAside(f); err != nil {
						return err
					}
				}
				p := run.NewPlan(f)
				complete = complete && p.Missing == 0 && p.Failed == 0
				if wantsJSON(cmd) {
					writeStatusLines(out, p, wanted)
				} else if err := printStatus(out, p, wanted, details); err != nil {
					return err
				}
			}
			if !complete {
				return errAlreadyPrinted
			}
			return nil
		},
	}
	addJSONFlag(cmd)
	cmd.Flags().BoolVar(&details, "details", false, "print all cells, including complete ones")
	cmd.Flags().Float64Var(&precision, "precision", 0,
		"print how many replicates are needed to reduce the Monte-Carlo standard error of each difference to this "+
			"value, such as 0.002")
	cmd.Flags().StringVar(&metricName, "metric", metrics.ErrorRate.Name, "metric of the differences for --precision")
	return cmd
}

// setAside returns the proportion of failed fits in a cell above which the tables of a study do not compare a
// classifier. It is 1 if tables replace failed fits by other results.
func setAside(f *results.Folder) (float64, error) {
	s, err := reported.Sections(f.Study)
	if err != nil {
		return 0, err
	}
	inference := &s.Layout.Inference
	if inference.ReplacesFailures() {
		return 1, nil
	}
	return inference.MaxFailureRate, nil
}

// printStatus prints which results of a plan are done, missing or failed, and how to continue. If
// wanted.MCSE is positive, it also prints how many replicates reach this standard error.
func printStatus(out io.Writer, p *run.Plan, wanted run.Precision, details bool) error {
	f, s, missing := p.Folder, p.Folder.Study, p.Missing
	printMessages(out, "warning", f.Warnings)
	selected := f.Select() // the stored results that belong to the study
	failures := selected.Failures()
	fmt.Fprintf(out, "study %s: %d results done, %d missing, %d failed\n", s.Name, p.Done, missing, p.Failed)
	printStates(out, s, countResults(p, failures), details)
	printFailures(out, f.Dir, failures)
	printMessages(out, "note", selected.Notes)
	if f.Repeated > 0 {
		fmt.Fprintf(out, "note: %s stored more than once with equal values, "+
			"because a task ran twice, a metric or predictions were added, or a journal was copied\n",
			view.Plural(f.Repeated, "result was", "results were"))
	}
	if missing > 0 {
		if err := printNextRuns(out, p); err != nil {
			return err
		}
	}
	printTimeLeft(out, p)
	if wanted.MCSE > 0 {
		printNeeded(out, f, wanted)
	}
	return nil
}

// printStates prints a table with the numbers of done, missing and failed results in each cell.
// Unless all is true, it only counts complete cells without failures.
func printStates(out io.Writer, s *study.Study, results map[string]*counts, all bool) {
	shown := slices.DeleteFunc(slices.Clone(s.Cells), func(c *study.Cell) bool {
		return !all && results[c.ID].missing == 0 && results[c.ID].failed == 0
	})
	if len(shown) > 0 {
		w := newTable(out, tabwriter.AlignRight)
		fmt.Fprintln(w, "cell\tdone\tmissing\tfailed\t  levels")
		for _, c := range shown {
			n := results[c.ID]
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t  %s\n", c.ID, n.done, n.missing, n.failed, s.Describe(c))
		}
		w.Flush()
	}
	if complete := len(s.Cells) - len(shown); complete > 0 {
		fmt.Fprintf(out, "%s complete, without failures\n", view.Plural(complete, "cell is", "cells are"))
	}
}

// printNeeded prints how many replicates per cell the study needs for a precision, and which pair of
// classifiers needs the most.
func printNeeded(out io.Writer, f *results.Folder, wanted run.Precision) {
	need, known := run.NeededReplicates(f, wanted)
	fmt.Fprintf(out, "replicates for a standard error of %v (%s): ", wanted.MCSE, wanted.Metric.Name)
	if !known {
		fmt.Fprintln(out, neededUnknown(f.Study, wanted.Metric))
		return
	}
	fmt.Fprintf(out, "about %d per cell, or %d if the standard deviation is at its upper 95%% confidence bound\n",
		need.Replicates, need.Bound)
	where := "" // a study without factors has a single cell
	if levels := f.Study.Describe(need.Cell); levels != "" {
		where = ", in the cell " + levels
	}
	fmt.Fprintf(out, "the difference between %s needs the most replicates%s\n",
		strings.Join(need.Classifiers[:], " and "), where)
}

// neededUnknown states why the number of needed replicates is unknown.
func neededUnknown(s *study.Study, metric *metrics.Metric) string {
	isDrawn := func(c *study.Cell) bool { return !c.Data.FromFiles() }
	if !slices.ContainsFunc(s.Cells, isDrawn) {
		return "unknown, because the folds or splits of a data set are not independent"
	}
	reason := "unknown; first run at least two independent replicates of a cell in which two classifiers " +
		"other than the oracle succeed"
	if metric.NeedsRows() {
		reason += fmt.Sprintf(" and return what %s needs; list %[1]s under `metrics`, so that copse stores it",
			metric.Name)
	}
	return reason
}

// printTimeLeft prints how long the missing results will take or, if this is unknown, the
// classifiers that no run has timed. It prints nothing if no results are missing, or if none are
// stored.
func printTimeLeft(out io.Writer, p *run.Plan) {
	switch {
	case p.AllTimed:
		fmt.Fprintf(out, "time left: %s on one core\n", aboutSeconds(p.Seconds))
	case p.Missing > 0 && p.Done > 0: // results are missing and some are stored
		fmt.Fprintf(out, "time left: unknown, because no run has timed %s; run `copse check` for an estimate\n",
			strings.Join(p.Untimed, ", "))
	}
}

// printNextRuns prints the command that computes the missing results here and, if the folder
// contains journals of several shards, the command for Slurm.
func printNextRuns(out io.Writer, p *run.Plan) error {
	dir := p.Folder.Dir
	study := cluster.ShellWord(filepath.Join(dir, folder.Study)) // without --out, results go to dir
	fmt.Fprintf(out, "to continue here: copse run %s\n", study)
	count, err := results.ShardCount(dir)
	if err != nil || count == 1 {
		return err
	}
	missing := p.MissingShards(count)
	fmt.Fprintf(out, "%d of %d shards lack results: %s\n", len(missing), count, records.Ranges(missing))
	fmt.Fprintf(out, "to continue with Slurm: copse submit slurm %s --tasks %d\n", study, count)
	return nil
}
