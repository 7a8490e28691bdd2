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
		Short: "Run what a study lacks, then write its records, tables and figures",
		Long: `Run draws the data of every cell and replicate, runs the classifiers and writes
records, tables and figures to results/<study>/. What is there already is not
run again, so the same command goes on after any interruption, and a sweep with
--set or --replicates extends the folder in place. The records describe the study as it
is now: results for other levels or settings stay in the journals and are never deleted;
run prints which ones, and a study that lists them again has them in its records.

Under a memory ceiling the first trial, the longest, runs alone; from what it took
follows how many then run at a time. A process that dies of memory all the same
loses nothing that was finished: the same command, with a smaller -j, goes on.

The first Ctrl-C lets the trials under way finish (exit code 3), the second
stops at once.`,
		Example: `  copse run configs/quickstart.yaml
  copse run configs/quickstart.yaml --set design.n=200,800 --out results/sizes
  copse run configs/jmlr2020-table1.yaml --shard 3/8`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if shard != "" {
				var err error
				if o.Shard, err = run.ParseShard(shard); err != nil {
					return usageError{err}
				}
			}
			if err := checkWorkers(cmd, &o); err != nil {
				return err
			}
			var err error
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
				external.Approve(s.Programs()...) // recipes may share a process, which is started once
			}
			return runStudies(cmd, studies, o, flags.out, format)
		},
	}
	flags.add(cmd)
	format.add(cmd)
	addJSON(cmd)
	addConsent(cmd, &runCommands)
	cmd.Flags().IntVarP(&o.Workers, "jobs", "j", 0, "trials at a time (default: the number of cores)")
	cmd.Flags().StringVar(&memory, "memory", "", "memory of the process, such as 2GB; 0: as much as it takes "+
		"(default: GOMEMLIMIT, else what Slurm or the control group allows)")
	cmd.Flags().StringVar(&shard, "shard", "", "run part K of N of the trials: K/N; report collects the parts")
	cmd.Flags().StringVar(&o.Writer, "writer", "",
		"name this process's journal apart from others of the same shard: a job's number")
	cmd.Flags().BoolVar(&o.FailFast, "fail-fast", false, "stop at the first failed fit")
	addAcceptChange(cmd, &o.AcceptChange)
	cmd.Flags().BoolVar(&o.RetryFailed, "retry-failed", false, "run failed fits again")
	return cmd
}

// checkWorkers refuses numbers of workers and names of writers that mean nothing.
func checkWorkers(cmd *cobra.Command, o *run.Options) error {
	if o.Workers < 0 || cmd.Flags().Changed("jobs") && o.Workers == 0 {
		return usagef("--jobs %d: want 1 or more trials at a time", o.Workers)
	}
	if err := results.CheckWriter(o.Writer); err != nil {
		return usageError{err}
	}
	return nil
}

// loadAll reads studies with the flags applied.
func (f *studyFlags) loadAll(cmd *cobra.Command, files []string) (studies []*study.Study, err error) {
	for _, file := range files {
		s, err := f.load(cmd, file)
		if err != nil {
			return nil, err
		}
		studies = append(studies, s.Study)
	}
	return studies, nil
}

// runStudies runs one study after the other. Failed fits are results, and a report
// that lacks a figure says so: the next study runs all the same.
func runStudies(cmd *cobra.Command, studies []*study.Study, o run.Options, out string, format tableFormat) error {
	messages := &screen{out: behind(cmd.ErrOrStderr())}
	drain, stop := drainOnSignal(messages)
	defer stop()
	var failed []error
	for _, s := range studies {
		o.Dir = resultsDir(s, out, len(studies) > 1)
		err := runStudy(drain, cmd, messages, s, o, format)
		if fits := (*failedFits)(nil); errors.As(err, &fits) || lacking(err) {
			failed = append(failed, err)
		} else if err != nil {
			return errors.Join(append(failed, err)...)
		}
	}
	return errors.Join(failed...)
}

func runStudy(drain context.Context, cmd *cobra.Command, errOut *screen, s *study.Study, o run.Options,
	format tableFormat) error {
	out := cmd.OutOrStdout()
	lines := linesTo(out)
	if wantsJSON(cmd) {
		lines.study(s, o.Dir)
		o.Progress, out = &lineProgress{tally: tally{study: s.Name}, lines: lines}, io.Discard
	} else {
		o.Progress = newProgress(errOut, s.Name)
	}
	plan, err := run.Run(context.Background(), drain.Done(), s, o)
	if plan != nil && len(plan.Tasks) == 0 && err == nil {
		fmt.Fprintf(errOut, "%s: nothing to run, all %d results are in %s\n", s.Name, plan.Done, o.Dir)
	}
	if err == nil && o.Shard.Count > 1 {
		return printNextShards(errOut, plan, o)
	}
	if err != nil {
		return err
	}
	failed, err := reportStudy(out, plan.Folder, format)
	if wantsJSON(cmd) && (err == nil || lacking(err)) {
		lines.put(reportLine{s.Name, o.Dir, failed})
	}
	if failed > 0 && (err == nil || lacking(err)) {
		err = errors.Join(&failedFits{s.Name, o.Dir, failed}, err)
	}
	return err
}

// printNextShards says what the other shards lack, and what follows.
func printNextShards(out io.Writer, ran *run.Plan, o run.Options) error {
	p, s := run.NewPlan(ran.Folder, false), ran.Folder.Study
	done := fmt.Sprintf("%s: shard %d/%d is done", s.Name, o.Shard.Index, o.Shard.Count)
	if missing := p.MissingShards(o.Shard.Count); len(missing) > 0 {
		fmt.Fprintf(out, "%s; %s of shards %s not in %s yet\n", done,
			view.Plural(p.Rows, "result", "results"), records.Ranges(missing), o.Dir)
		fmt.Fprintf(out, "next, here or on other machines: copse run %s --out %s --shard %d/%d\n",
			cluster.Word(s.File), cluster.Word(o.Dir), missing[0], o.Shard.Count)
		fmt.Fprintf(out, "when all journals are in one folder: copse report %s\n", cluster.Word(o.Dir))
		return nil
	}
	_, err := fmt.Fprintf(out, "%s, and so are all others\nnext: copse report %s\n", done, cluster.Word(o.Dir))
	return err
}

// failedFits says that a study is done, but for fits that failed.
type failedFits struct {
	study, dir string
	n          int
}

func (e *failedFits) Error() string {
	return fmt.Sprintf("%s: %s failed; see the report, or copse status %s", e.study,
		view.Plural(e.n, "fit", "fits"), e.dir)
}

// memoryCeiling reads the flag, or the surroundings where it is not given.
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

// drainOnSignal returns a context that ends at the first SIGINT or SIGTERM. From
// then on a SIGINT has its usual effect and stops the process, since someone
// presses Ctrl-C again; further SIGTERMs change nothing, since schedulers send
// several.
func drainOnSignal(errOut io.Writer) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, syscall.SIGTERM)
	unregister := context.AfterFunc(ctx, func() {
		stop()
		fmt.Fprintln(errOut, "copse: finishing the trials under way; press Ctrl-C again to stop at once")
	})
	return ctx, func() { unregister(); stop(); signal.Stop(ignored) }
}
