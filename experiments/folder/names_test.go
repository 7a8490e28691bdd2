package folder

import (
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
)

// Compressed records stay compressed. Their digest is computed from the rows.
func TestRecordsDigest(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, Records)
	filetest.Write(t, plain, "a,b\n")
	want, err := RecordsDigest(plain)
	if sum, digestErr := Digest(plain); err != nil || digestErr != nil || sum != want {
		t.Errorf("%s, %s, %v, %v", want, sum, err, digestErr)
	}
	zipped := plain + ".gz"
	file, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(file)
	z.Write([]byte("a,b\n"))
	if err := errors.Join(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if got, err := RecordsDigest(zipped); IsZipped(plain) || !IsZipped(zipped) || got != want || err != nil {
		t.Errorf("%s has %s, want %s; %v", zipped, got, want, err)
	}
	filetest.Write(t, zipped, "no gzip")
	if _, err := RecordsDigest(zipped); err == nil {
		t.Error("a damaged file has a digest")
	}
	if _, err := RecordsDigest(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestReserved(t *testing.T) {
	for path, want := range map[string]bool{
		Study: true, "journal/main.jsonl": true, "./" + Manifest: true, "tables/../tables/x": true,
		"records.csv.gz": true, "method.R": false, "data/tables/x.csv": false, "records.csv.bak": false,
	} {
		if Reserved(path) != want {
			t.Errorf("%s: reserved is not %v", path, want)
		}
	}
}

// A results folder may itself be in a folder named submit.
func TestHasResults(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"a", "submit/b", "a/submit/c", "submit/d"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"a", "submit/b"} {
		filetest.Write(t, filepath.Join(top, dir, Study), "")
		filetest.Write(t, filepath.Join(top, dir, Manifest), "")
	}
	for dir, want := range map[string]bool{
		"a": true, "submit/b": true, "a/submit/c": true,
		".": false, "submit": false, "a/submit": false, "submit/d": false,
	} {
		if HasResults(filepath.Join(top, dir)) != want {
			t.Errorf("%s: has results is not %v", dir, want)
		}
	}
	if err := os.Mkdir(filepath.Join(top, "a", Calibrated), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Study, Records, Calibration} {
		filetest.Write(t, filepath.Join(top, "a", Calibrated, name), "")
		filetest.Write(t, filepath.Join(top, "submit", "d", name), "") // a copy of a calibration
	}
	for file, want := range map[string]string{
		"a/study.yaml": "a", "a/other.yaml": "", "study.yaml": "", "a/calibration/study.yaml": "a",
		"submit/d/study.yaml": "",
	} {
		if want != "" {
			want = filepath.Join(top, want)
		}
		if got := ResultsOf(filepath.Join(top, file)); got != want {
			t.Errorf("%s belongs to %q, want %q", file, got, want)
		}
	}
	t.Chdir(filepath.Join(top, "a", Calibrated))
	if got := ResultsOf(Study); got != ".." {
		t.Errorf("in its folder, the study of a calibration belongs to %q", got)
	}
}

// copse neither writes nor reads through links in a results folder. The folder itself may be a link, and a user may
// keep other links in it.
func TestRejectLinks(t *testing.T) {
	for _, name := range []string{
		Journals, Leases, outputsLock, "journal/main.jsonl", Study, Manifest, Records, Tables, "figures/a.svg",
		Predictions, "predictions/parts", "submit/12345678", Programs, "calibration/journal",
	} {
		dir, outside := t.TempDir(), t.TempDir()
		path := filepath.Join(dir, name)
		filetest.Write(t, filepath.Join(outside, "a"), "text")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, path); err != nil {
			t.Skip("no links here: ", err)
		}
		err := Locked(dir, func() error { return nil })
		errtest.Case(t, name).Contains(err, path+" is a symbolic link")
		entries, err := os.ReadDir(outside)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: files outside: %v, %v", name, entries, err)
		}
	}
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	err := errors.Join(os.Symlink(dir, link), os.Symlink("missing", filepath.Join(dir, "data")))
	if err = errors.Join(err, Locked(link, func() error { return nil })); err != nil {
		t.Error(err)
	}
}

// The error for a read-only folder names it and the next step. Other errors do not change.
func TestUnwritable(t *testing.T) {
	for _, cause := range []error{fs.ErrPermission, syscall.EROFS} {
		if err := Unwritable("results/x", cause); !errors.Is(err, cause) ||
			!strings.Contains(err.Error(), "no write permission for the results folder results/x or its parent") {
			t.Error(err)
		}
	}
	if full := errors.New("no space left"); Unwritable("results/x", full) != full {
		t.Error("another error was changed")
	}
}
