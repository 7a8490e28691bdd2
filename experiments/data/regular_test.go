//go:build unix

package data

import (
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/dataset/csvfile"
)

// Devices, FIFOs and strange names do not block reading: they are rejected with a clear error, and other sets
// are found.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	fifo := func(name string) string {
		path := filepath.Join(dir, name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		filetest.Write(t, path, text)
		return path
	}
	write("plain.csv", "a,class\n1,x\n2,y\n")
	fifo("plain.schema.json")
	for _, path := range []string{"/dev/zero", fifo("rows.csv"), dir, filepath.Join(dir, "plain.csv")} {
		_, err := NewReader(dir).Read(&Request{Files: Files{CSV: []string{path}}})
		errtest.Case(t, path).Contains(err, "is not a regular file")
	}
	store := &Store{Folders: []string{dir}}
	fifo("iris.csv")
	fifo("mine.csv")
	write("good.csv", "a,class\n1,x\n2,y\n")
	write("good.origin.json", `{"sha256": "`+sum([]byte("a,class\n1,x\n2,y\n"))+`", "from": "here"}`)
	write("odd name.origin.json", "{}")
	write("..origin.json", "{}")
	fifo("fifo.origin.json")
	write("fifo.csv", "a,class\n1,x\n2,y\n")
	for _, name := range []string{"iris", "mine", "fifo"} {
		_, err := store.Find(name)
		errtest.Case(t, name).Contains(err, "is not a regular file")
	}
	if _, err := store.Find("good"); err != nil {
		t.Error(err)
	}
	if names, err := store.Others(); err != nil || !slices.Equal(names, []string{"fifo", "good"}) {
		t.Errorf("others %q, %v", names, err)
	}
	_, err := store.Add(filepath.Join(dir, "mine.csv"), "other", csvfile.Options{})
	errtest.Case(t, "added a FIFO").Contains(err, "is not a regular file")
}
