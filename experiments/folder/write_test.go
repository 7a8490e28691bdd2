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

func saying(text string) func(io.Writer) error { return Literal([]byte(text)) }

// Only leftovers of copse are removed, and only from this folder, whatever its name.
func TestLeftovers(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "res[1]*?")
	gone := []string{
		".records.csv.17.part",
		"tables/.t.md.4.part",
		"bin/.copse-1.99.part",
		"journal/.imported.jsonl.5.part",
		"predictions/.c1.csv.gz.2.part",
	}
	stay := []string{
		".own.part",
		".records.csv.x.part",
		"records.csv.17.part",
		"mine/.t.md.4.part",
		"predictions/parts/.c1.csv.gz.3.part",
		"../res1/.records.csv.17.part",
	}
	for _, name := range slices.Concat(gone, stay) {
		filetest.Write(t, filepath.Join(dir, name), "text")
	}
	if err := Locked(dir, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	there := func(name string) bool { _, err := os.Stat(filepath.Join(dir, name)); return err == nil }
	for _, name := range gone {
		if there(name) {
			t.Errorf("%s stays", name)
		}
	}
	for _, name := range stay {
		if !there(name) {
			t.Errorf("%s was removed", name)
		}
	}
}

// copse never writes through a link with the name of a temporary file.
func TestWriteFileAvoidsPlantedLinks(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	filetest.Write(t, victim, "mine")
	if err := os.Symlink(victim, filepath.Join(dir, ".index.html.part")); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := WriteFile(filepath.Join(dir, "index.html"), saying("page")); err != nil {
		t.Fatal(err)
	}
	if text := filetest.Read(t, victim); text != "mine" {
		t.Errorf("became %q", text)
	}
}

// WriteNamed writes to the file that the user names: it follows links, and devices stay devices.
func TestWriteNamed(t *testing.T) {
	dir := t.TempDir()
	target, link, dangling := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	filetest.Write(t, target, "old")
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here: ", err)
	}
	os.Symlink(filepath.Join(dir, "nowhere"), dangling)
	if err := WriteNamed(link, saying("new")); err != nil {
		t.Fatal(err)
	}
	if text := filetest.Read(t, target); text != "new" {
		t.Errorf("the link's target holds %q", text)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is replaced")
	}
	for path, want := range map[string]string{dangling: "does not exist", dir: "give the name of a file"} {
		errtest.Case(t, path).Contains(WriteNamed(path, saying("x")), want)
	}
	if err := WriteNamed(filepath.Join(dir, "fresh"), saying("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err == nil && info.Mode()&os.ModeDevice != 0 {
		if err := WriteNamed(os.DevNull, saying("x")); err != nil {
			t.Error(err)
		}
		if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != info.Mode() {
			t.Errorf("%s is %v now", os.DevNull, after.Mode())
		}
	}
}

// Errors name the file that the user expects, not the temporary one.
func TestWriteFileErrorsNameTheTarget(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "taken", "file"), "text") // a folder that a file cannot replace
	for _, c := range []struct{ op, path string }{
		{"open", filepath.Join(dir, "none", "x.csv")},
		{"replace", filepath.Join(dir, "taken")},
	} {
		err := WriteFile(c.path, saying("x"))
		if err == nil || !strings.HasPrefix(err.Error(), c.op+" "+c.path+": ") ||
			strings.Contains(err.Error(), ".part") {
			t.Errorf("%v, want %s %s", err, c.op, c.path)
		}
	}
}

func TestFreshRequests(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, filepath.Join(dir, "b"), "mine")
	list := []Output{{"a", saying("a")}, {"b", saying("b")}}
	errtest.Contains(t, WriteAll(dir, list, false), "--force")
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("wrote a part")
	}
	if err := WriteAll(dir, list, true); err != nil {
		t.Error(err)
	}
}

// After each new folder its parent is synced, the lowest one first.
func TestMakeSyncsParents(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "a", "b", "c")
	var synced []string
	sync := func(dir string) error { synced = append(synced, dir); return nil }
	if err := makeFolders(dir, sync); err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Join(top, "a", "b"), filepath.Join(top, "a"), top}; !slices.Equal(synced, want) {
		t.Errorf("synced %q, want %q", synced, want)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Errorf("%v", err)
	}
	synced = nil
	if err := makeFolders(dir, sync); err != nil || synced != nil {
		t.Errorf("a folder that is there: synced %q, error %v", synced, err)
	}
	full := errors.New("input/output error")
	if err := makeFolders(filepath.Join(dir, "d"), func(string) error { return full }); !errors.Is(err, full) {
		t.Errorf("a sync that failed: %v", err)
	}
	filetest.Write(t, filepath.Join(top, "file"), "")
	if err := Make(filepath.Join(top, "file", "sub")); err == nil {
		t.Error("a folder was made below a file")
	}
}
