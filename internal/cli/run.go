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

func newRun() *cobra.Command {
	var flags studyFlags
	var shard, memory string
	var runCommands bool
	var format tableFormat
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "run CONFIG...",
		Short: "Run the missing results of a study, then write records, tables and figures",
		Long: `Run draws the data of every cell and replicate, runs the classifiers and writes
records, tables and figures to results/STUDY/. It skips results that are
already stored: repeat the command after any interruption, or extend a study
in place with --set or --replicates.

The records contain the results of the study as it is now. Results for other
levels or settings stay in the journals and are never deleted; run lists them,
and they return to the records when the study contains their levels again.

Under a memory limit run starts with the longest trial alone and derives from
its memory how many trials run at a time. If the system kills the process for
lack of memory, no finished trial is lost: repeat the command with a smaller -j.

The first Ctrl-C lets running trials finish (exit code 3); the second stops at
once.`,
		Example: `  copse run configs/quickstart.yaml
  copse run configs/quickstart.yaml --set design.n=200,800 --out results/sizes
  copse run configs/jmlr2020-table1.yaml --shard 3/8`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.Shard, err = parseShard(shard); err != nil {
				return usageError{err}
			}
			if o.Steal && shard == "" {
				return usagef("--steal: add --shard K/N, the part of this process")
			}
			if err := checkWorkers(cmd, &o); err != nil {
				return err
			}
			if o.Memory, err = memoryCeiling(memory); err != nil {
				return usageError{err}
			}
			o.Overrides = flags.assignments(cmd)
			studies, err := flags.loadAll(cmd, args)
			if err != nil {
				return err
			}
			for _, s := range studies {
				if err := consent(s.Programs(), s.Folder(), runCommands); err != nil {
					return err
				}
				external.Approve(s.Programs()...) // recipes may share a process, which starts once
			}
			return runStudies(cmd, studies, o, flags.out, format)
		},
	}
	flags.add(cmd)
	format.add(cmd)
	addJSON(cmd)
	addConsent(cmd, &runCommands)
	addWorkers(cmd, &o)
	cmd.Flags().StringVar(&memory, "memory", "", "memory limit of the process, such as 2GB; 0: no limit "+
		"(default: GOMEMLIMIT, or the limit of Slurm or the control group)")
	cmd.Flags().StringVar(&shard, "shard", "", "run part K of N of the trials: K/N; copse report collects the parts")
	cmd.Flags().BoolVar(&o.Steal, "steal", false,
		"with --shard: then run trials of other shards that no process has begun")
	cmd.Flags().StringVar(&o.Writer, "writer", "",
		"name of this process's journal, such as a job number, if several run the same shard")
	cmd.Flags().BoolVar(&o.FailFast, "fail-fast", false, "stop at the first failed fit")
	addAcceptChange(cmd, &o.AcceptChange)
	cmd.Flags().BoolVar(&o.RetryFailed, "retry-failed", false, "run failed fits again")
	return cmd
}

// parseShard reads the flag --shard, K/N; "" is the whole study.
func parseShard(text string) (run.Shard, error) {
	if text == "" {
		return run.Shard{}, nil
	}
	return run.ParseShard(text)
}

// addWorkers adds the flag --jobs, the number of parallel trials.
func addWorkers(cmd *cobra.Command, o *run.Options) {
	cmd.Flags().IntVarP(&o.Workers, "jobs", "j", 0, "number of parallel trials (default: number of cores)")
}

// checkWorkers returns an error if --jobs is given and below 1, or if the name of the writer cannot be
// part of a file name. Without --jobs, Workers is 0 and means the number of cores.
func checkWorkers(cmd *cobra.Command, o *run.Options) error {
	if o.Workers < 0 || cmd.Flags().Changed("jobs") && o.Workers == 0 {
		return usagef("--jobs %d: want 1 or more parallel trials", o.Workers)
	}
	if err := results.CheckWriter(o.Writer); err != nil {
		return usageError{err}
	}
	return nil
}

// A shortfall is the error of a study that ran to its end and has its report, although fits
// failed or parts of the report could not be drawn.
type shortfall struct{ error }

// isShortfall reports whether an error is a shortfall, or joins one with other errors.
func isShortfall(err error) bool {
	var s shortfall
	return errors.As(err, &s)
}

