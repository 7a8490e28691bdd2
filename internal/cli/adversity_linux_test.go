package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
)

// SIGTERM ends run and report while they write tables. The next report writes the
// same files as a run without a signal and leaves no temporary file.
func TestTermWhileWritingTables(t *testing.T) {
	file, want := undisturbed(t, killStudy)
	for _, verb := range []string{"run", "report"} {
		t.Run(verb, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "r")
			args := []string{"run", file, "--out", dir}
			if verb == "report" {
				finish(t, 0, "", args...)
				os.RemoveAll(filepath.Join(dir, "tables"))
				args = []string{"report", dir}
			}
			p := start(t, args...)
			waitFor(t, "tables", func() bool { return exists(filepath.Join(dir, "tables")) })
			p.Process.Signal(syscall.SIGTERM)
			// The signal ends run unless the report is finished first.
			if code := p.end(t); verb == "run" && code != 0 && code != exitDrained {
				t.Errorf("exit %d: %s", code, p.output())
			}
			finish(t, 0, "", "report", dir)
			sameOutputs(t, outputs(t, dir), want)
		})
	}
}

// The first SIGINT drains, and so does every SIGTERM; the second SIGINT stops
// at once. Whatever was finished stays.
func TestSignals(t *testing.T) {
	text := strings.NewReplacer("[5nn, lda, oracle]", "[{classifier: rf, trees: 500}]", "n: 40", "n: 4000", "[30, 60]",
		"[3000]").Replace(killStudy)
	file := writeStudy(t, text)
	for _, c := range []struct {
		signals []syscall.Signal
		code    int
	}{
		{[]syscall.Signal{syscall.SIGINT}, exitDrained},
		{[]syscall.Signal{syscall.SIGTERM, syscall.SIGTERM, syscall.SIGTERM}, exitDrained},
		{[]syscall.Signal{syscall.SIGINT, syscall.SIGINT}, -1},
	} {
		t.Run(fmt.Sprint(c.signals), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "r")
			p := start(t, "run", file, "--out", dir, "-j", "1")
			journal := filepath.Join(dir, "journal", "main.jsonl")
			lines := func() int { text, _ := os.ReadFile(journal); return strings.Count(string(text), "\n") }
			waitFor(t, "the first trial", func() bool { return lines() >= 2 })
			for _, s := range c.signals {
				p.Process.Signal(s)
				waitFor(t, "the answer to the signal", func() bool {
					return strings.Contains(p.output(),
						"again to stop at once")
				})
			}
			if code := p.end(t); code != c.code {
				t.Errorf("exit %d, want %d: %s", code, c.code, p.output())
			}
			if n := lines(); n < 2 || n > 12 {
				t.Errorf("%d lines in the journal", n)
			}
			finish(t, 1, "done", "status", dir)
		})
	}
}

// If the disk is full, the run ends with an error that states this. After space was freed, the same command
// gives the same result as an undisturbed run.
func TestFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: fills seven disks")
	}
	file, want := undisturbed(t, killStudy)
	for _, limit := range []int{0, 300, 1000, 5000, 20_000, 30_000} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "r")
			finish(t, exitFailed, "file too large", fmt.Sprintf("%s=%d", maxFileBytes, limit), "run", file, "--out",
				dir)
			if exists(filepath.Join(dir, ".*.part")) || exists(filepath.Join(dir, "*", ".*.part")) {
				t.Error("a temporary file is left")
			}
			finish(t, 0, "", "run", file, "--out", dir)
			sameOutputs(t, outputs(t, dir), want)
		})
	}
	t.Run("tmpfs", func(t *testing.T) {
		dir := t.TempDir()
		if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
			t.Skipf("NOT TESTED: a file system that is really full, since none can be mounted here: %v", err)
		}
		defer syscall.Unmount(dir, syscall.MNT_DETACH)
		results := filepath.Join(dir, "r")
		finish(t, exitFailed, "no space left on device", "run", file, "--out", results)
		if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
		finish(t, 0, "", "run", file, "--out", results)
		sameOutputs(t, outputs(t, results), want)
	})
}

