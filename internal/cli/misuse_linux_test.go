package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Other names of standard output work like standard output.
func TestExportToStandardOutput(t *testing.T) {
	_, dir := runSmallStudy(t)
	if records, err := exec.Command("sh", "-c", `exec env `+actAsCopse+`=1 "$0" export "$1" --out /dev/stdout`,
		os.Args[0], dir).Output(); err != nil || !bytes.HasPrefix(records, []byte("PAR1")) {
		t.Errorf("%.20q, %v", records, err)
	}
	finish(t, 0, "24 records", "export", dir, "--out", "/dev/null")
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatalf("/dev/null: %v, %v", info, err)
	}
}

// Every verb fails if its output cannot be written.
func TestFullOutput(t *testing.T) {
	file, dir := runSmallStudy(t)
	for _, args := range [][]string{
		{"check", file, "--pilot", "0s"}, {"status", dir}, {"run", file, "--out", dir}, {"report", dir},
		{"verify", dir}, {"export", dir}, {"protocol", file},
		{"list", "classifiers", "nb"}, {"explain", "data"}, {"explain", "--format", "schema"}, {"explain", "--format",
			"markdown"},
		{"data", "list"}, {"data", "list", "iris"}, {"--version"}, {"help"}, {"submit", "slurm", file, "--tasks", "2",
			"--out", t.TempDir(), "--print"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("NOT TESTED: no /dev/full here")
		}
		var errOut bytes.Buffer
		if code := Main(args, strings.NewReader(""), full, &errOut); code != exitFailed ||
			!strings.Contains(errOut.String(), "no space left on device; free disk space, then run the same command") {
			t.Errorf("%q: exit %d, %s", args, code, errOut.String())
		}
		full.Close()
	}
}

// A folder that disappears during a run is noticed at the next finished trial.
func TestFolderRemovedDuringRun(t *testing.T) {
	text := strings.NewReplacer("replicates: 4", "replicates: 2000", "n: 50", "n: 500").Replace(smallStudy)
	dir := filepath.Join(t.TempDir(), "r")
	p := start(t, "run", writeStudy(t, text), "--out", dir, "-j", "1")
	journal := filepath.Join(dir, "journal", "main.jsonl")
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(journal); err == nil && info.Size() > 4000 {
			break
		}
		if time.Since(begun) > time.Minute {
			p.Process.Kill()
			t.Fatal("no trial within a minute: ", p.output())
		}
	}
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Fatal(err)
	}
	if code := p.end(t); code != 1 || !strings.Contains(p.output(), "removed or replaced during the run") {
		t.Errorf("exit %d: %s", code, p.output())
	}
	if _, err := os.Stat(filepath.Join(dir, "records.csv")); err == nil {
		t.Error("an empty folder was made in its place")
	}
}
