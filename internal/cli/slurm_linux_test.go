package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"copse/internal/filetest"
)

// The trials of slurmStudy take a few tenths of a second, because Slurm starts about one task per second.
const slurmStudy = `study: slurm
seed: 5
replicates: 20
design: {n: [200, 300]}
data:
  generator: {name: forest, d: 10}
  train: {n: $n}
  test: {n: 200}
classifiers: [{classifier: rf, trees: 400}, lda, oracle]
report:
  tables: [{name: errors, rows: [n]}]
  figures: [{name: box, panel: [n]}]
`

// bounded runs a command for at most the given time.
func bounded(limit time.Duration, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.WaitDelay = time.Second // daemons keep the pipes open
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return out.String(), err
}

// startSlurm installs and starts a cluster of two nodes, or skips the test.
func startSlurm(t *testing.T) {
	t.Helper()
	if os.Getenv("COPSE_SLURM") == "" {
		t.Skip("NOT TESTED: a study on a real Slurm; set COPSE_SLURM=1 to install one from Debian's packages and " +
			"start it")
	}
	if _, err := exec.LookPath("slurmctld"); err != nil {
		_, err := bounded(4*time.Minute, "apt-get", "install", "-y", "--no-install-recommends", "slurmctld", "slurmd",
			"slurm-client", "munge")
		if err != nil {
			t.Skipf("NOT TESTED: Slurm cannot be installed here: %v", err)
		}
	}
	script, err := filepath.Abs("testdata/slurm-local.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "slurm") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(dir, 0o755) // munged trusts no other
	port := strconv.Itoa(20_000 + os.Getpid()%10_000)
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	t.Cleanup(func() {
		if out, err := bounded(time.Minute, script, "down", dir, port); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		os.RemoveAll(dir)
	})
	if _, err := bounded(2*time.Minute, script, "up", dir, port); err != nil {
		t.Skipf("NOT TESTED: Slurm does not start here: %v", err)
	}
}

// tasks returns the process ids of copse in the tasks of a node, with the numbers of their jobs.
func tasks(t *testing.T, node string) map[int]string {
	t.Helper()
	found := map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environment, err := os.ReadFile(file)
		if err != nil {
			continue // has ended
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if !bytes.Contains(line, []byte("\x00--shard\x00")) ||
			!bytes.Contains(environment, []byte("SLURMD_NODENAME="+node+"\x00")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if job := regexp.MustCompile(`SLURM_JOB_ID=(\d+)`).FindSubmatch(environment); job != nil {
			found[pid] = string(job[1])
		}
	}
	return found
}

// drained waits until no job is left. It lets requeued jobs start at once.
func drained(t *testing.T) {
	t.Helper()
	for range 240 {
		out, err := bounded(20*time.Second, "squeue", "-h", "-o", "%i %T %r")
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(out) == "" {
			return
		}
		for line := range strings.Lines(out) {
			if fields := strings.Fields(line); len(fields) == 3 && fields[2] == "BeginTime" {
				bounded(20*time.Second, "scontrol", "update", "JobId="+fields[0], "StartTime=now")
			}
		}
		time.Sleep(time.Second / 2)
	}
	out, _ := bounded(20*time.Second, "squeue")
	t.Fatalf("jobs are left after two minutes:\n%s", out)
}

// A study runs on two nodes. The tasks of one node are killed, and a task of the other one receives a signal
// and is requeued. The same command then runs the missing trials, and the results equal those of a local run.
func TestSlurm(t *testing.T) {
	startSlurm(t)
	file, want := undisturbed(t, slurmStudy)
	dir := filepath.Join(t.TempDir(), "r")
	submit := []string{"submit", "slurm", file, "--out", dir, "--tasks", "6", "--", "--cpus-per-task=1"}
	finish(t, 0, "shards 1-6 of 6", submit...)

	trials := func() (n int) {
		journals, _ := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
		for _, j := range journals {
			text, _ := os.ReadFile(j)
			n += bytes.Count(text, []byte(`"trial":`))
		}
		return n
	}
	waitFor(t, "trials on both nodes", func() bool {
		return trials() > 0 && len(tasks(t, "n1")) > 0 &&
			len(tasks(t, "n2")) > 0
	})
	killed := tasks(t, "n1")
	for pid := range killed {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	told := ""
	for pid, job := range tasks(t, "n2") {
		told = job
		syscall.Kill(pid, syscall.SIGTERM)
		break
	}
	drained(t)
	logs, err := exec.Command("sh", "-c", "cat "+dir+"/log/*").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(logs), "stopped on request") { // else it had ended before the signal came
		if journals, _ := filepath.Glob(filepath.Join(dir, "journal", "*.job"+told+"-1.jsonl")); len(journals) != 1 {
			t.Errorf("job %s was drained and not requeued:\n%s", told, logs)
		}
	}
	attempt(t, "status", dir).finds("lack results", "copse submit slurm")
	finish(t, 0, "runs shards", submit...)
	drained(t)
	reports, _ := filepath.Glob(filepath.Join(dir, "log", "report-*.log"))
	if len(reports) != 2 {
		t.Errorf("reports: %q", reports)
	}
	for _, folder := range []string{"log", "submit", "bin"} { // what a local run does not have
		filetest.Remove(t, filepath.Join(dir, folder))
	}
	sameOutputs(t, outputs(t, dir), want)
	finish(t, 0, "recomputed: ok", "verify", dir)
	finish(t, 0, "nothing to submit", submit...)
}

// A real Slurm runs studies in folders and files with any printable names, including patterns of Slurm and
// shell commands.
func TestSlurmQuoting(t *testing.T) {
	startSlurm(t)
	_, want := undisturbed(t, slurmStudy)
	root := t.TempDir()
	t.Chdir(root)
	parent := filepath.Join(root, "a b $HOME `touch ran` $(touch ran) 'q' \"d\" #x ;&|<>*?[1]{2}!~ é")
	file, dir := filepath.Join(parent, "my study's $1.yaml"), filepath.Join(parent, "r s")
	if err := os.Mkdir(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, file, slurmStudy)
	finish(t, 0, "shards 1-2 of 2", "submit", "slurm", file, "--out", dir, "--tasks", "2", "--", "--cpus-per-task=1")
	drained(t)
	logs, err := os.ReadDir(filepath.Join(dir, "log"))
	if err != nil || len(logs) != 3 {
		t.Errorf("logs of two tasks and a report: %v, %v", logs, err)
	}
	for _, l := range logs {
		text, _ := os.ReadFile(filepath.Join(dir, "log", l.Name()))
		t.Logf("%s:\n%s", l.Name(), text)
	}
	for _, folder := range []string{root, parent} {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != map[string]int{root: 1,
			parent: 2}[folder] {
			t.Errorf("%s holds %v, %v", folder, entries, err)
		}
	}
	for _, folder := range []string{"log", "submit", "bin"} {
		filetest.Remove(t, filepath.Join(dir, folder))
	}
	sameOutputs(t, outputs(t, dir), want)
}
