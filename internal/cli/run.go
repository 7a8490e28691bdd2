package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats/records"
)

// newRun returns the command copse run.
func newRun() *cobra.Command {
	var flags studyFlags
	var shard, memory string
	var runCommands bool
	var format formatFlag
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "run CONFIG...",
		Short: "Compute the missing results of a study, then write records, tables and figures",
		Long: `Run draws the data of every cell and replicate, runs the classifiers and writes
records, tables and figures to results/STUDY/. If CONFIG is the study.yaml of a
results folder, they go to this folder. run skips results that are already
stored: repeat the command after any interruption, or extend a study in place
with --set or --replicates.

The records contain the results of the study as it is now. Results for other
levels, settings or replicates stay in the journals and are never deleted. run
lists them, and they return to the records when the study contains them again.

Under a memory limit, run first runs the longest trial alone. The memory of this
trial determines how many trials run at the same time. If the system kills the
process for lack of memory, no finished trial is lost: repeat the command with a
smaller -j.

The first Ctrl-C lets running trials finish (exit code 3); the second stops at
once.`,
		Example: `  copse run configs/quickstart.yaml
  copse run configs/quickstart.yaml --set design.n=200,800 --out results/sizes
  copse run configs/jmlr2020-table1.yaml --shard 3/8`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if shard != "" { // "" means the whole study
				if o.Shard, err = run.ParseShard(shard); err != nil {
					return usageError{err}
				}
			}
			if o.Steal && shard == "" {
				return usageErrorf("--steal: needs `--shard K/N`, the shard that this process runs first")
			}
			if err := checkWorkers(cmd, &o); err != nil {
				return err
			}
			if o.Memory, err = memoryCeiling(memory); err != nil {
				return err
			}
			o.Overrides = flags.assignments(cmd)
			var studies []*study.Study
			for _, file := range args {
				s, err := flags.load(cmd, file)
				if err != nil {
					return err
				}
				studies = append(studies, s.Study)
			}
			for _, s := range studies {
				if err := requireConsent(s.Programs(), s.Folder(), runCommands); err != nil {
					return err
				}
				external.Approve(s.Programs()...) // recipes may share a process, which starts once
			}
			return runStudies(cmd, studies, o, flags.out, format.name)
		},
	}
	flags.add(cmd)
	format.add(cmd, "format of the printed table: text or markdown", "text", "markdown")
	addJSONFlag(cmd)
	addConsentFlag(cmd, &runCommands)
	addWorkers(cmd, &o)
	flagSet := cmd.Flags()
	flagSet.StringVar(&memory, "memory", "", "memory limit of the process, such as 2GB; 0 means no limit "+
		"(default: GOMEMLIMIT, or the limit set by Slurm or the control group)")
	flagSet.StringVar(&shard, "shard", "",
		"K/N: divide the trials into N shards and run shard K; copse report collects the results")
	flagSet.BoolVar(&o.Steal, "steal", false,
		"with --shard: after this shard, run those trials of other shards that no process has started")
	flagSet.StringVar(&o.Writer, "writer", "",
		"name of this process's journal, such as a job number; needed if several processes run the same shard")
	flagSet.BoolVar(&o.FailFast, "fail-fast", false, "stop at the first failed fit")
	addAcceptChange(cmd, &o.AcceptChange)
	flagSet.BoolVar(&o.RetryFailed, "retry-failed", false, "run failed fits again")
	return cmd
}

// addWorkers adds the flag --jobs, which sets how many trials run in parallel.
func addWorkers(cmd *cobra.Command, o *run.Options) {
	cmd.Flags().IntVarP(&o.Workers, "jobs", "j", 0, "number of parallel trials (default: number of cores)")
}