// runStudies runs several studies in turn. A shortfall of one does not keep the next from running.
func runStudies(cmd *cobra.Command, studies []*study.Study, o run.Options, out string, format tableFormat) error {
	messages := &screen{out: behind(cmd.ErrOrStderr())}
	drain, stop := drainOnSignal(messages)
	defer stop()
	var failed []error
	for _, s := range studies {
		o.Dir = resultsDir(s, out, len(studies) > 1)
		err := runStudy(drain, cmd, messages, s, o, format)
		if err != nil {
			failed = append(failed, err)
		}
		if err != nil && !isShortfall(err) {
			break
		}
	}
	return errors.Join(failed...)
}

// runStudy runs the missing results of one study or shard. It then writes the report of a study,
// or prints which commands complete the shards. When drain ends, it stops after the running trials.
func runStudy(
	drain context.Context, cmd *cobra.Command, messages *screen, s *study.Study, o run.Options, format tableFormat,
) error {
	out := cmd.OutOrStdout()
	asJSON := wantsJSON(cmd)
	if asJSON {
		lines := linesTo(out)
		lines.study(s, o.Dir)
		o.Progress = &lineProgress{tally: tally{study: s.Name}, lines: lines}
		out = io.Discard
	} else {
		o.Progress = newProgress(messages, s.Name)
	}
	plan, err := run.Run(context.Background(), drain.Done(), s, o)
	if err != nil {
		return err
	}
	if len(plan.Tasks) == 0 {
		fmt.Fprintf(messages, "%s: nothing to run, all %d results are in %s\n", s.Name, plan.Done, o.Dir)
	}
	if o.Shard.Count > 1 {
		return printNextShards(messages, plan, o)
	}
	failed, err := reportStudy(out, plan.Folder, format)
	if err != nil && !isShortfall(err) {
		return err
	}
	if asJSON {
		linesTo(cmd.OutOrStdout()).put(reportLine{s.Name, o.Dir, failed})
	}
	if failed > 0 {
		fits := fmt.Errorf("%s: %s failed; see the report, or copse status %s", s.Name,
			view.Plural(failed, "fit", "fits"), o.Dir)
		err = errors.Join(shortfall{fits}, err)
	}
	return err
}

// printNextShards prints which shards lack results and the commands that complete the study.
func printNextShards(out io.Writer, ran *run.Plan, o run.Options) error {
	p, s := run.NewPlan(ran.Folder, false), ran.Folder.Study
	done := fmt.Sprintf("%s: shard %d/%d is done", s.Name, o.Shard.Index, o.Shard.Count)
	dir := cluster.Word(o.Dir)
	missing := p.MissingShards(o.Shard.Count)
	if len(missing) == 0 {
		_, err := fmt.Fprintf(out, "%s, and so are all others\nnext: copse report %s\n", done, dir)
		return err
	}
	fmt.Fprintf(out, "%s; %s of shards %s not in %s yet\n", done, view.Plural(p.Rows, "result", "results"),
		records.Ranges(missing), o.Dir)
	fmt.Fprintf(out, "next, here or on other machines: copse run %s --out %s --shard %d/%d\n",
		cluster.Word(s.File), dir, missing[0], o.Shard.Count)
	_, err := fmt.Fprintf(out, "when all journals are in one folder: copse report %s\n", dir)
	return err
}

// memoryCeiling reads the flag --memory; without it the limit is GOMEMLIMIT, or the limit of Slurm
// or the control group.
func memoryCeiling(flag string) (run.MemoryCeiling, error) {
	if flag == "" {
		return run.FindMemoryCeiling(os.Getenv, os.DirFS("/"), debug.SetMemoryLimit(-1)), nil
	}
	n, err := config.ParseBytes(flag)
	if err != nil {
		return run.MemoryCeiling{}, fmt.Errorf("--memory: %w", err)
	}
	return run.MemoryCeiling{Bytes: n, Source: "--memory"}, nil
}

// drainOnSignal returns a context that ends at the first SIGINT or SIGTERM. A second SIGINT then
// stops the process at once, because a user pressed Ctrl-C twice; further SIGTERMs have no effect,
// because schedulers send several. The returned function ends the handling of signals.
func drainOnSignal(errOut io.Writer) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, syscall.SIGTERM)
	unregister := context.AfterFunc(ctx, func() {
		stop()
		fmt.Fprintln(errOut, "copse: finishing the running trials; press Ctrl-C again to stop at once")
	})
	return ctx, func() { unregister(); stop(); signal.Stop(ignored) }
}