// All commands that only read work in a read-only folder. Commands that would write fail with a clear error.
func TestReadOnlyFolder(t *testing.T) {
	file, dir := writeStudy(t, killStudy), filepath.Join(t.TempDir(), "r")
	os.Chmod(filepath.Dir(filepath.Dir(dir)), 0o755)
	finish(t, 0, "", "run", file, "--out", dir)
	reader := "COPSE_" // no setting: this user's rights are enough
	if os.Geteuid() == 0 {
		reader = userID + "=65534" // root may write everywhere
	}
	if err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		return os.Chmod(path, info.Mode()&^0o222|0o444)
	}); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	cell := strings.Split(strings.Split(outputs(t, dir)["records.csv"], "\n")[1], ",")[1]
	finish(t, 0, "72 results done", reader, "status", dir)
	finish(t, 0, "recomputed: ok", reader, "verify", dir)
	finish(t, 0, "identical", reader, "repro", dir, cell+"/3")
	finish(t, 0, "the report in "+dir+" is up to date", reader, "run", file, "--out", dir)
	for _, folder := range []string{dir, filepath.Join(dir, "new")} {
		finish(t, exitFailed, "no write permission for the results folder "+folder, reader, "run", file, "--out",
			folder, "--replicates", "13")
	}
	p := start(t, reader, "report", dir)
	remedy := "no write permission for the results folder " + dir +
		" or its parent: copy the folder to a writable place"
	if code := p.end(t); code != exitFailed || strings.Count(p.output(), remedy) != 1 ||
		!strings.Contains(p.output(), "journal/outputs.lock: permission denied") {
		t.Errorf("exit %d, want once %q, got\n%s", code, remedy, p.output())
	}
}

// A second process on a study is refused and changes nothing, even if it has other settings.
func TestSecondProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: waits for a second process")
	}
	file, dir := writeStudy(t, killStudy), filepath.Join(t.TempDir(), "r")
	finish(t, 0, "", "run", file, "--out", dir)
	before := outputs(t, dir)
	first := flock.New(filepath.Join(dir, "journal", "main.lock"))
	if held, err := first.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	finish(t, exitFailed, "another process is running this study", "run", file, "--out", dir, "--replicates", "13")
	sameOutputs(t, outputs(t, dir), before)
	if err := first.Unlock(); err != nil {
		t.Fatal(err)
	}
	finish(t, 0, "", "run", file, "--out", dir, "--replicates", "13")
}

// Processes that run the same trials at the same time, as a scheduler may start them, repeat the work but do
// no damage.
func TestSameShardsAtOnce(t *testing.T) {
	file, want := undisturbed(t, killStudy)
	dir := filepath.Join(t.TempDir(), "r")
	var running []*process
	for _, writer := range []string{"a", "b"} {
		for _, shard := range []string{"1/2", "2/2"} {
			running = append(running, start(t, "run", file, "--out", dir, "--shard", shard, "--writer", writer))
		}
	}
	for _, p := range running {
		if code := p.end(t); code != 0 {
			t.Errorf("exit %d: %s", code, p.output())
		}
	}
	finish(t, 0, "", "report", dir)
	sameOutputs(t, outputs(t, dir), want)
	finish(t, 0, "recomputed: ok", "verify", dir)
}

// If a process dies because a fit allocates too much memory, its finished trials remain. With enough memory,
// the same command continues the run.
func TestOutOfMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT TESTED: a process without memory, since the race detector needs too much address space")
	}
	file, want := undisturbed(t, strings.Replace(killStudy, "oracle]", "glutton]", 1))
	dir := filepath.Join(t.TempDir(), "r")
	limit := fmt.Sprintf("%s=%d", maxMemory, 6<<30)
	finish(t, 2, "out of memory", limit, "run", file, "--out", dir, "-j", "1") // 2 is the Go runtime's
	journal := filepath.Join(dir, "journal", "main.jsonl")
	finished, err := os.ReadFile(journal)
	if lines := strings.Count(string(finished), "\n"); err != nil || lines < 2 || lines > 24 {
		t.Fatalf("%d lines in the journal, %v", lines, err)
	}
	finish(t, 1, "missing", "status", dir)
	finish(t, 0, "", "run", file, "--out", dir)
	if text, err := os.ReadFile(journal); err != nil || !strings.HasPrefix(string(text), string(finished)) {
		t.Errorf("finished trials have changed: %v", err)
	}
	sameOutputs(t, outputs(t, dir), want)
}
