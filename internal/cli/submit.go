package cli

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/report/view"
	"copse/stats/records"
)

type submitOptions struct {
	studyFlags
	tasks              int
	print, runCommands bool
	acceptChange       bool
}

// newSubmit returns the command copse submit.
func newSubmit() *cobra.Command {
	var o submitOptions
	cmd := &cobra.Command{
		Use:   "submit slurm CONFIG --tasks N [-- sbatch options]",
		Short: "Submit a study to Slurm: an array of shards, then a report",
		Long: `Submit gives Slurm an array of N tasks. Each task runs one shard of the study,
with one trial per core (--cpus-per-task). A second job starts when all tasks
have ended, even if some failed: it writes the report and prints what is
missing. Submit copies the binary and the study into the results folder, so
later changes do not affect the jobs. Options after -- go to sbatch; a memory
limit such as --mem 8G also limits the number of parallel trials.

Submit skips complete shards: repeat the command to run the results that
failed tasks did not finish. Tasks that are pre-empted or reach their time limit
finish the running trials and are requeued. A task that runs twice does no harm.

docs/guide/kubernetes.yaml is a manifest for Kubernetes.`,
		Example: `  copse submit slurm configs/jmlr2020-table1.yaml --tasks 50 -- --time=2:00:00`,
		Args:    checkSubmitArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.tasks < 1 {
				return usageErrorf("--tasks %d: the number of tasks must be positive", o.tasks)
			}
			file, options := args[1], args[2:]
			if err := checkOptions(options); err != nil {
				return err
			}
			s, err := o.load(cmd, file)
			if err != nil {
				return err
			}
			if trials := len(s.Cells) * s.Replicates; o.tasks > trials {
				return usageErrorf("--tasks %d: the study has only %s; use `--tasks %d` or fewer", o.tasks,
					view.Plural(trials, "trial", "trials"), trials)
			}
			if err := requireConsent(s.Programs(), s.Folder(), o.runCommands); err != nil {
				return err
			}
			p, err := cluster.NewSlurm(s.Study, resultsDir(s.Study, o.out, 1), o.tasks)
			if err != nil {
				return err
			}
			p.AcceptChange = o.acceptChange
			out := cmd.OutOrStdout()
			switch {
			case len(p.Missing) == 0:
				fmt.Fprintf(out, "%s: nothing to submit, all results are in %s\n", p.Study.Name, p.Dir)
				fmt.Fprintf(out, "to update the report: copse run %s --out %s\n",
					cluster.ShellWord(file), cluster.ShellWord(p.Dir))
				return nil
			case o.print:
				fmt.Fprintf(unwrapped(out), "# sbatch %s\n%s\n# sbatch %s\n%s", words(p.ArrayArgs(options)),
					p.ArrayScript(), words(p.ReportArgs(options, "JOB")), p.ReportScript())
				return nil
			}
			return submitSlurm(out, cmd.ErrOrStderr(), p, options)
		},
	}
	o.add(cmd)
	addConsentFlag(cmd, &o.runCommands)
	addAcceptChange(cmd, &o.acceptChange)
	cmd.Flags().IntVar(&o.tasks, "tasks", 0, "number of tasks; each task runs one shard of the study")
	cmd.Flags().BoolVar(&o.print, "print", false, "print the job scripts but submit nothing")
	requireFlags(cmd, "tasks")
	return cmd
}

// checkSubmitArgs accepts the argument slurm and a study file, optionally followed by -- and
// options for sbatch.
func checkSubmitArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("name the scheduler: slurm")
	}
	if args[0] != "slurm" {
		return usageErrorf("unknown scheduler %q; the only scheduler is slurm", args[0])
	}
	words := cmd.ArgsLenAtDash() // the number of arguments before --, or -1 without it
	if words < 0 {
		words = len(args)
	}
	if words != 2 {
		return usageErrorf("give one study file; write options for sbatch after --")
	}
	return nil
}

// checkOptions returns an error if an option for sbatch changes the job array, or if the first word
// is not an option.
func checkOptions(options []string) error {
	if len(options) > 0 && !strings.HasPrefix(options[0], "-") {
		return usageErrorf("%q is not an option: sbatch would interpret it as the job script", options[0])
	}
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		isArray := len(name) > len("--a") && strings.HasPrefix("--array", name) // the name may be abbreviated
		if isArray || strings.HasPrefix(o, "-a") {
			return usageErrorf("%q would change the job array; set its size with `--tasks`", o)
		}
	}
	return nil
}

// submitSlurm submits the jobs of a study and prints what to do next.
func submitSlurm(out, errOut io.Writer, p *cluster.Slurm, options []string) error {
	if _, err := exec.LookPath("sbatch"); err != nil {
		return errors.New("the command sbatch was not found; " +
			"run `copse submit` on a machine with Slurm, or print the job scripts with `--print`")
	}
	// Tasks are numbered from 1, and Slurm accepts only numbers below MaxArraySize.
	if size, known := cluster.MaxArraySize(); known && p.Tasks >= size {
		return usageErrorf("--tasks %d: Slurm accepts at most %d tasks here (MaxArraySize = %d); "+
			"use `--tasks %d` or fewer", p.Tasks, size-1, size, size-1)
	}
	array, report, err := p.Submit(options, errOut)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: job %s runs shards %s of %d; then job %s writes the report\n",
		p.Study.Name, array, records.Ranges(p.Missing), p.Tasks, report)
	fmt.Fprintf(out, "to see the progress: squeue -j %s,%s; copse status %s\n",
		array, report, cluster.ShellWord(p.Dir))
	again := fmt.Sprintf("copse submit slurm %s --out %s --tasks %d", cluster.ShellWord(p.StudyFile),
		cluster.ShellWord(p.Dir), p.Tasks)
	if len(options) > 0 {
		again += " -- " + words(options)
	}
	fmt.Fprintln(out, "if results are still missing afterwards:", again)
	return nil
}

// words quotes options for a shell and joins them with spaces.
func words(options []string) string {
	var list []string
	for _, o := range options {
		list = append(list, cluster.ShellWord(o))
	}
	return strings.Join(list, " ")
}
