package fielddocs

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"copse/internal/filetest"
)

var write = flag.Bool("write", false, "write stats/recipe/docs.txt")

var root = filepath.Join("..", "..")

// The embedded file contains the comments of all keys of study files.
func TestDocsAreCurrent(t *testing.T) {
	docs, err := Read(root, "param")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for _, field := range slices.Sorted(maps.Keys(docs)) {
		fmt.Fprintln(&want, field, docs[field])
	}
	file := filepath.Join(root, "stats", "recipe", "docs.txt")
	if *write {
		filetest.Write(t, file, want.String())
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("stats/recipe/docs.txt differs (error: %v); go generate . writes it", err)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module copse\n",
		"a/a.go": "package a\n\ntype T struct {\n\t// number of\n\t// trees\n\tTrees int `param:\"trees\"`\n" +
			"\t// no key\n\tDepth int\n\tPlain int `param:\"plain\"`\n}\n",
		"b/b_test.go":       "package b\n\ntype T struct {\n\t// a test\n\tA int `param:\"a\"`\n}\n",
		"other/go.mod":      "module other\n",
		"other/other.go":    "package other\n\ntype T struct {\n\t// other\n\tA int `param:\"a\"`\n}\n",
		"b/c/c.go":          "package c\n\ntype T struct {\n\t// in c\n\tA int `json:\"a\" param:\"a\"`\n}\n",
		"b/testdata/bad.go": "no Go\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		filetest.Write(t, file, text)
	}
	got, err := Read(dir, "param")
	want := map[string]string{
		"a.T.Trees": "number of trees",
		"b/c.T.A":   "in c",
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}
