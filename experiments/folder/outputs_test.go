package folder

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func texts(named map[string]string) []Output {
	var list []Output
	for name, text := range named {
		list = append(list, Output{name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }})
	}
	slices.SortFunc(list, func(a, b Output) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A later report removes what it no longer draws, but nothing that is not as a
// report wrote it; Add removes nothing.
func TestReplaceRemovesTheObsolete(t *testing.T) {
	dir := t.TempDir()
	if _, err := Replace(dir, texts(map[string]string{"figures/a.svg": "a", "figures/b.svg": "b", "figures/edited.svg": "c", "tables/t.md": "t", Page: "p"})); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "figures/edited.svg"), "by hand")
	write(t, filepath.Join(dir, "figures/own.svg"), "own")
	if _, err := Add(dir, texts(map[string]string{"tables/comparison.md": "c"})); err != nil {
		t.Fatal(err)
	}
	paths, err := Replace(dir, texts(map[string]string{"figures/a.svg": "new", Page: "p"}))
	if err != nil || len(paths) != 2 {
		t.Fatalf("%q, %v", paths, err)
	}
	for name, want := range map[string]string{"figures/a.svg": "new", "figures/b.svg": "", "figures/edited.svg": "by hand", "figures/own.svg": "own", "tables/t.md": "", "tables/comparison.md": "", Page: "p"} {
		if content, _ := os.ReadFile(filepath.Join(dir, name)); string(content) != want {
			t.Errorf("%s is %q, want %q", name, content, want)
		}
	}
	list, err := readOutputs(dir)
	if err != nil || len(list) != 1 {
		t.Fatalf("listed: %v, %v", list, err)
	}
	if sum, _ := Digest(filepath.Join(dir, "figures/a.svg")); list["figures/a.svg"] != sum {
		t.Errorf("listed: %v, is %s", list, sum)
	}
}

// The list cannot make a report delete anything but tables and figures.
func TestOutputsListIsNoListOfWhatToDelete(t *testing.T) {
	for _, name := range []string{"../escape", Records, Study, Manifest, "journal/1.jsonl", "tables/../records.csv", "figures/", "tables/a/b", "/etc/passwd"} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, Records), "records")
		sum, err := Digest(filepath.Join(dir, Records))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, Outputs), sum+"  "+name+"\n")
		if _, err := Replace(dir, nil); err == nil || !strings.Contains(err.Error(), Outputs+", line 1: not a checksum and the name of a table or figure") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, Records)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An output that cannot be made or written leaves the old one as it was.
func TestReplaceKeepsTheOldOne(t *testing.T) {
	dir := t.TempDir()
	if _, err := Replace(dir, texts(map[string]string{"tables/a.md": "old"})); err != nil {
		t.Fatal(err)
	}
	broken := []Output{{"tables/a.md", func(io.Writer) error { return errors.New("broken") }}}
	if _, err := Replace(dir, broken); err == nil || !strings.Contains(err.Error(), "tables/a.md: broken") {
		t.Errorf("error %v", err)
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "tables/a.md")); string(content) != "old" {
		t.Errorf("content %q", content)
	}
	blocked := t.TempDir()
	write(t, filepath.Join(blocked, Tables), "a file")
	if _, err := Replace(blocked, texts(map[string]string{"tables/a.md": "new"})); err == nil {
		t.Error("a file in the place of tables/ is no error")
	}
}
