package cluster

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Submit writes the two job scripts and submits them with sbatch and the given additional options.
// It returns the job numbers. Messages from sbatch are written to errOut.
func (p *Slurm) Submit(options []string, errOut io.Writer) (array, report string, err error) {
	if err := p.write(); err != nil {
		return "", "", err
	}
	if array, err = sbatch(p.ArrayArgs(options), errOut); err != nil {
		return "", "", err
	}
	if report, err = sbatch(p.ReportArgs(options, array), errOut); err != nil {
		return "", "", fmt.Errorf("job %s runs the shards, but the report job was not submitted: %w", array, err)
	}
	return array, report, nil
}

// ArrayArgs returns the arguments of sbatch for the array of shards.
func (p *Slurm) ArrayArgs(options []string) []string {
	return slices.Concat(options, []string{p.logFolder(), p.submittedFile(arrayFile)})
}

// ReportArgs returns the arguments of sbatch for the report job, which starts after the array.
func (p *Slurm) ReportArgs(options []string, arrayJob string) []string {
	afterArray := "--dependency=afterany:" + arrayJob
	return slices.Concat(options, []string{p.logFolder(), afterArray, p.submittedFile(reportFile)})
}

func (p *Slurm) logFolder() string { return "--chdir=" + p.Dir }

// sbatch submits a job and returns its number. The last argument is the job script.
func sbatch(args []string, errOut io.Writer) (job string, err error) {
	command := exec.Command("sbatch", append([]string{"--parsable"}, args...)...)
	command.Stderr = errOut
	// Variables that begin with SBATCH_ARRAY would override the array in the script, or turn the
	// report job into an array.
	setsArray := func(variable string) bool { return strings.HasPrefix(variable, "SBATCH_ARRAY") }
	command.Env = slices.DeleteFunc(os.Environ(), setsArray)
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("sbatch %s: %w", strings.Join(args, " "), err)
	}
	job, _, _ = strings.Cut(strings.TrimSpace(string(text)), ";") // "number;cluster"
	if _, err := strconv.ParseUint(job, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch %s: nothing was submitted: sbatch printed %q instead of a job number",
			strings.Join(args, " "), job)
	}
	return job, nil
}

var maxArraySize = regexp.MustCompile(`(?m)^\s*MaxArraySize\s*=\s*(\d+)\s*$`)

// MaxArraySize returns Slurm's limit MaxArraySize. All indices of a job array must be below this
// limit. known is false if scontrol does not report it.
func MaxArraySize() (size int, known bool) {
	text, err := exec.Command("scontrol", "show", "config").Output()
	match := maxArraySize.FindSubmatch(text)
	if err != nil || match == nil {
		return 0, false
	}
	size, err = strconv.Atoi(string(match[1]))
	return size, err == nil
}
