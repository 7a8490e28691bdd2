package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// --print writes no files, and shells accept the printed job scripts.
func TestSubmitSlurmPrints(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "a folder")
	copse("run", file, "--out", dir, "--shard", "2/4")
	submitted := attempt(t, "submit", "slurm", file, "--out", dir, "--tasks", "4", "--print", "--", "--comment=a b")
	submitted.prints("--array=1,3-4\n", `--shard "$SLURM_ARRAY_TASK_ID/4"`, `-j "${SLURM_CPUS_PER_TASK:-1}"`,
		"--requeue\n", "exit 75\n", `# sbatch --comment=a\ b --chdir=`, "--dependency=afterany:JOB",
		`report `+strings.ReplaceAll(dir, " ", `\ `))
	if exists(filepath.Join(dir, "submit")) || exists(filepath.Join(dir, "bin")) {
		t.Error("--print wrote something")
	}
	shell := exec.Command("bash", "-n")
	shell.Stdin = strings.NewReader(submitted.out)
	if text, err := shell.CombinedOutput(); err != nil {
		t.Errorf("bash -n: %v\n%s", err, text)
	}
}

func TestSubmitRefuses(t *testing.T) {
	file := writeStudy(t, smallStudy)
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct {
		want int
		text string
		args []string
	}{
		{exitUsage, "name the scheduler", nil},
		{exitUsage, `unknown scheduler "pbs"`, []string{"pbs", file}},
		{exitUsage, `required flag(s) "tasks" not set`, []string{"slurm", file}},
		{exitUsage, "the number of tasks must be positive", []string{"slurm", file, "--tasks", "0"}},
		{exitUsage, "the study has only 8 trials; use `--tasks 8` or fewer", []string{"slurm", file, "--tasks", "9"}},
		{exitUsage, "give one study file", []string{"slurm", file, file, "--tasks", "2"}},
		{exitUsage, "would change the job array", []string{"slurm", file, "--tasks", "2", "--", "--array=1-9"}},
		{exitUsage, "would change the job array", []string{"slurm", file, "--tasks", "2", "--", "--mem=1G", "-a1-9"}},
		{exitUsage, "would change the job array", []string{"slurm", file, "--tasks", "2", "--", "--arr", "1-9"}},
		{exitUsage, `"2:00:00" is not an option`, []string{"slurm", file, "--tasks", "2", "--", "2:00:00"}},
		{exitFailed, "sbatch was not found", []string{"slurm", file, "--tasks", "2", "--out", t.TempDir()}},
		{exitFailed, "line breaks or control characters", []string{"slurm", file, "--tasks", "2", "--out",
			filepath.Join(t.TempDir(), "a\nb")}},
		{exitFailed, "have a special meaning for Slurm", []string{"slurm", file, "--tasks", "2", "--out",
			filepath.Join(t.TempDir(), "50%")}},
	} {
		code, out, errOut := copse(append([]string{"submit"}, c.args...)...)
		if code != c.want || !strings.Contains(out+errOut, c.text) {
			t.Errorf("%q: exit %d, want %d with %q; printed\n%s%s", c.args, code, c.want, c.text, out, errOut)
		}
	}
}

// If sbatch submits no job, as with --test-only, submit fails.
func TestSubmitWantsAJob(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("NOT TESTED: no /bin/sh here")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\necho would start\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	file := writeStudy(t, smallStudy)
	attempt(t, "submit", "slurm", file, "--tasks", "2", "--out", t.TempDir(), "--", "--test-only").fails(exitFailed,
		`nothing was submitted: sbatch printed "would start"`)
}

// An array has indices below MaxArraySize: more tasks are rejected before anything is written.
func TestSubmitHeedsMaxArraySize(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("NOT TESTED: no /bin/sh here")
	}
	bin, dir := t.TempDir(), filepath.Join(t.TempDir(), "r")
	for name, text := range map[string]string{
		"sbatch":   "echo 7",
		"scontrol": "echo 'Configuration data'; echo 'MaxArraySize            = 11'; echo 'MaxDBDMsgs = 20'",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	file := writeStudy(t, smallStudy)
	attempt(t, "submit", "slurm", file, "--tasks", "11", "--out", dir, "--replicates", "6").fails(exitUsage,
		"at most 10 tasks")
	if _, err := os.Stat(dir); err == nil {
		t.Error("a refused submission wrote a folder")
	}
	// The command for missing results has the same options for sbatch.
	for _, options := range [][]string{nil, {"--", "--time=1:00", "--comment=a b"}} {
		submit := []string{"submit", "slurm", file, "--tasks", "10", "--out", dir, "--replicates", "6"}
		code, out, errOut := copse(append(submit, options...)...)
		_, again, _ := strings.Cut(strings.TrimSpace(out), " --tasks 10")
		if want := strings.ReplaceAll(strings.Join(options, " "), "a b", `a\ b`); code != exitDone ||
			strings.TrimSpace(again) != want {
			t.Errorf("%q: exit %d, %s%s", options, code, out, errOut)
		}
	}
}

// A Slurm job runs the copy of the study that submit wrote to the results folder, also if the folder has
// results.
func TestSubmittedCopyRuns(t *testing.T) {
	_, dir := runSmallStudy(t)
	submitted := filepath.Join(dir, "submit", "0123abcd.yaml")
	filetest.Write(t, submitted, smallStudy)
	succeed(t, "run", submitted, "--out", dir, "--shard", "1/2")
}
