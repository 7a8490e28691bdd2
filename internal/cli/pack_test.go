package cli

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/filetest"
)

const citation = "cff-version: 1.2.0\ntitle: x\nauthors: [{given-names: Ada, family-names: Lovelace}]\nlicense: " +
	"CC-BY-4.0\n"

// unzip extracts an archive into a folder.
func unzip(t *testing.T, file string) (dir string, names []string) {
	t.Helper()
	archive, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	dir = t.TempDir()
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		filetest.Write(t, path, string(text))
		names = append(names, f.Name)
	}
	return dir, names
}

// A crate is a results folder: verify, report and pack work as in the folder from which it was made. The
// crate names the data files of the study and contains them on request.
func TestPack(t *testing.T) {
	ofCopse := filetest.Read(t, "../../CITATION.cff")
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		filetest.Write(t, name, text)
	}
	var rows strings.Builder
	rows.WriteString("a,b,class\n")
	for i := range 60 {
		rows.WriteString([]string{"1", "2", "4"}[i%3] + "," + []string{"3", "5"}[i%2] + "," +
			[]string{"x", "y"}[i/2%2] + "\n")
	}
	write("own.csv", rows.String())
	write("study.yaml", "study: packed\nseed: 3\nreplicates: 4\ndata: {csv: own.csv, holdout: 0.5}\nclassifiers: "+
		"[5nn, lda]\npredictions: keep\nreport: {figures: [{name: box}]}\n"+
		"published: [{file: printed/t.csv, columns: {}, replicates: 10}]\n")
	if err := os.Mkdir("printed", 0o777); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join("printed", "t.csv"), "classifier,mean_error,sd_error\nlda,0.3,0.1\n")
	succeed(t, "run", "study.yaml", "--out", "r")
	attempt(t, "pack", "r").fails(exitUsage, "no CITATION.cff in r or the")
	write("CITATION.cff", ofCopse)
	attempt(t, "pack", "r").fails(exitUsage, "describes copse, not your results")
	write("CITATION.cff", citation)
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"pack", "r"}, {"pack", "r", "--out", "again.zip"}, {"pack", "r", "--data",
		"--out", "data.zip"}} {
		code, out, errOut := copse(args...)
		packed := "packed " + filepath.Join(working, "printed", "t.csv") + "\n"
		const authors = "authors in CITATION.cff: Ada Lovelace\n"
		const note = "readers must unpack the file into a folder named \"r\"\n"
		if code != 0 || !strings.Contains(out, packed) || !strings.Contains(out, note) ||
			!strings.HasSuffix(out, authors) {
			t.Fatalf("%v: exit %d, %s; no %q or no %q in %s", args, code, errOut, packed, authors, out)
		}
	}
	first := filetest.Read(t, "packed.crate.zip")
	if filetest.Read(t, "again.zip") != first {
		t.Error("the same folder gives other bytes")
	}
	dir, names := unzip(t, "packed.crate.zip")
	for _, want := range []string{"study.yaml", "records.csv", "timings.csv", "manifest.json", "report.html",
		"figures/box.pdf", "predictions/sha256sums", "protocol.md", "SHA256SUMS",
		"ro-crate-metadata.json", "printed/t.csv"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	for _, name := range names {
		if name == "own.csv" || strings.HasPrefix(name, "journal") {
			t.Errorf("packed %s", name)
		}
	}
	succeed(t, "verify", dir)
	redrawn := filepath.Join(t.TempDir(), "r")
	if err := os.CopyFS(redrawn, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	succeed(t, "report", redrawn)
	for _, name := range []string{"report.html", "outputs.sha256"} {
		if filetest.Read(t, filepath.Join(redrawn, name)) != filetest.Read(t, filepath.Join(dir, name)) {
			t.Errorf("in a folder with the same name, copse report draws another %s", name)
		}
	}
	if _, names := unzip(t, "data.zip"); !slices.Contains(names, "own.csv") {
		t.Errorf("--data packed %v", names)
	}
	write(filepath.Join(dir, "CITATION.cff"), citation)
	succeed(t, "pack", dir, "--out", "inside.zip")
	if err := errors.Join(os.Rename("printed", "elsewhere"), os.Symlink("elsewhere", "printed")); err != nil {
		t.Fatal(err)
	}
	refusal := filepath.Join(working, "printed", "t.csv") + " cannot be packed, because it is a symbolic"
	attempt(t, "pack", "r", "--out", "linked.zip").fails(exitFailed, refusal)
	write(filepath.Join("r", "tables", "results.md"), "edited")
	attempt(t, "pack", "r", "--out", "edited.zip").fails(exitFailed,
		"r cannot be packed until this problem is fixed: tables, figures and page")
	if exists("edited.zip") {
		t.Error("an edited table was packed")
	}
	t.Chdir(t.TempDir())
	succeed(t, "report", dir)
}

// A crate with data can be checked and packed from any folder: copse finds the study's files in the results folder,
// even if the working directory has other files of the same names. Without data, the protocol takes the numbers of rows
// from the manifest.
func TestPackedData(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	filetest.Write(t, "data/own.csv", "a,b,class\n"+strings.Repeat("1,3,x\n2,5,y\n4,3,x\n1,5,y\n2,3,y\n", 12))
	filetest.Write(t, "data/own.schema.json", `{"fields": [{"name": "b", "type": "string"}]}`)
	filetest.Write(t, "study.yaml", "study: packed\nseed: 3\nreplicates: 4\ndata: {csv: data/own.csv, holdout: 0.25}\n"+
		"classifiers: [nb, chow-liu]\n")
	filetest.Write(t, "CITATION.cff", citation)
	succeed(t, "run", "study.yaml", "--out", "r")
	succeed(t, "pack", "r", "--data", "--out", "data.zip")
	succeed(t, "pack", "r", "--out", "bare.zip")
	withData, _ := unzip(t, "data.zip")
	bare, _ := unzip(t, "bare.zip")
	t.Chdir(t.TempDir())
	succeed(t, "verify", withData, "--sample", "4")
	succeed(t, "check", filepath.Join(withData, "study.yaml"), "--pilot", "0s")
	attempt(t, "protocol", bare).prints("rows of data/own.csv: 60 rows, 2 columns, classes: x 40.0%, y 60.0%",
		"| data/own.csv | 45 | 15 |")
	succeed(t, "pack", withData, "--data", "--citation", filepath.Join(home, "CITATION.cff"), "--out", "again.zip")
	if _, names := unzip(t, "again.zip"); !slices.Contains(names, "data/own.csv") ||
		!slices.Contains(names, "data/own.schema.json") {
		t.Errorf("packed again without data: %v", names)
	}
	filetest.Write(t, "data/own.csv", "a,class\n1,x\n2,y\n") // of another study
	succeed(t, "verify", withData, "--sample", "4")
	file := filepath.Join(withData, "data", "own.csv")
	filetest.Write(t, file, strings.Replace(filetest.Read(t, file), "1,3,x", "1,4,x", 1))
	edited := attempt(t, "verify", withData, "--sample", "0")
	edited.check(exitFailed, edited.out, "standard output", []string{"data/own.csv has changed since the study ran"})
}

// packedStudy runs and packs a small study in a temporary working directory. It returns the folder with the unpacked
// archive and the names of its files.
func packedStudy(t *testing.T) (dir string, names []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	filetest.Write(t, "CITATION.cff", citation)
	succeed(t, "run", writeStudy(t, smallStudy), "--out", "r")
	succeed(t, "pack", "r", "--out", "r.zip")
	return unzip(t, "r.zip")
}

// Verify notices edits of all files of an unpacked archive, and lists files that are not from the archive. The owner of
// the folder may change and pack it again.
func TestVerifyPacked(t *testing.T) {
	dir, names := packedStudy(t)
	verify := func() outcome { return attempt(t, "verify", dir, "--sample", "0") }
	verify().prints(fmt.Sprintf("%s: archive: ok (SHA-256 of %d files)\n", dir, len(names)-1))
	restored := map[string]string{}
	for _, name := range []string{"protocol.md", "ro-crate-metadata.json", "SHA256SUMS"} {
		restored[name] = filetest.Read(t, filepath.Join(dir, name))
	}
	for name, want := range map[string]string{"protocol.md": "protocol.md has changed since it was packed",
		"ro-crate-metadata.json": "ro-crate-metadata.json has changed since it was packed",
		"SHA256SUMS":             fmt.Sprintf("SHA256SUMS, line %d: expected a checksum and a file", len(names))} {
		filetest.Write(t, filepath.Join(dir, name), restored[name]+" \n")
		edited := verify()
		edited.check(exitFailed, edited.out, "standard output", []string{want})
		filetest.Write(t, filepath.Join(dir, name), restored[name])
	}
	isManifest := func(line string) bool { return strings.HasSuffix(line, "  manifest.json\n") }
	lines := slices.DeleteFunc(strings.SplitAfter(restored["SHA256SUMS"], "\n"), isManifest)
	filetest.Write(t, filepath.Join(dir, "SHA256SUMS"), strings.Join(lines, ""))
	filetest.Write(t, filepath.Join(dir, "journal", "leases", "x"), "")
	filetest.Write(t, filepath.Join(dir, "tables.txt"), "")
	verify().prints("archive: ok", "not in SHA256SUMS: journal/, manifest.json, tables.txt)")
	filetest.Remove(t, filepath.Join(dir, "protocol.md"))
	lacking := verify()
	lacking.check(exitFailed, lacking.out, "standard output", []string{"protocol.md is missing, but SHA256SUMS lists"})
	succeed(t, "pack", dir, "--out", "again.zip")
}

// After a new report or run in an unpacked archive, the folder is still valid, and verify lists the changed files.
// Checks of their own notice edits of these files.
func TestVerifyPackedAfterRun(t *testing.T) {
	dir, _ := packedStudy(t)
	verify := func() outcome { return attempt(t, "verify", dir, "--sample", "0") }
	succeed(t, "report", dir) // the page contains the name of the folder
	verify().prints("archive: ok (", "changed since packing: outputs.sha256, report.html;")
	succeed(t, "run", filepath.Join(dir, "study.yaml"), "--set", "replicates=9")
	verify().prints("archive: ok (", "manifest.json", "records.csv", "study.yaml")
	filetest.Write(t, filepath.Join(dir, "report.html"), "edited")
	edited := verify()
	edited.check(exitFailed, edited.out, "standard output", []string{"archive: ok (", "report.html has changed since"})
}

// Verify accepts checksums in the binary mode of sha256sum. Checksums of another program, without the metadata of an
// archive, do not make a folder an archive of copse.
func TestVerifyOtherSums(t *testing.T) {
	t.Chdir(t.TempDir())
	filetest.Write(t, "CITATION.cff", citation)
	succeed(t, "run", writeStudy(t, smallStudy), "--out", "r")
	succeed(t, "pack", "r", "--out", "r.zip")
	dir, names := unzip(t, "r.zip")
	sums := filepath.Join(dir, "SHA256SUMS")
	filetest.Write(t, sums, strings.ReplaceAll(filetest.Read(t, sums), "  ", " *"))
	attempt(t, "verify", dir, "--sample", "0").prints(fmt.Sprintf("archive: ok (SHA-256 of %d files)\n", len(names)-1))
	filetest.Write(t, filepath.Join("r", "SHA256SUMS"), "0123  another-program\n")
	if out, _ := succeed(t, "verify", "r", "--sample", "0"); strings.Contains(out, "archive") {
		t.Errorf("a results folder counts as an archive:\n%s", out)
	}
}