// checkWorkers returns an error if --jobs is not positive, or if --writer is not valid in a file
// name.
func checkWorkers(cmd *cobra.Command, o *run.Options) error {
	if o.Workers < 0 || cmd.Flags().Changed("jobs") && o.Workers == 0 {
		return usageErrorf("--jobs %d: the number of parallel trials must be positive", o.Workers)
	}
	if o.Writer != "" && !config.ValidName(o.Writer) {
		return usageErrorf("--writer %q: %s", o.Writer, config.NameRule)
	}
	return nil
}

// A partialFailure means that a study finished and has a report, but some fits failed, or some parts
// of the report could not be drawn.
type partialFailure struct{ error }

func isPartialFailure(err error) bool {
	return errors.As(err, new(partialFailure))
}

// eachOf calls do with 0 to n-1. It continues after a partial failure, but stops at any other
// error. The result joins all errors. It is a partial failure only if all of them are.
func eachOf(n int, do func(i int) error) error {
	var partial error
	for i := range n {
		err := do(i)
		switch {
		case isPartialFailure(err):
			partial = errors.Join(partial, err)
		case err != nil && partial != nil:
			return fmt.Errorf("%v\n%w", partial, err) // %v because the result is not a partial failure
		case err != nil:
			return err
		}
	}
	return partial
}

// runStudies runs studies one after another, as eachOf does. out is the value of --out.
func runStudies(cmd *cobra.Command, studies []*study.Study, o run.Options, out string, format string) error {
	drain, stop := drainOnSignal(cmd.ErrOrStderr())
	defer stop()
	return eachOf(len(studies), func(i int) error {
		o.Dir = resultsDir(studies[i], out, len(studies))
		return runStudy(drain, cmd, studies[i], o, format)
	})
}

// runStudy computes the missing results of a study or shard. It then writes the report or, for a
// shard, prints the commands that complete the study. If drain is cancelled, it finishes the running
// trials and stops.
func runStudy(drain context.Context, cmd *cobra.Command, s *study.Study, o run.Options, format string) error {
	out, messages := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if wantsJSON(cmd) {
		writeStudyLine(out, s, o.Dir)
		o.Progress = &lineProgress{tally: tally{study: s.Name}, out: out}
		out = io.Discard // only JSON lines may appear on standard output
	} else {
		o.Progress = newProgress(cmd, s.Name)
	}
	if trials := len(s.Cells) * s.Replicates; o.Shard.Count > trials { // the study may have shrunk
		fmt.Fprintf(messages, "warning: %s has only %s, so some of the %d shards have nothing to run\n", s.Name,
			view.Plural(trials, "trial", "trials"), o.Shard.Count)
	}
	printMessages(messages, "remark", s.DataRemarks())
	plan, err := run.Run(context.Background(), drain.Done(), s, o)
	if err != nil {
		return err
	}
	if len(plan.Tasks) == 0 {
		fmt.Fprintf(messages, "%s: nothing to run, all %d results are in %s\n", s.Name, plan.Done, o.Dir)
	}
	if o.Shard.Count > 1 {
		printNextShards(messages, plan.Folder, o)
		return nil
	}
	if len(plan.Tasks) == 0 && plan.Folder.HasCurrentReport() {
		fmt.Fprintf(out, "the report in %s is up to date; `copse report %s` prints it\n", o.Dir,
			cluster.ShellWord(o.Dir))
		return endRun(cmd, s, o.Dir, plan.Folder.Select().Failures(), nil)
	}
	return reportRun(drain, cmd, out, plan.Folder, o, format)
}

