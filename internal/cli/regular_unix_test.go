//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"copse/internal/filetest"
)

// A received folder may contain named pipes and links to devices. Commands reject them and do not wait for
// their content. Commands that write nothing read a link to a regular file.
func TestOnlyRegularFilesOfAFolderAreRead(t *testing.T) {
	file, dir := writeStudy(t, smallStudy+"predictions: keep\n"), filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir)
	predictions, err := filepath.Glob(filepath.Join(dir, "predictions", "*.csv.gz"))
	if err != nil || len(predictions) == 0 {
		t.Fatal("no predictions", err)
	}
	for _, of := range []struct{ name, commands string }{
		{"study.yaml", "status verify report run"}, {"manifest.json", "status verify report run"},
		{"journal/main.jsonl", "status verify report run"}, {"records.csv", "verify"},
		{"timings.csv", "verify"}, {"outputs.sha256", "verify report"}, {"tables/small.csv", "verify report"},
		{"predictions/sha256sums", "verify"}, {"predictions/" + filepath.Base(predictions[0]), "verify"},
	} {
		path := filepath.Join(dir, filepath.FromSlash(of.name))
		kept := path + ".kept"
		if err := os.Rename(path, kept); err != nil {
			t.Fatal(err)
		}
		for kind, replace := range map[string]func() error{
			"a pipe":   func() error { return syscall.Mkfifo(path, 0o600) },
			"a device": func() error { return os.Symlink("/dev/zero", path) },
		} {
			if err := replace(); err != nil {
				t.Fatal(err)
			}
			for _, command := range strings.Fields(of.commands) {
				args := []string{command, dir}
				if command == "run" {
					args = []string{"run", filepath.Join(dir, "study.yaml"), "--out", dir}
				}
				out := outputInTime(t, args)
				if !strings.Contains(out, "is not a regular file") && !strings.Contains(out, "is a symbolic link") {
					t.Errorf("%s: %s instead of %s:\n%s", command, kind, of.name, out)
				}
			}
			os.Remove(path)
		}
		if err := os.Symlink(kept, path); err != nil {
			t.Fatal(err)
		}
		succeed(t, "verify", dir)
		os.Remove(path)
		if err := os.Rename(kept, path); err != nil {
			t.Fatal(err)
		}
	}
}

// No verb changes files outside a results folder through a link in the folder.
func TestLinksOfAFolderAreNotFollowed(t *testing.T) {
	file, top := writeStudy(t, smallStudy+"predictions: keep\n"), t.TempDir()
	dir, outside := filepath.Join(top, "r"), filepath.Join(top, "outside")
	succeed(t, "run", file, "--out", dir)
	own := filepath.Join(dir, "study.yaml")
	for _, name := range []string{
		"journal", "journal/leases", "journal/outputs.lock", "journal/x.jsonl", "predictions", "calibration",
	} {
		path, kept := filepath.Join(dir, filepath.FromSlash(name)), filepath.Join(top, "kept")
		_ = os.Rename(path, kept) // fails if there is no such file yet
		if err := os.Symlink(outside, path); err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{
			{"run", own, "--out", dir}, {"run", own, "--out", dir, "--shard", "1/2", "--steal", "--replicates", "9"},
			{"calibrate", own, "--out", dir}, {"submit", "slurm", own, "--tasks", "2", "--out", dir}, {"report", dir},
			{"verify", dir}, {"repro", dir, "x/1"}, {"export", dir}, {"pack", dir}, {"status", dir},
		} {
			for _, target := range []string{"missing", "folder"} {
				if target == "folder" {
					must(os.Mkdir(outside, 0o777))
				}
				_, out, errOut := copse(command...)
				writes := !slices.Contains([]string{"verify", "repro", "export", "status"}, command[0])
				if writes && !strings.Contains(errOut, path+" is a symbolic link") {
					t.Errorf("%v: a link instead of %s: %s%s", command, name, out, errOut)
				}
				if err := os.Remove(outside); target == "folder" && err != nil || target == "missing" && err == nil {
					t.Errorf("%v wrote through the link %s: %v", command, name, err)
				}
			}
		}
		filetest.Remove(t, path)
		_ = os.Rename(kept, path)
	}
	link := filepath.Join(top, "link")
	must(os.Symlink(dir, link))
	succeed(t, "verify", link)
	succeed(t, "run", own, "--out", link, "--replicates", "4")
}

// outputInTime returns what a command prints. It fails the test if the command does not end.
func outputInTime(t *testing.T, args []string) string {
	t.Helper()
	ended := make(chan string, 1)
	go func() {
		_, out, errOut := copse(args...)
		ended <- out + errOut
	}()
	select {
	case text := <-ended:
		return text
	case <-time.After(time.Minute):
		t.Fatalf("%v does not end", args)
		return ""
	}
}
