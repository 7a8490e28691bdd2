package folder

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
)

func texts(named map[string]string) []Output {
	var list []Output
	for name, text := range named {
		list = append(list, Output{name, saying(text)})
	}
	slices.SortFunc(list, func(a, b Output) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// replace writes outputs with these texts and without sources.
func replace(t *testing.T, dir string, named map[string]string) (renamed []string) {
	t.Helper()
	renamed, err := Replace(dir, nil, texts(named))
	if err != nil {
		t.Fatal(err)
	}
	return renamed
}

// A later report removes outputs that it no longer makes. It renames the ones that were changed after the report
// wrote them, so that no table with former numbers keeps the name of an output.
func TestReplaceRemovesTheObsolete(t *testing.T) {
	dir := t.TempDir()
	replace(t, dir, map[string]string{"figures/a.svg": "a", "figures/b.svg": "b",
		"figures/edited.svg": "c", "tables/t.md": "t", Page: "p"})
	filetest.Write(t, filepath.Join(dir, "figures/edited.svg"), "by hand")
	filetest.Write(t, filepath.Join(dir, "figures/own.svg"), "own")
	renamed := replace(t, dir, map[string]string{"figures/a.svg": "new", Page: "p"})
	if len(renamed) != 1 {
		t.Fatalf("%q", renamed)
	}
	for name, want := range map[string]string{"figures/a.svg": "new", "figures/b.svg": "",
		"figures/edited.svg": "", "figures/edited.svg.kept": "by hand", "figures/own.svg": "own", "tables/t.md": "",
		Page: "p"} {
		if content, _ := os.ReadFile(filepath.Join(dir, name)); string(content) != want {
			t.Errorf("%s is %q, want %q", name, content, want)
		}
	}
	list, _, err := readChecksums(dir)
	if err != nil || len(list) != 2 {
		t.Fatalf("listed: %v, %v", list, err)
	}
	if sum, _ := Digest(filepath.Join(dir, "figures/a.svg")); !slices.Equal(list["figures/a.svg"], []string{sum}) {
		t.Errorf("listed: %v, is %s", list, sum)
	}
}

// Whatever the list contains, a report deletes only tables and figures.
func TestOutputsListDeletesOnlyOutputs(t *testing.T) {
	for _, name := range []string{"../escape", Records, Study, Manifest, "journal/1.jsonl", "tables/../records.csv",
		"figures/", "tables/a/b", "/etc/passwd"} {
		dir := t.TempDir()
		filetest.Write(t, filepath.Join(dir, Records), "records")
		sum, err := Digest(filepath.Join(dir, Records))
		if err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, filepath.Join(dir, Outputs), sum+"  "+name+"\n")
		_, err = Replace(dir, nil, nil)
		errtest.Case(t, name).Contains(err, Outputs+", line 1: expected a checksum and the name of a table or figure")
		if _, err := os.Stat(filepath.Join(dir, Records)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If an output cannot be made or written, the old one stays unchanged.
func TestReplaceKeepsTheOldOne(t *testing.T) {
	dir := t.TempDir()
	replace(t, dir, map[string]string{"tables/a.md": "old"})
	fails := func(io.Writer) error { return errors.New("broken") }
	broken := append(
		texts(map[string]string{"tables/0.md": "new"}),
		Output{"tables/a.md", fails},
		Output{"tables/b.md", fails},
	)
	_, err := Replace(dir, nil, broken)
	errtest.Equal(t, err, "tables/a.md: broken\ntables/b.md: broken")
	if content := filetest.Read(t, filepath.Join(dir, "tables/a.md")); content != "old" {
		t.Errorf("content %q", content)
	}
	blocked := t.TempDir()
	filetest.Write(t, filepath.Join(blocked, Tables), "a file")
	if _, err := Replace(blocked, nil, texts(map[string]string{"tables/a.md": "new"})); err == nil {
		t.Error("a file named tables is not an error")
	}
}

// A report renames files of other origin that have the name of an output, whatever they are.
func TestReplaceSetsAside(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, Page), "somebody's page")
	filetest.Write(t, filepath.Join(dir, "tables/t.md"), "somebody's table")
	list := map[string]string{"tables/t.md": "t", Page: "p"}
	for k, want := range []string{".kept", ".kept2"} {
		renamed := replace(t, dir, list)
		if len(renamed) != 2-k {
			t.Fatalf("%q", renamed)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "tables/t.md"+want)); len(text) == 0 {
			t.Errorf("no tables/t.md%s among %q", want, renamed)
		}
		filetest.Write(t, filepath.Join(dir, "tables/t.md"), "edited")
	}
	if text := filetest.Read(t, filepath.Join(dir, Page+".kept")); text != "somebody's page" {
		t.Errorf("the page became %q", text)
	}
}

// If a report was killed between two writes, the next report still recognises all of its files.
func TestReplaceAfterAKill(t *testing.T) {
	for killed := range 4 {
		dir := t.TempDir()
		replace(t, dir, map[string]string{"tables/a.md": "a", "tables/b.md": "b", Page: "1"})
		list := texts(map[string]string{"tables/a.md": "A", "tables/c.md": "C", Page: "2"})
		before, _, err := readChecksums(dir)
		if err != nil {
			t.Fatal(err)
		}
		now, contents, err := render(list)
		if err != nil {
			t.Fatal(err)
		}
		if err := before.mergedWith(now).write(dir, nil); err != nil {
			t.Fatal(err)
		}
		for i := range killed {
			filetest.Write(t, filepath.Join(dir, list[i].Name), string(contents[i]))
		}
		if renamed := replace(t, dir, map[string]string{"tables/a.md": "third", Page: "3"}); len(renamed) > 0 {
			t.Errorf("killed after %d: %q", killed, renamed)
		}
		if c, err := CheckOutputs(dir); err != nil || len(c.Listed) != 2 || len(c.Problems) > 0 {
			t.Errorf("killed after %d: %+v, %v", killed, c, err)
		}
	}
}

func TestCheckOutputs(t *testing.T) {
	edit := func(path string) { filetest.Write(t, path, "edited") }
	remove := func(path string) { filetest.Remove(t, path) }
	for _, test := range []struct {
		file    string
		change  func(path string)
		problem string
		notKept []string
	}{
		{"tables/a.md", edit, "tables/a.md has changed since it was written with the report", nil},
		{Page, edit, "report.html has changed", nil},
		{"tables/b.md", edit, "tables/b.md was not written by copse", nil},
		{"tables/a.md", remove, "tables/a.md is missing, but outputs.sha256 lists it", nil},
		{Page, remove, "", []string{Page}},
		{"figures/a.pdf", remove, "", []string{"figures/a.pdf"}},
		{"", func(string) {}, "", nil},
	} {
		dir := t.TempDir()
		replace(t, dir, map[string]string{"tables/a.md": "a", "figures/a.pdf": "f", Page: "p"})
		test.change(filepath.Join(dir, test.file))
		c, err := CheckOutputs(dir)
		if err != nil || !slices.Equal(c.Listed, []string{"figures/a.pdf", Page, "tables/a.md"}) ||
			!slices.Equal(c.NotKept, test.notKept) {
			t.Errorf("%s: %+v, %v", test.file, c, err)
		}
		problems := strings.Join(c.Problems, "\n")
		if !strings.Contains(problems, test.problem) || test.problem == "" && problems != "" {
			t.Errorf("%s: problems %q, want %q", test.file, problems, test.problem)
		}
	}
}

// outputs.sha256 contains the sources of the last report, which are not outputs.
func TestOutputsListSources(t *testing.T) {
	dir := t.TempDir()
	for _, sources := range [][]string{nil, {"1234  records.csv", "5678  study.yaml"}, {"9abc  records.csv"}} {
		if _, err := Replace(dir, sources, texts(map[string]string{"tables/a.md": "a"})); err != nil {
			t.Fatal(err)
		}
		c, err := CheckOutputs(dir)
		if err != nil || !slices.Equal(c.Listed, []string{"tables/a.md"}) || len(c.Problems) > 0 ||
			!slices.Equal(c.Sources, sources) {
			t.Errorf("sources %q: %+v, %v", sources, c, err)
		}
	}
}
