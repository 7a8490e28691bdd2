package cli

import (
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

func newSubmit() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "submit slurm|kubernetes CONFIG",
		Short: "Run a study's shards as the tasks of a scheduler",
		Example: `  copse submit slurm configs/jmlr2020-table1.yaml --tasks 50 -- --time=2:00:00
  copse submit kubernetes configs/jmlr2020-table1.yaml --tasks 50 --print | kubectl apply -f -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("name the scheduler: slurm or kubernetes")
			}
			return fmt.Errorf("unknown scheduler %q: want slurm or kubernetes", args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil }, // its verbs do the work
	}
	cmd.AddCommand(newSubmitSlurm(), newSubmitKubernetes())
	return cmd
}

// submitFlags are common to all schedulers.
type submitFlags struct {
	studyFlags
	tasks int
	print bool
}

func (f *submitFlags) add(cmd *cobra.Command) {
	f.studyFlags.add(cmd)
	cmd.Flags().IntVar(&f.tasks, "tasks", 0, "number of tasks that the trials are divided among")
	mustRequire(cmd, "tasks")
}

func (f *submitFlags) check() error {
	if f.tasks < 1 {
		return usagef("--tasks %d: want at least one", f.tasks)
	}
	return nil
}

func newSubmitSlurm() *cobra.Command {
	var f submitFlags
	cmd := &cobra.Command{
		Use:   "slurm CONFIG --tasks N [-- sbatch options]",
		Short: "Submit a study to Slurm: an array of shards, then a report",
		Long: `Slurm gets an array of N tasks, each of which runs one shard of the study with as
many trials at a time as the task has cores (--cpus-per-task), and a job that
collects, reports and says what is missing when all have ended, however they
ended. The binary and the configuration are copied into the results folder: what
was submitted is what runs. Options after -- go to sbatch; memory given there, as
by --mem 8G, also bounds the trials at a time.

Shards that lack nothing are left out, so the same command tops up what failed
tasks left. Tasks that are pre-empted or reach their time limit finish the trials
under way and are requeued; tasks that run twice do no harm.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if dash := cmd.ArgsLenAtDash(); dash == 1 || dash < 0 && len(args) == 1 {
				return nil
			}
			return fmt.Errorf("want one CONFIG, then options for sbatch after --")
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			options := args[1:]
			if err := checkOptions(options); err != nil {
				return err
			}
			s, err := f.load(cmd, args[0])
			if err != nil {
				return err
			}
			p, err := cluster.NewSlurm(s, resultsDir(s, f.out, false), f.tasks)
			if err != nil {
				return err
			}
			return submitSlurm(cmd.OutOrStdout(), cmd.ErrOrStderr(), p, options, f.print)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.print, "print", false, "print the job scripts; write and submit nothing")
	return cmd
}

// checkOptions refuses options for sbatch that would make another array of the shards,
// and what sbatch would take for the script.
func checkOptions(options []string) error {
	if len(options) > 0 && !strings.HasPrefix(options[0], "-") {
		return usagef("%q is no option of sbatch, which would take it for the job script", options[0])
	}
	for _, o := range options {
		name, _, _ := strings.Cut(o, "=")
		long := strings.HasPrefix("--array", name) && len(name) > len("--a") // sbatch takes beginnings
		if strings.HasPrefix(o, "-a") || long {
			return usagef("%q: the array is made of --tasks", o)
		}
	}
	return nil
}

func submitSlurm(out, errOut io.Writer, p *cluster.Slurm, options []string, print bool) error {
	if len(p.Missing) == 0 {
		fmt.Fprintf(out, "%s: nothing to submit, all results are in %s\n", p.Study.Name, p.Dir)
		return nil
	}
	array, report := p.Scripts()
	if print {
		fmt.Fprintf(document(out), "# sbatch %s\n%s\n# sbatch %s\n%s",
			words(slices.Concat(options, p.Options(), []string{array})), p.ArrayScript(),
			words(slices.Concat(options, p.Options(), []string{"--dependency=afterany:JOB", report})), p.ReportScript())
		return nil
	}
	if _, err := exec.LookPath("sbatch"); err != nil {
		return fmt.Errorf("no sbatch here: submit where Slurm is, or see the job scripts with --print")
	}
	if err := p.Write(); err != nil {
		return err
	}
	job, err := sbatch(errOut, slices.Concat(options, p.Options(), []string{array}))
	if err != nil {
		return err
	}
	last, err := sbatch(errOut, slices.Concat(options, p.Options(), []string{"--dependency=afterany:" + job, report}))
	if err != nil {
		return fmt.Errorf("the array runs as job %s, but its report was not submitted: %w", job, err)
	}
	fmt.Fprintf(out, "%s: shards %s of %d are the tasks of job %s; job %s reports when they have ended\n", p.Study.Name, records.Ranges(p.Missing), p.Tasks, job, last)
	fmt.Fprintf(out, "watch: squeue -j %s,%s; copse status %s\n", job, last, cluster.Word(p.Dir))
	fmt.Fprintf(out, "top up what is missing afterwards: copse submit slurm %s --out %s --tasks %d\n", cluster.Word(p.Config), cluster.Word(p.Dir), p.Tasks)
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

// sbatch submits a script and returns the job's number.
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
		return "", fmt.Errorf("sbatch %s: it submitted nothing: it said %q, not the number of a job", strings.Join(args, " "), job)
	}
	return job, nil
}

func newSubmitKubernetes() *cobra.Command {
	var f submitFlags
	var image, claim string
	cmd := &cobra.Command{
		Use:   "kubernetes CONFIG --tasks N --print",
		Short: "Print a study as a Kubernetes Indexed Job",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if !f.print {
				return usagef("copse does not talk to Kubernetes; add --print and hand what it prints to kubectl apply -f -")
			}
			s, err := f.load(cmd, args[0])
			if err != nil {
				return err
			}
			if f.out != "" {
				return usagef("--out %s: pods write to /results/%s on the volume of --claim", f.out, s.Name)
			}
			text, err := cluster.Kubernetes(s, f.tasks, image, claim)
			if err == nil {
				fmt.Fprint(document(cmd.OutOrStdout()), text)
			}
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.print, "print", false, "print the manifest")
	cmd.Flags().StringVar(&image, "image", "copse:latest", "container image with copse and a shell")
	cmd.Flags().StringVar(&claim, "claim", "copse-results", "claim of the volume that all pods write to")
	return cmd
}
