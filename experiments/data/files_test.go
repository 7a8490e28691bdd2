package data

import (
	"path/filepath"
	"testing"

	"copse/internal/filetest"
)

// A file with a schema has commas and decimal points. Other files of the same study may have other separators.
func TestSchemaOfOneFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.csv":         "x,class\n1.5,p\n2.5,q\n",
		"a.schema.json": `{"fields": [{"name": "x", "type": "number"}, {"name": "class", "type": "string"}]}`,
		"b.csv":         "x;class\n3,5;p\n4,5;q\n",
	} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	paths := []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")}
	file, err := NewReader(dir).Read(&Request{Files: Files{CSV: paths}})
	if err != nil {
		t.Fatal(err)
	}
	if x := file.Rows.X; file.Rows.N() != 4 || x.At(1, 0) != 2.5 || x.At(3, 0) != 4.5 {
		t.Errorf("%d rows, %v", file.Rows.N(), x.RawMatrix().Data)
	}
}

// A results folder hides a file of the working directory only if it contains a packed file of this path.
func TestFolderOf(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"own.csv", "packed.csv", "timings.csv", "r/study.yaml", "r/records.csv",
		"r/timings.csv", "r/packed.csv", "r/tables/t.csv", "own/study.yaml", "own/packed.csv"} {
		filetest.Write(t, name, "")
	}
	for _, c := range []struct{ dir, path, want string }{
		{"r", "packed.csv", "r"},
		{"r", "own.csv", "."},
		{"r", "none.csv", "."},
		{"r", "timings.csv", "."},     // a file of copse in r
		{"r", "tables/t.csv", "."},    // likewise
		{"r", "../r/packed.csv", "."}, // never packed
		{"own", "packed.csv", "."},    // no results
		{".", "packed.csv", "."},
	} {
		if got := FolderOf(c.dir, c.path); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.path, c.dir, got, c.want)
		}
	}
}
