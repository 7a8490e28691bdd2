package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/toys"
)

// printable are all printable bytes that a file name may have, and some characters of more than one byte.
func printable() string {
	var b strings.Builder
	for c := byte(' '); c < 0x7f; c++ {
		if c != '/' {
			b.WriteByte(c)
		}
	}
	return b.String() + " é 日本 $(touch x) `id`"
}

// A shell reads the quoted text as one word, with every printable byte in every place.
func TestWord(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("NOT TESTED: quoting, because bash is missing")
	}
	texts := []string{"", printable(), "~", "-n", "a=b", "#x", "$HOME", "a$HOME"}
	for _, c := range printable() {
		texts = append(texts, string(c), "a"+string(c)+"b", string(c)+string(c))
	}
	var script strings.Builder
	for _, text := range texts {
		script.WriteString("printf '%s\\n' " + ShellWord(text) + "\n")
	}
	for _, shell := range []string{"bash", "sh"} {
		run := exec.Command(shell, "-c", script.String())
		run.Dir = t.TempDir()
		out, err := run.Output()
		if want := strings.Join(texts, "\n") + "\n"; err != nil || string(out) != want {
			t.Errorf("%s: %v: %q\nwant %q", shell, err, out, want)
		}
		if made, _ := filepath.Glob(filepath.Join(run.Dir, "*")); len(made) > 0 {
			t.Errorf("%s made %q", shell, made)
		}
	}
	if checkWord("a\nb") == nil || checkWord("a\tb") == nil || checkWord(printable()) != nil {
		t.Error("control characters and only these are refused")
	}
}

// A task that receives a signal before copse handles signals is requeued, as if copse had stopped it. The
// exit code of copse itself does not change.
func TestEarlySignalRequeues(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("NOT TESTED: the job script, because bash is missing")
	}
	for program, want := range map[string]int{
		"kill -TERM $PPID; exec sleep 60":                                    75,
		"trap 'exit 3' TERM; kill -TERM $PPID; while :; do sleep 0.01; done": 75,
		"trap 'exit 1' TERM; kill -TERM $PPID; while :; do sleep 0.01; done": 1,
		"kill -TERM $$": 143,
		"exit 0":        0,
	} {
		dir := t.TempDir()
		p := &Slurm{
			Study: toys.Load(t, toys.Study), Dir: dir, WorkDir: dir, Tasks: 1, Missing: []int{1},
			Binary: filepath.Join(dir, "copse"), StudyFile: "study.yaml",
		}
		if err := os.WriteFile(p.Binary, []byte("#!/bin/sh\n"+program+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		task := exec.Command("bash", "-c", p.ArrayScript())
		task.Dir, task.Env = dir, append(os.Environ(), "SLURM_ARRAY_TASK_ID=1", "SLURM_JOB_ID=1")
		if _ = task.Run(); task.ProcessState.ExitCode() != want {
			t.Errorf("%s: exit %d, want %d", program, task.ProcessState.ExitCode(), want)
		}
	}
}
