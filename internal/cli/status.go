package cli

import (
	"fmt"
	"io"
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
	"copse/report/view"
	"copse/stats/records"
)

func newStatus() *cobra.Command {
	var precision float64
	var details bool
	cmd := &cobra.Command{
		Use:        "status RESULTS...",
		SuggestFor: []string{"watch", "progress"},
		Short:      "Show what is done, missing and failed in each cell, and the time left",
		Long: `Status reads the journals of a results folder, of one process or of many shards,
and prints what is done, missing and failed in each cell, and the time left. It changes
nothing; watch copse status RESULTS repeats it while a study runs. The exit code is 1
when results are missing or failed.

With --precision it prints how many replicates per cell bring the Monte-Carlo standard
error of every mean difference in error between two classifiers down to that share;
copse run --replicates then extends the study.

It holds every line of the journals to its checksum, and records.csv to the SHA-256
in manifest.json; its rows it reads where the journals are not those that gave them,
or not here. All else that can be wrong with a folder copse verify looks for.`,
		Example: `  copse status results/quickstart`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if precision < 0 {
				return usagef("--precision %v: give a share above 0, such as 0.002", precision)
			}
			complete := true
			for _, dir := range args {
				var done bool
				var err error
				if wantsJSON(cmd) {
					done, err = statusJSON(linesTo(cmd.OutOrStdout()), dir, precision)
				} else {
					done, err = status(cmd.OutOrStdout(), dir, precision, details)
				}
				if err != nil {
					return err
				}
				complete = complete && done
			}
			if !complete {
				return errFellShort
			}
			return nil
		},
	}
	addJSON(cmd)
	cmd.Flags().BoolVar(&details, "details", false, "print all cells, complete ones as well")
	cmd.Flags().Float64Var(&precision, "precision", 0,
		"Monte-Carlo standard error of a difference in error, such as 0.002: print the replicates that it needs")
	return cmd
}

// status prints one study's state and tells whether every result is there and
// none failed. With a precision above 0 it also prints the replicates that it needs.
func status(out io.Writer, dir string, precision float64, details bool) (bool, error) {
	f, err := openFolder(dir)
	if err != nil {
		return false, err
	}
	s := f.Study
	for _, w := range f.Warnings {
		fmt.Fprintln(out, "warning:", w)
	}
	plan := run.NewPlan(f, false)
	rows := f.Select()
	failures := rows.Failures()
	missing, failed := cellCounts(plan, failures)
	fmt.Fprintf(out, "study %s: %d results done, %d missing, %d failed\n", s.Name, plan.Done, plan.Rows, plan.Failed)
	printStates(out, s, missing, failed, details)
	printFailures(out, dir, failures)
	for _, note := range rows.Notes {
		fmt.Fprintln(out, "note:", note)
	}
	if f.Repeated > 0 {
		fmt.Fprintf(out, "note: %s came more than once, all equal: a task ran twice, or a journal was copied\n",
			view.Plural(f.Repeated, "result", "results"))
	}
	if err := printTopUp(out, dir, plan); err != nil {
		return false, err
	}
	printTimeLeft(out, plan)
	if precision > 0 {
		printNeeded(out, f, precision)
	}
	return plan.Rows == 0 && plan.Failed == 0, nil
}

// printStates prints what is done, missing and failed in each cell; unless all are asked
// for, complete cells are counted.
func printStates(out io.Writer, s *study.Study, missing, failed map[string]int, all bool) {
	isComplete := func(c *study.Cell) bool { return missing[c.ID]+failed[c.ID] == 0 && !all }
	shown := slices.DeleteFunc(slices.Clone(s.Cells), isComplete)
	if len(shown) > 0 {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "cell\tdone\tmissing\tfailed\t  levels")
		for _, c := range shown {
			done := s.Replicates*len(c.Classifiers) - missing[c.ID]
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t  %s\n", c.ID, done, missing[c.ID], failed[c.ID], s.Describe(c))
		}
		w.Flush()
	}
	if complete := len(s.Cells) - len(shown); complete > 0 {
		fmt.Fprintf(out, "%s complete, without failures\n", view.Plural(complete, "cell is", "cells are"))
	}
}

// cellCounts counts the missing and the failed results of each cell, by id.
func cellCounts(p *run.Plan, failures []records.Record) (missing, failed map[string]int) {
	missing, failed = map[string]int{}, map[string]int{}
	for _, t := range p.Tasks {
		missing[t.Cell.ID] += len(t.Entries)
	}
	for _, r := range failures {
		failed[r.Cell]++
	}
	return missing, failed
}

// printNeeded prints how many replicates per cell a precision needs.
func printNeeded(out io.Writer, f *results.Folder, precision float64) {
	need, ok := run.NeededReplicates(f, precision)
	if !ok {
		fmt.Fprintf(out, "replicates for a standard error of %v: not known; "+
			"no cell has two independent replicates in which two classifiers succeeded\n", precision)
		return
	}
	fmt.Fprintf(out, "replicates for a standard error of %v: about %d per cell, "+
		"up to %d by the upper 95%% bound of the standard deviation\n", precision, need.Replicates, need.Bound)
}

// printTimeLeft says what measured times tell of the time that a plan takes.
func printTimeLeft(out io.Writer, p *run.Plan) {
	switch {
	case p.Known:
		fmt.Fprintf(out, "time left: about %s on one core\n", aboutSeconds(p.Seconds))
	case p.Rows > 0 && p.Done > 0:
		fmt.Fprintf(out, "time left: not known, since there are no times of %s; copse check tries them\n",
			strings.Join(p.Untimed, ", "))
	}
}

// printTopUp names the commands that run what is missing.
func printTopUp(out io.Writer, from string, p *run.Plan) error {
	if p.Rows == 0 {
		return nil
	}
	config, dir := cluster.Word(filepath.Join(from, folder.Study)), cluster.Word(from)
	fmt.Fprintf(out, "to go on here: copse run %s --out %s\n", config, dir)
	count, err := results.ShardCount(from)
	if err != nil || count == 1 {
		return err
	}
	missing := p.MissingShards(count)
	fmt.Fprintf(out, "of %d shards, %d lack results: %s\n", count, len(missing), records.Ranges(missing))
	fmt.Fprintf(out, "to go on with these in Slurm: copse submit slurm %s --out %s --tasks %d\n", config, dir, count)
	return nil
}