// reportRun writes the report of a run that has finished, and prints it to out. If no results are
// missing, it stores a receipt, so that the next run need not draw the report again. If fits failed
// or parts of the report could not be drawn, it returns partial failures.
func reportRun(
	drain context.Context, cmd *cobra.Command, out io.Writer, f *results.Folder, o run.Options, format string,
) error {
	left := run.NewPlan(f) // includes results that other processes are still computing
	var failed []records.Record
	var notes []string
	err := run.UnlessDrained(drain.Done(), o.Progress, makingReport, func() (err error) {
		failed, notes, err = reportStudy(out, f, format)
		return err
	})
	if err != nil && !isPartialFailure(err) { // there is no report
		return err
	}
	if err == nil && left.Missing == 0 && len(notes) == 0 { // without a receipt, the next run prints the notes again
		writeReceipt(cmd.ErrOrStderr(), f)
	}
	failedFits := endRun(cmd, f.Study, o.Dir, failed, notes)
	return errors.Join(failedFits, err) // err names parts of the report that could not be drawn
}

// writeReceipt stores the receipt of a report, and prints a note if that fails.
func writeReceipt(messages io.Writer, f *results.Folder) {
	if err := f.WriteReceipt(); err != nil {
		fmt.Fprintf(messages, "note: copse could not record that this report is complete, so the next run "+
			"will draw it again: %v\n", err)
	}
}

// endRun writes the last JSON line of a study, with the notes on its records. It returns a
// partialFailure if there are failed results.
func endRun(cmd *cobra.Command, s *study.Study, dir string, failed []records.Record, notes []string) error {
	if wantsJSON(cmd) {
		writeLine(cmd.OutOrStdout(), reportLine{Study: s.Name, Folder: dir, Failed: len(failed), Notes: notes})
	}
	if len(failed) == 0 {
		return nil
	}
	return partialFailure{fmt.Errorf("%s: %s failed; see the report or run `copse status %s`", s.Name,
		failedWords(failed), cluster.ShellWord(dir))}
}

// printNextShards prints which shards of a study still lack results, and the commands that complete
// the study.
func printNextShards(out io.Writer, f *results.Folder, o run.Options) {
	s := f.Study
	p := run.NewPlan(f) // what is still missing
	done := fmt.Sprintf("%s: shard %d/%d is done", s.Name, o.Shard.Index, o.Shard.Count)
	dir := cluster.ShellWord(o.Dir)
	missing := p.MissingShards(o.Shard.Count)
	if len(missing) == 0 {
		fmt.Fprintf(out, "%s, and all other shards are done, too\nnext: copse report %s\n", done, dir)
		return
	}
	fmt.Fprintf(out, "%s; these shards still lack %s: %s\n", done, view.Plural(p.Missing, "result", "results"),
		records.Ranges(missing))
	fmt.Fprintf(out, "to run the next shard here or on another machine: %s --out %s --shard %d/%d\n",
		cluster.RunCommand(s), dir, missing[0], o.Shard.Count)
	fmt.Fprintf(out, "finally, when all journals are in one folder: copse report %s\n", dir)
}

// memoryCeiling returns the memory limit of the process. flag is the value of --memory. If it is
// "", the limit comes from GOMEMLIMIT, Slurm or the control group.
func memoryCeiling(flag string) (run.MemoryCeiling, error) {
	if flag == "" {
		return run.FindMemoryCeiling(os.Getenv, os.DirFS("/"), debug.SetMemoryLimit(-1)), nil
	}
	n, err := config.ParseBytes(flag)
	if err != nil {
		return run.MemoryCeiling{}, usageErrorf("--memory: %w", err)
	}
	return run.MemoryCeiling{Bytes: n, Source: "--memory"}, nil
}

// drainOnSignal returns a context that is cancelled at the first SIGINT or SIGTERM. A second SIGINT
// stops the process at once. The returned function stops the handling of signals.
func drainOnSignal(errOut io.Writer) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ignored := make(chan os.Signal, 1)
	// Schedulers send several SIGTERMs, so a second one has no effect.
	signal.Notify(ignored, syscall.SIGTERM)
	unregister := context.AfterFunc(ctx, func() {
		stop()
		fmt.Fprintln(errOut, "copse: stopping when the running trials are finished; press Ctrl-C again to stop at once")
	})
	return ctx, func() { unregister(); stop(); signal.Stop(ignored) }
}
