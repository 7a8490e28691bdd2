package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/cluster"
	"copse/stats/records"
)

// submitOptions contains the flags of copse submit.
type submitOptions struct {
	studyFlags
	tasks              int
	print, runCommands bool
	acceptChange       bool
}

// newSubmit returns the command copse submit, which runs a study as jobs of Slurm.
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
				return usagef("--tasks %d: the number of tasks must be positive", o.tasks)
			}
			file, options := args[1], args[2:]
			if err := checkOptions(options); err != nil {
				return err
			}
			s, err := o.load(cmd, file)
			if err != nil {
				return err
			}
			if err := consent(s.Programs(), s.Folder(), o.runCommands); err != nil {
				return err
			}
			p, err := cluster.NewSlurm(s.Study, resultsDir(s.Study, o.out, false), o.tasks)
			if err != nil {
				return err
			}
			p.AcceptChange = o.acceptChange
			return submitSlurm(cmd.OutOrStdout(), cmd.ErrOrStderr(), p, options, o.print)
		},
	}
	o.add(cmd)
	addConsent(cmd, &o.runCommands)
	addAcceptChange(cmd, &o.acceptChange)
	cmd.Flags().IntVar(&o.tasks, "tasks", 0, "number of tasks; each task runs one shard of the study")
	cmd.Flags().BoolVar(&o.print, "print", false, "print the job scripts but submit nothing")
	mustRequire(cmd, "tasks")
	return cmd
}

// checkSubmitArgs checks the arguments of copse submit: slurm and a study file, which -- and
// options for sbatch may follow.
func checkSubmitArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("name the scheduler: slurm")
	}
	if args[0] != "slurm" {
		return usagef("unknown scheduler %q; the only scheduler is slurm", args[0])
	}
	words := cmd.ArgsLenAtDash()
	if words < 0 {
		words = len(args)
	}
	if words != 2 {
		return usagef("give one study file; only -- and options for sbatch may follow")
	}
	return nil
}

// checkOptions returns an error if an option for sbatch changes the array, or if sbatch would
// interpret the first word as the job script.
func checkOptions(options []string) error {
	if len(options) > 0 && !strings.HasPrefix(options[0], "-") {
		return usagef("%q is not an option: sbatch would interpret it as the job script", options[0])
	}
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		isArray := len(name) > len("--a") && strings.HasPrefix("--array", name) // also an abbreviation
		if isArray || strings.HasPrefix(o, "-a") {
			return usagef("%q would change the array of tasks; set its size with --tasks", o)
		}
	}
	return nil
}

// submitSlurm writes the job scripts to the results folder and submits two jobs: an array with a
// task for each shard, and a report that starts when the array has ended. If print is true, it only
// prints the scripts.
func submitSlurm(out, errOut io.Writer, p *cluster.Slurm, options []string, print bool) error {
	if len(p.Missing) == 0 {
		fmt.Fprintf(out, "%s: nothing to submit, all results are in %s\n", p.Study.Name, p.Dir)
		return nil
	}
	options = slices.Concat(options, p.Options())
	array, report := p.Scripts()
	arrayArgs := append(slices.Clone(options), array)
	reportArgs := func(arrayJob string) []string { // the report starts after the job of the array
		return append(slices.Clone(options), "--dependency=afterany:"+arrayJob, report)
	}
	if print {
		fmt.Fprintf(document(out), "# sbatch %s\n%s\n# sbatch %s\n%s",
			words(arrayArgs), p.ArrayScript(), words(reportArgs("JOB")), p.ReportScript())
		return nil
	}
	if _, err := exec.LookPath("sbatch"); err != nil {
		return errors.New("the command sbatch does not exist here; " +
			"run copse submit on a machine with Slurm, or print the job scripts with --print")
	}
	if err := checkArraySize(p.Tasks); err != nil {
		return err
	}
	if err := p.Write(); err != nil {
		return err
	}
	job, err := sbatch(errOut, arrayArgs)
	if err != nil {
		return err
	}
	reportJob, err := sbatch(errOut, reportArgs(job))
	if err != nil {
		return fmt.Errorf("job %s runs the shards, but the job of the report was not submitted: %w", job, err)
	}
	printJobs(out, p, job, reportJob)
	return nil
}

// printJobs prints the numbers of the two submitted jobs, and the commands that show their state
// and run what is missing afterwards.
func printJobs(out io.Writer, p *cluster.Slurm, array, report string) {
	fmt.Fprintf(out, "%s: job %[4]s runs shards %[2]s of %[3]d; then job %[5]s writes the report\n",
		p.Study.Name, records.Ranges(p.Missing), p.Tasks, array, report)
	fmt.Fprintf(out, "watch: squeue -j %s,%s; copse status %s\n", array, report, cluster.Word(p.Dir))
	fmt.Fprintf(out, "if results are still missing afterwards: copse submit slurm %s --out %s --tasks %d\n",
		cluster.Word(p.Config), cluster.Word(p.Dir), p.Tasks)
}

// checkArraySize returns an error if Slurm does not accept an array of so many tasks. The indices
// of an array must be below Slurm's MaxArraySize. If scontrol does not report this limit, sbatch
// checks it.
func checkArraySize(tasks int) error {
	text, err := exec.Command("scontrol", "show", "config").Output()
	if err != nil {
		return nil // sbatch decides
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "MaxArraySize" {
			continue
		}
		size, err := strconv.Atoi(strings.TrimSpace(value))
		if err == nil && tasks >= size {
			return usagef("--tasks %d: Slurm accepts at most %d tasks here (MaxArraySize = %d); "+
				"use --tasks %d or fewer", tasks, size-1, size, size-1)
		}
	}
	return nil
}

// words joins options to a line of shell words, quoted where necessary.
func words(options []string) string {
	var list []string
	for _, o := range options {
		list = append(list, cluster.Word(o))
	}
	return strings.Join(list, " ")
}

// sbatch submits a job with the command sbatch and returns the number of the job. args are options,
// followed by the path of the job script.
func sbatch(errOut io.Writer, args []string) (string, error) {
	command := exec.Command("sbatch", append([]string{"--parsable"}, args...)...)
	command.Stderr = errOut
	// Such a variable would replace the array of the script, or make the report an array.
	setsArray := func(variable string) bool { return strings.HasPrefix(variable, "SBATCH_ARRAY") }
	command.Env = slices.DeleteFunc(os.Environ(), setsArray)
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("sbatch %s: %w", strings.Join(args, " "), err)
	}
	job, _, _ := strings.Cut(strings.TrimSpace(string(text)), ";") // "number;cluster"
	if _, err := strconv.ParseUint(job, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch %s: nothing was submitted: sbatch printed %q instead of a job number",
			strings.Join(args, " "), job)
	}
	return job, nil
}
