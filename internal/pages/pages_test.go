package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"copse/generators"
	"copse/internal/filetest"
	"copse/report/figure"
)

// The committed gallery is up to date. Its figures are compared on the platform that drew them.
func TestGalleryIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("the committed gallery is compared in the full run; go generate writes it")
	}
	dir := t.TempDir()
	t.Chdir(filepath.Join("..", ".."))
	if err := writeGallery(dir); err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadDir(filepath.Join(dir, "gallery"))
	if err != nil || len(drawn) != len(figure.Kinds) {
		t.Errorf("%d figures of %d kinds, %v", len(drawn), len(figure.Kinds), err)
	}
	names := []string{"gallery.md"}
	for _, e := range drawn {
		names = append(names, filepath.Join("gallery", e.Name()))
	}
	for _, name := range names {
		want, _ := os.ReadFile(filepath.Join(dir, name))
		got, err := os.ReadFile(filepath.Join("docs", name))
		if err != nil || string(got) != string(want) && runtime.GOARCH == "amd64" {
			t.Errorf("docs/%s differs (error: %v); go generate . writes it", name, err)
		}
	}
}

// A generator of one or two attributes has a picture, too.
func TestPictureOfFewAttributes(t *testing.T) {
	for _, d := range []int{1, 2} {
		forest := generators.NewForest()
		forest.D = d
		if err := drawSample(filepath.Join(t.TempDir(), "sample.png"), forest); err != nil {
			t.Errorf("%d attributes: %v", d, err)
		}
	}
}

// The committed pages are up to date.
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
		want := filetest.Read(t, filepath.Join(dir, e.Name()))
		got, err := os.ReadFile(filepath.Join("docs", "methods", e.Name()))
		if err != nil || string(got) != want && filepath.Ext(e.Name()) == ".md" {
			t.Errorf("docs/methods/%s differs (error: %v); go generate . writes it", e.Name(), err)
		}
	}
	committed, _ := os.ReadDir(filepath.Join("docs", "methods"))
	if len(committed) != len(entries) {
		t.Errorf("docs/methods holds %d files, the code makes %d", len(committed), len(entries))
	}
}

// Words in backquotes in a doc comment are code on the page, without backslashes.
func TestRestoreCode(t *testing.T) {
	if got := restoreCode("df is \\`t\\_df\\`, and z\\_1 stays"); got != "df is `t_df`, and z\\_1 stays" {
		t.Error(got)
	}
}
