//go:build unix

package cluster_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"copse/experiments/cluster"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// The script of the array forwards signals, waits for running trials and changes exit code 3 of copse into
// 75. Only near the time limit does it ask Slurm to requeue it.
func TestArrayScriptOnSignals(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("NOT TESTED: the job script, because bash is missing")
	}
	s := toys.Load(t, toys.Study)
	for _, c := range []struct {
		name     string
		stub     string // what stands for copse
		signals  []syscall.Signal
		code     int
		requeued bool
	}{
		{"done", "exit 0", nil, 0, false},
		{"failed", "exit 1", nil, 1, false},
		{"drained by itself", "exit 3", nil, 75, false},
		{"pre-empted", "wait_for_term 3", []syscall.Signal{syscall.SIGTERM}, 75, false},
		{"pre-empted, told twice", "wait_for_term 3", []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}, 75, false},
		{"near its limit", "wait_for_term 3", []syscall.Signal{syscall.SIGUSR1}, 75, true},
		{"ends as it is told", "wait_for_term 0", []syscall.Signal{syscall.SIGTERM}, 0, false},
		{"killed", "kill -9 $$", nil, 137, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a $HOME `touch x` $(touch y) 'b' \"c\" \\ %A;&|<>(){}[]*?!#~")
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte("#!/bin/bash\n"+text+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
				return path
			}
			write("scontrol", fmt.Sprintf(`echo "$@" > %s/requeued`, cluster.ShellWord(dir)))
			ready, arguments := filepath.Join(dir, "ready"), filepath.Join(dir, "arguments")
			stub := write("copse", fmt.Sprintf(`echo "$@" > %s
wait_for_term() { trap "sleep 0.1; exit $1" TERM; touch %s; while :; do sleep 0.02; done; }
%s`, cluster.ShellWord(arguments), cluster.ShellWord(ready), c.stub))
			p := &cluster.Slurm{
				Study: s, Dir: dir, WorkDir: dir, Tasks: 9, Missing: []int{2}, Binary: stub, StudyFile: "study.yaml",
			}
			job := exec.Command("bash", write("array.sh", p.ArrayScript()))
			job.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"),
				"SLURM_ARRAY_TASK_ID=2", "SLURM_JOB_ID=77", "SLURM_CPUS_PER_TASK=4")
			job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			t.Cleanup(func() { syscall.Kill(-job.Process.Pid, syscall.SIGKILL) }) // whatever the job left
			if err := job.Start(); err != nil {
				t.Fatal(err)
			}
			for i := 0; len(c.signals) > 0 && i < 3000; i++ {
				if _, err := os.Stat(ready); err == nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			for _, signal := range c.signals {
				job.Process.Signal(signal)
				time.Sleep(20 * time.Millisecond)
			}
			stuck := time.AfterFunc(time.Minute, func() {
				syscall.Kill(-job.Process.Pid, syscall.SIGKILL)
				t.Error("the job did not end within a minute")
			})
			job.Wait()
			stuck.Stop()
			if code := job.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			text, err := os.ReadFile(filepath.Join(dir, "requeued"))
			if (err == nil) != c.requeued || c.requeued && string(text) != "requeue 77\n" {
				t.Errorf("requeued: %q, %v", text, err)
			}
			want := fmt.Sprintf("run study.yaml --out %s --shard 2/9 -j 4 --writer job77-0", dir)
			if text := filetest.Read(t, arguments); strings.TrimSpace(text) != want {
				t.Errorf("copse was called with %s, want %s", text, want)
			}
		})
	}
}
