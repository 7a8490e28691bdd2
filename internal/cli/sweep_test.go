package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/internal/toys"
)

// The records describe the study as it is now, whether --set or an editor changed it. A note names results
// that leave the records. They return with their study, without a new fit.
func TestSweepsLoseNothing(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	run := func(args ...string) (out, errOut string) {
		return succeed(t, append([]string{"run", file, "--out", dir}, args...)...)
	}
	read := func(name string) string {
		return filetest.Read(t, filepath.Join(dir, name))
	}
	run()
	filetest.Remove(t, filepath.Join(dir, "journal")) // as version control brings them
	before := read("records.csv") + read("tables/small.md")
	for _, c := range []struct{ set, note string }{
		{"classifiers.5nn.k=3", "note: the records omit 8 results of 5nn with other settings; these results stay in " +
			"the journals"},
		{"classifiers=[5nn, oracle]", "8 results of lda, which the study no longer has"},
		{"data.test.n=51", "note: the records omit 32 results of other data"},
		{"replicates=1", "18 results of replicates above 1"},
		{"design.n=30,90", "28 results of other cells (n = 60)"},
	} {
		attempt(t, "check", file, "--out", dir, "--set", c.set, "--pilot", "0s").prints(c.note)
		out, _ := run("--set", c.set)
		texttest.Case(t, c.set).Contains(out, c.note)
		if read("records.csv")+read("tables/small.md") == before {
			t.Errorf("--set %s had no effect", c.set)
		}
		_, errOut := run()
		if !strings.Contains(errOut, "nothing to run") || read("records.csv")+read("tables/small.md") != before {
			t.Errorf("after --set %s the study has other results than before:\n%s", c.set, errOut)
		}
	}
}

// When a run begins, it states why stored results do not suffice. It compares the data with those of the latest
// run, even if the folder also has results of other data.
func TestRunExplainsMissingResults(t *testing.T) {
	file, dir := writeStudy(t, smallStudy), filepath.Join(t.TempDir(), "r")
	run := func(args ...string) outcome {
		return attempt(t, append([]string{"run", file, "--out", dir, "--replicates", "1"}, args...)...)
	}
	if first := run(); strings.Contains(first.errOut, "new cell") {
		t.Errorf("the first run explains that all cells are new: %s", first.errOut)
	}
	run("--set", "data.test.n=60").logs("small: 6 results: changed data: was test=[25 25], is test=[30 30]")
	run() // makes the original data the latest
	run("--set", "data.test.n=70").logs("small: 6 results: changed data: was test=[25 25], is test=[35 35]")
	run("--set", "design.n=30,40,60", "--set", "classifiers.lda.priors=equal", "--set", "classifiers.5nn.k=3",
		"--replicates", "2").logs("small: `copse check` lists 1 more reason")
}

// report does not replace the records with an empty table if the study in the folder now has other data.
func TestReportKeepsRecordsOfOtherData(t *testing.T) {
	_, dir := runSmallStudy(t)
	before := filetest.Read(t, filepath.Join(dir, "records.csv"))
	changed := strings.Replace(smallStudy, "test: {n: 50}", "test: {n: 51}", 1)
	filetest.Write(t, filepath.Join(dir, "study.yaml"), changed)
	const want = "no stored result belongs to the study in this folder: the records omit 24 results of other data"
	attempt(t, "report", dir).fails(exitFailed, want)
	if filetest.Read(t, filepath.Join(dir, "records.csv")) != before {
		t.Error("records.csv changed")
	}
}

// After a data file has changed, every command names the file and the next steps, which work: restore the file, or
// run the study again.
func TestCommandsNameAChangedDataFile(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := "x,y,class\n"
	for i := range 24 {
		rows += fmt.Sprintf("%d,%d,%c\n", i, i*i%7, 'a'+i%2)
	}
	write := func(name, text string) { filetest.Write(t, name, text) }
	write("d.csv", rows)
	write("s.yaml", "study: own\nseed: 1\nreplicates: 3\ndata: {csv: d.csv, folds: 3}\nclassifiers: [lda, nb]\n")
	write("CITATION.cff", citation)
	succeed(t, "run", "s.yaml", "--out", "r")
	loaded := toys.Open(t, "r")
	trial := loaded.Study.Cells[0].ID + "/1"
	write("d.csv", strings.Replace(rows, "\n5,", "\n6,", 1))
	const want = "d.csv has changed since the study ran: restore the file, or run the study again"
	for _, args := range [][]string{
		{"verify", "r"}, {"report", "r"}, {"pack", "r", "--out", "p.zip"}, {"plot", "r", "box"}, {"status", "r"},
		{"repro", "r", trial}, {"index", "r", "--out", "i.html"}, {"check", "s.yaml", "--out", "r", "--pilot", "0s"},
	} {
		code, out, errOut := copse(args...)
		if text := out + errOut; !strings.Contains(text, want) || code == 0 && args[0] != "check" ||
			strings.Contains(text, "differs from the journals") || strings.Contains(text, "version of copse") {
			t.Errorf("%q: exit %d\n%s", args, code, text)
		}
	}
	write("d.csv", rows)
	succeed(t, "report", "r")
	write("d.csv", rows+"9,9,a\n")
	succeed(t, "run", "s.yaml", "--out", "r")
	for _, args := range [][]string{{"verify", "r"}, {"status", "r"}, {"report", "r"}} {
		attempt(t, args...).prints().lacks("has changed")
	}
	loaded = toys.Open(t, "r")
	second := loaded.Study.Cells[0].ID + "/1"
	write("d.csv", rows) // its results are stored, too
	const other = "d.csv differs from the file behind the records; `copse report r` updates the records"
	for _, args := range [][]string{{"verify", "r"}, {"status", "r"}, {"repro", "r", second}} {
		o := attempt(t, args...)
		texttest.Case(t, args).Contains(o.out+o.errOut, other)
		o.lacks("differs from the journals", "version of copse")
	}
	succeed(t, "report", "r")
	attempt(t, "verify", "r").prints().lacks("d.csv differs")
}

// A study with fewer replicates than before has the same documents as one that never had more, except for a remark.
func TestFewerReplicates(t *testing.T) {
	file, dir, fresh := writeStudy(t, keepingStudy), filepath.Join(t.TempDir(), "r"), filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir, "--replicates", "3")
	succeed(t, "run", file, "--out", dir, "--replicates", "2")
	succeed(t, "run", file, "--out", fresh, "--replicates", "2")
	const remark = "\nThe study was run with up to 3 replicates, but the report uses only the first 2. The tests " +
		"keep their levels only if this choice did not depend on the results.\n"
	if table := filepath.Join(dir, "tables", "t.md"); strings.Count(filetest.Read(t, table), remark) != 1 {
		t.Errorf("the table lacks the remark %q:\n%s", remark, filetest.Read(t, table))
	}
	for _, name := range []string{"study.yaml", "records.csv", "tables/t.md"} {
		got, want := filetest.Read(t, filepath.Join(dir, name)), filetest.Read(t, filepath.Join(fresh, name))
		if strings.Replace(got, remark, "", 1) != want {
			t.Errorf("%s depends on results of earlier replicates", name)
		}
	}
	got, _ := succeed(t, "export", dir, "--predictions")
	if want, _ := succeed(t, "export", fresh, "--predictions"); got != want {
		t.Error("the export has predictions of other replicates")
	}
	succeed(t, "verify", dir, "--sample", "9")
	attempt(t, "status", dir).prints("8 results of replicates above 2")
}
