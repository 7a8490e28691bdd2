// Package filetest reads, writes and removes files in tests. A test ends if this fails.
package filetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write writes a text file and makes the folders above it.
func Write(t testing.TB, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Remove removes a file, or a folder with its content. The file or folder must exist.
func Remove(t testing.TB, path string) {
	t.Helper()
	_, err := os.Lstat(path)
	if err == nil {
		err = os.RemoveAll(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}
