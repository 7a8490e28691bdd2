package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The committed pages are what the code says now.
func TestPagesAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("the committed pages are compared in the full run; go generate writes them")
	}
	dir := t.TempDir()
	t.Chdir(filepath.Join("..", ".."))
	if err := writePages(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		want, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("docs", "methods", e.Name()))
		if err != nil || string(got) != string(want) && filepath.Ext(e.Name()) == ".md" {
			t.Errorf("docs/methods/%s is old (%v): go generate writes it", e.Name(), err)
		}
	}
	committed, _ := os.ReadDir(filepath.Join("docs", "methods"))
	if len(committed) != len(entries) {
		t.Errorf("docs/methods holds %d files, the code makes %d", len(committed), len(entries))
	}
}
