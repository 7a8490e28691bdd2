//go:build unix

package folder

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"copse/internal/errtest"
)

// Files and locks follow the umask, so that a group can share a folder.
func TestUmask(t *testing.T) {
	dir := t.TempDir()
	old := syscall.Umask(0o002)
	defer syscall.Umask(old)
	if err := Locked(dir, func() error { return WriteFile(filepath.Join(dir, "f"), saying("x")) }); err != nil {
		t.Fatal(err)
	}
	if err := WriteProgram(filepath.Join(dir, "p"), saying("x")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"f": 0o664, outputsLock: 0o664, "p": 0o775} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

// The error for a file system without locks names it and the remedy.
func TestNoLocks(t *testing.T) {
	for _, err := range []error{syscall.ENOLCK, syscall.ENOTSUP, syscall.ENOSYS} {
		errtest.Contains(t, explain("r/journal/main.lock", err),
			"r/journal/main.lock: this file system does not support locks", "COPSE_LOCKS=off")
	}
	path := filepath.Join(t.TempDir(), "l")
	t.Setenv(locksVariable, "off")
	for range 2 {
		if _, held, err := Lock(path, 0); err != nil || !held {
			t.Errorf("%v, %v", held, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("made a lock file")
	}
}

// WriteNamed writes to a pipe and does not replace it.
func TestWriteNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip("no pipes here: ", err)
	}
	reader, err := os.OpenFile(path, os.O_RDWR, 0) // both ends, so that neither open waits
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := WriteNamed(path, saying("through")); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 16)
	if n, err := reader.Read(text); err != nil || string(text[:n]) != "through" {
		t.Errorf("%q, %v", text[:n], err)
	}
}
