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

// submitOptions are the flags of copse submit.
type submitOptions struct {
	studyFlags
	tasks              int
	print, runCommands bool
	acceptChange       bool
}

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

Submit skips complete shards: repeat the command to run what failed tasks
left. Tasks that are pre-empted or reach their time limit finish the running
trials and are requeued. A task that runs twice does no harm.

docs/guide/kubernetes.yaml is a manifest for Kubernetes.`,
		Example: `  copse submit slurm configs/jmlr2020-table1.yaml --tasks 50 -- --time=2:00:00`,
		Args:    checkSubmitArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.tasks < 1 {
				return usagef("--tasks %d: want at least one", o.tasks)
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
	cmd.Flags().IntVar(&o.tasks, "tasks", 0, "number of tasks, one per shard")
	cmd.Flags().BoolVar(&o.print, "print", false, "only print the job scripts")
	mustRequire(cmd, "tasks")
	return cmd
}

// checkSubmitArgs checks the arguments: the scheduler and one study, then options for sbatch
// after --.
func checkSubmitArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("name the scheduler: slurm")
	}
	if args[0] != "slurm" {
		return fmt.Errorf("unknown scheduler %q: want slurm", args[0])
	}
	words := cmd.ArgsLenAtDash()
	if words < 0 {
		words = len(args)
	}
	if words != 2 {
		return errors.New("want one CONFIG, followed by -- and options for sbatch")
	}
	return nil
}

// checkOptions returns an error for options of sbatch that change the array, and for a first word
// that sbatch would interpret as the job script.
func checkOptions(options []string) error {
	if len(options) > 0 && !strings.HasPrefix(options[0], "-") {
		return usagef("%q is no option of sbatch: sbatch would interpret it as the job script", options[0])
	}
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		long := strings.HasPrefix("--array", name) && len(name) > len("--a") // sbatch accepts abbreviations
		if strings.HasPrefix(o, "-a") || long {
			return usagef("%q: --tasks sets the array", o)
		}
	}
	return nil
}

// submitSlurm writes the job scripts to the results folder and submits them: the array of shards,
// then the report, which starts when the array has ended. With print it only prints the scripts.
func submitSlurm(out, errOut io.Writer, p *cluster.Slurm, options []string, print bool) error {
	if len(p.Missing) == 0 {
		fmt.Fprintf(out, "%s: nothing to submit, all results are in %s\n", p.Study.Name, p.Dir)
		return nil
	}
	options = slices.Concat(options, p.Options())
	array, report := p.Scripts()
	arrayWords := append(slices.Clone(options), array)
	reportWords := func(job string) []string {
		return append(slices.Clone(options), "--dependency=afterany:"+job, report)
	}
	if print {
		fmt.Fprintf(document(out), "# sbatch %s\n%s\n# sbatch %s\n%s",
			words(arrayWords), p.ArrayScript(), words(reportWords("JOB")), p.ReportScript())
		return nil
	}
	if _, err := exec.LookPath("sbatch"); err != nil {
		return errors.New("no sbatch here: run this command where Slurm is, or print the job scripts with --print")
	}
	if err := checkArraySize(p.Tasks); err != nil {
		return err
	}
	if err := p.Write(); err != nil {
		return err
	}
	job, err := sbatch(errOut, arrayWords)
	if err != nil {
		return err
	}
	last, err := sbatch(errOut, reportWords(job))
	if err != nil {
		return fmt.Errorf("the array runs as job %s, but its report was not submitted: %w", job, err)
	}
	printJobs(out, p, job, last)
	return nil
}

// printJobs prints the numbers of the submitted jobs, array and report, and the next commands.
func printJobs(out io.Writer, p *cluster.Slurm, array, report string) {
	fmt.Fprintf(out, "%s: job %[4]s runs shards %[2]s of %[3]d; job %[5]s writes the report when they have ended\n",
		p.Study.Name, records.Ranges(p.Missing), p.Tasks, array, report)
	fmt.Fprintf(out, "watch: squeue -j %s,%s; copse status %s\n", array, report, cluster.Word(p.Dir))
	fmt.Fprintf(out, "to run what is missing afterwards: copse submit slurm %s --out %s --tasks %d\n",
		cluster.Word(p.Config), cluster.Word(p.Dir), p.Tasks)
}

// checkArraySize returns an error for more tasks than an array of this Slurm can have: indices are
// below MaxArraySize. If Slurm does not report its MaxArraySize, sbatch decides.
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
			return usagef("--tasks %d: arrays of this Slurm have at most %d tasks (MaxArraySize = %d); "+
				"use --tasks %d or fewer", tasks, size-1, size, size-1)
		}
	}
	return nil
}

// words quotes options for a shell.
func words(options []string) string {
	var list []string
	for _, o := range options {
		list = append(list, cluster.Word(o))
	}
	return strings.Join(list, " ")
}

// sbatch submits a script and returns the number of the job.
func sbatch(errOut io.Writer, args []string) (string, error) {
	command := exec.Command("sbatch", append([]string{"--parsable"}, args...)...)
	command.Stderr = errOut
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SBATCH_ARRAY") })
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
