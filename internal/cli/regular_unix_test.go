//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A received folder may contain named pipes and links to devices. Commands reject them and do not wait for
// their content. A link to a regular file is read.
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
				if out := outputInTime(t, args); !strings.Contains(out, "is not a regular file") {
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
