package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/figure"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// paper sets made-up numbers beside the sample.
func paper(rows *records.Records) compare.Options {
	return compare.Options{Source: "a paper & its Table 1", Missing: []string{"t.csv:9 [x]"}, Pairs: fixture.Counterparts(rows),
		Test: verdicts.AgreementOptions{Alpha: 0.05, Correction: stats.Holm}}
}

// everything is a layout with every kind of figure.
func everything() Layout {
	layout := DefaultLayout()
	layout.Tables[0].Ranks, layout.Tables[0].MCSE = true, true
	for _, f := range []figure.Options{
		{Kind: "box", Page: []string{"cpd"}, Panel: []string{"n"}},
		{Kind: "line", X: "n", Panel: []string{"cpd"}, LogX: true},
		{Kind: "cd"},
		{Kind: "wins", Champion: "slb"},
	} {
		o := figure.Defaults()
		o.Name, o.Kind, o.Page, o.Panel, o.X, o.LogX, o.Champion = f.Kind, f.Kind, f.Page, f.Panel, f.X, f.LogX, f.Champion
		layout.Figures = append(layout.Figures, o)
	}
	return layout
}

// write makes all documents and keeps them.
func write(dir string, study view.Study, rows *records.Records, layout Layout) ([]string, error) {
	documents, err := Documents(study, rows, layout, nil)
	if err != nil {
		return nil, err
	}
	return Replace(dir, documents)
}

func TestWrite(t *testing.T) {
	study, records := fixture.Sample(12)
	dir := t.TempDir()
	paths, err := write(dir, study, records, everything())
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range []string{"md", "csv", "tex", "html"} {
		want = append(want, "tables/table."+e)
	}
	for _, name := range []string{"box-gaussian", "box-complex", "line", "cd", "wins"} {
		for _, format := range canvas.Formats {
			want = append(want, "figures/"+name+"."+format)
		}
	}
	want = append(want, "figures/README.md", "figures/figures.tex", "report.html")
	before := make(map[string]string)
	for i, path := range paths {
		name, _ := filepath.Rel(dir, path)
		if i >= len(want) || filepath.ToSlash(name) != want[i] {
			t.Fatalf("files %q, want %q", paths, want)
		}
		content, err := os.ReadFile(path)
		if err != nil || len(content) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
		before[path] = string(content)
	}
	if len(paths) != len(want) {
		t.Errorf("%d files, want %d", len(paths), len(want))
	}
	if _, err := write(dir, study, records, everything()); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if content, _ := os.ReadFile(path); string(content) != before[path] {
			t.Errorf("%s differs when written again", path)
		}
	}
	filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("%s is left behind", path)
		}
		return nil
	})
}

// A later report removes what it no longer draws, but nothing that is not as a
// report wrote it.
func TestWriteRemovesTheObsolete(t *testing.T) {
	study, records := fixture.Sample(4)
	dir := t.TempDir()
	layout := everything()
	layout.Formats = []string{"svg"}
	if _, err := write(dir, study, records, layout); err != nil {
		t.Fatal(err)
	}
	path := func(name string) string { return filepath.Join(dir, "figures", name) }
	for _, name := range []string{"cd.svg", "own.svg"} {
		if err := os.WriteFile(path(name), []byte("edited by hand"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	layout.Figures = layout.Figures[:1]
	if _, err := write(dir, study, records, layout); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"box-gaussian.svg": true, "line.svg": false, "wins.svg": false, "cd.svg": true, "own.svg": true} {
		if _, err := os.Stat(path(name)); (err == nil) != want {
			t.Errorf("%s: there %t, want %t", name, err == nil, want)
		}
	}
	list, err := readOutputs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, sum := range list {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || checksum(content) != sum {
			t.Errorf("%s is not as listed: %v", name, err)
		}
	}
	if _, listed := list["figures/line.svg"]; listed || len(list) == 0 {
		t.Errorf("listed: %v", list)
	}
	for _, bad := range []string{"x\n", strings.Repeat("0", 64) + "  ../escape\n"} {
		if err := os.WriteFile(filepath.Join(dir, outputsFile), []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := write(dir, study, records, layout); err == nil || !strings.Contains(err.Error(), outputsFile+", line 1: not a checksum") {
			t.Errorf("list %q: %v", bad, err)
		}
	}
}

func TestWriteMistakes(t *testing.T) {
	study, records := fixture.Sample(2)
	layout := everything()
	layout.Figures[1].Name = "box-gaussian"
	if _, err := write(t.TempDir(), study, records, layout); err == nil || !strings.Contains(err.Error(), "figures/box-gaussian.svg: two tables or figures have this name") {
		t.Errorf("two figures of one name: %v", err)
	}
	blocked := t.TempDir()
	if err := os.WriteFile(filepath.Join(blocked, "tables"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := write(blocked, study, records, everything()); err == nil {
		t.Error("a file in the place of tables/ is no error")
	}
	records.Rows = nil
	if _, err := write(t.TempDir(), study, records, everything()); err == nil || !strings.Contains(err.Error(), "no records") {
		t.Errorf("no records: %v", err)
	}
}

// A file that cannot be written leaves the old one as it was.
func TestReplaceFileKeepsTheOldOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := replaceFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(filepath.Dir(path), ".a.part"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(path, []byte("new")); err == nil {
		t.Error("no error")
	}
	if content, _ := os.ReadFile(path); string(content) != "old" {
		t.Errorf("content %q", content)
	}
}

func TestDocumentsWithPublished(t *testing.T) {
	study, records := fixture.Sample(12)
	o := paper(records)
	documents, err := Documents(study, records, everything(), []compare.Options{o})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tables/comparison.md", "tables/comparison.csv", "tables/comparison.tex", "tables/comparison.html", "figures/comparison.pdf"} {
		if !slices.ContainsFunc(documents, func(d Document) bool { return d.Name == want }) {
			t.Errorf("no %s", want)
		}
	}
	alone, verdict, err := Compare(study, records, o, []string{"svg"})
	if err != nil || len(alone) != 5 || !strings.HasPrefix(verdict, "6 of 12") {
		t.Errorf("%d, %q, %v", len(alone), verdict, err)
	}
}
