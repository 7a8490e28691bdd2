package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/figure"
	"copse/report/internal/fixture"
	"copse/report/page"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/records/recordstest"
	"copse/stats/verdicts"
)

// paper returns made-up printed numbers for the sample.
func paper(rows *records.Records) compare.Options {
	return compare.Options{Source: "a paper & its Table 1", Missing: []string{"t.csv:9 [x]"},
		Pairs: fixture.Counterparts(rows),
		Test:  verdicts.AgreementOptions{Alpha: 0.05, Margin: 0.03}}
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
		o.Name, o.Kind, o.Page, o.Panel = f.Kind, f.Kind, f.Page, f.Panel
		o.X, o.LogX, o.Champion = f.X, f.LogX, f.Champion
		layout.Figures = append(layout.Figures, o)
	}
	return layout
}

// write puts all documents under dir and returns their names.
func write(dir string, study view.Study, rows *records.Records, layout Layout) ([]string, error) {
	made, err := Make(study, rows, layout, nil)
	if err != nil || len(made.Missing) > 0 {
		return nil, fmt.Errorf("%w, missing %v", err, made)
	}
	var names []string
	for _, d := range made.Documents {
		var b bytes.Buffer
		if err := d.Render(&b); err != nil {
			return nil, err
		}
		path := filepath.Join(dir, filepath.FromSlash(d.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			return nil, err
		}
		names = append(names, d.Name)
	}
	return names, nil
}

// Every document is written to its place and is the same when it is made again.
func TestDocuments(t *testing.T) {
	study, rows := fixture.Sample(12)
	first, second := t.TempDir(), t.TempDir()
	names, err := write(first, study, rows, everything())
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
	if !slices.Equal(names, want) {
		t.Fatalf("documents %q, want %q", names, want)
	}
	if _, err := write(second, study, rows, everything()); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		a, _ := os.ReadFile(filepath.Join(first, name))
		b, _ := os.ReadFile(filepath.Join(second, name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s: %d bytes, then %d", name, len(a), len(b))
		}
	}
}

func TestDocumentMistakes(t *testing.T) {
	study, rows := fixture.Sample(2)
	layout := everything()
	layout.Figures[1].Name = "box-gaussian"
	made, err := Make(study, rows, layout, nil)
	if err != nil || len(made.Missing) != 1 || made.Missing[0].Path() != "report.figures[1]" ||
		made.Missing[0].Err.Error() != `"box-gaussian" names a file that `+
			"`report.figures[0]` also writes; choose another name" {
		t.Errorf("two figures of one name: %v, %+v", err, made)
	}
	rows.Rows = nil
	_, err = Make(study, rows, everything(), nil)
	errtest.Case(t, "no records").Contains(err, "no records")
}

// If a document cannot be made, the others are still made, and the page states in its place why it is
// missing.
func TestMissingDocuments(t *testing.T) {
	study, rows := fixture.Sample(12)
	complete, err := Make(study, rows, everything(), nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := complete.Documents
	layout := everything()
	layout.Figures[1].X = "m" // the line
	bad := table.Defaults()
	bad.Name, bad.Rows = "bad", []string{"m"}
	layout.Tables = append([]table.Options{bad}, layout.Tables...)
	made, err := Make(study, rows, layout, nil)
	if err != nil {
		t.Fatal(err)
	}
	documents, missing := made.Documents, made.Missing
	want := []string{`report.tables[0] no factor "m"`, `report.figures[1] horizontal factor: no factor "m"`}
	var page string
	for i, m := range missing {
		if said := fmt.Sprint(m.Path(), " ", m.Err); i >= len(want) || !strings.HasPrefix(said, want[i]) {
			t.Errorf("missing %d: %s", i, said)
		}
	}
	whole = slices.DeleteFunc(whole, func(d Document) bool { return strings.HasPrefix(d.Name, "figures/line.") })
	if len(missing) != len(want) || len(documents) != len(whole) {
		t.Fatalf("%d missing of %d documents, want %d of %d", len(missing), len(documents), len(want), len(whole))
	}
	for i, d := range documents {
		page = fixture.Render(t, d.Render)
		mayDiffer := d.Name == pageName || strings.HasPrefix(d.Name, "figures/README") ||
			strings.HasPrefix(d.Name, "figures/figures")
		if d.Name != whole[i].Name || !mayDiffer && page != fixture.Render(t, whole[i].Render) {
			t.Errorf("%s differs from %s", d.Name, whole[i].Name)
		}
	}
	at := -1
	for _, part := range []string{`<figure id="table-bad">`, "Not made: no factor", `id="table-table"`,
		`<figure id="figure-box-complex" `, `<figure id="figure-line">`, "Not made: horizontal factor: no " +
			"factor", `<figure id="figure-wins" `} {
		if i := strings.Index(page, part); i <= at {
			t.Errorf("%s: at %d of the page, after %d", part, i, at)
		} else {
			at = i
		}
	}
}

// The page states why a figure is missing without backquotes.
func TestReasonsOnThePageHaveNoBackquotes(t *testing.T) {
	study, rows := fixture.Sample(12)
	layout := everything()
	layout.Figures[1].Metric = "log_loss"
	made, err := Make(study, rows, layout, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range made.Documents {
		if d.Name != pageName {
			continue
		}
		text := fixture.Render(t, d.Render)
		texttest.Contains(t, text, "add metrics: [log_loss] to")
		texttest.Lacks(t, text, "`")
	}
}

// A metric of a class with different codes in the cells, or that some cells lack, does not prevent tables of
// other metrics.
func TestMetricOfSomeClasses(t *testing.T) {
	for _, second := range [][]string{{"1", "2"}, {"only"}} {
		study, rows := fixture.Sample(12)
		study.Classes = map[string][]string{}
		for i, c := range rows.Cells() {
			study.Classes[c.ID] = []string{"0", "1"}
			if i == 1 {
				study.Classes[c.ID] = second
			}
		}
		rows.Metrics = []string{"average_precision:1", "auc"}
		for r := range recordstest.Each(rows) {
			r.Metrics = map[string]float64{"average_precision:1": 0.7, "auc": 0.8}
		}
		made, err := Make(study, rows, everything(), nil)
		if err != nil || len(made.Missing) > 0 {
			t.Fatalf("classes %v: %v, missing %v", second, err, made)
		}
		page := fixture.Render(t, made.Documents[len(made.Documents)-1].Render)
		texttest.Case(t, fmt.Sprintf("classes %v", second)).Contains(page, "table-table-auc")
	}
}

func TestDocumentsWithPublished(t *testing.T) {
	study, records := fixture.Sample(12)
	o := paper(records)
	made, err := Make(study, records, everything(), &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tables/comparison.md", "tables/comparison.csv", "tables/comparison.tex",
		"tables/comparison.html", "figures/comparison.pdf"} {
		if !slices.ContainsFunc(made.Documents, func(d Document) bool { return d.Name == want }) {
			t.Errorf("no %s", want)
		}
	}
	if !strings.HasPrefix(made.Verdict, "Compared with ") {
		t.Errorf("%q", made.Verdict)
	}
}

// In every document, text that a terminal, a browser or a spreadsheet would interpret is displayed instead.
// Drawings with such names are valid.
func TestHostileText(t *testing.T) {
	const hostile = "\x1b]0;title\x07\x1b[31m\u202e\u0085\x00\xff=HYPERLINK(\"x\") 𝒙"
	study, rows := fixture.Sample(12)
	for r := range recordstest.Each(rows) {
		if r.Levels.Of("cpd") == "gaussian" {
			r.Levels = records.Align([]string{"cpd", "n"}, []string{"=" + hostile, r.Levels.Of("n")})
		}
		if r.Classifier == "nb" {
			r.Classifier = "@nb"
		}
		r.Message = hostile
	}
	rows.Factors[0].Levels[0] = "=" + hostile
	rows.Classifiers[2] = "@nb"
	fixture.Fail(rows, "c01", "@nb", 3, hostile)
	study.Title, study.Aims, study.Source = hostile, []string{hostile}, hostile
	study.Classifiers[0].Label = hostile
	study.Classifiers[2].ID = "@nb"
	made, err := Make(study, rows, everything(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range made.Documents {
		var b bytes.Buffer
		if err := d.Render(&b); err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		if strings.HasSuffix(d.Name, ".pdf") || strings.HasSuffix(d.Name, ".png") {
			continue
		}
		if !utf8.Valid(b.Bytes()) {
			t.Errorf("%s is not UTF-8", d.Name)
		}
		for i, r := range b.String() {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%s: character %U after %q", d.Name, r, b.String()[max(0, i-20):i])
				break
			}
		}
		if strings.HasSuffix(d.Name, ".csv") {
			lines, err := csv.NewReader(&b).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range lines {
				for _, field := range line {
					if field != "" && strings.ContainsRune("=@\t\r", rune(field[0])) {
						t.Errorf("%s: a spreadsheet computes %q", d.Name, field)
					}
				}
			}
		}
		if strings.HasSuffix(d.Name, ".svg") {
			fixture.SVGText(t, b.Bytes()) // well-formed
		}
	}
}

// Readers see labels everywhere. Labels for missing levels have no effect.
func TestLabels(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Factors[1].Levels = map[string]string{"200": ""}
	layout := everything()
	layout.Labels = map[string]string{"n": "training rows", "n=200": "few training rows", "error": "risk"}
	names := t.TempDir()
	if _, err := write(names, study, rows, layout); err != nil {
		t.Fatal(err)
	}
	text := filetest.Read(t, filepath.Join(names, "figures/box-gaussian.svg"))
	words := fixture.SVGText(t, []byte(text))
	if !slices.Contains(words, "few training rows") || !slices.Contains(words, "training rows = 400") {
		t.Errorf("panels are called %q", words)
	}
	var printed strings.Builder
	if made, err := Make(study, rows, layout, nil); err != nil || made.First.Markdown(&printed) != nil ||
		!strings.Contains(printed.String(), "| training rows |") || strings.Contains(printed.String(), "test error") ||
		!strings.Contains(printed.String(), "Risk (%)") {
		t.Errorf("the table that is printed lacks the words, error %v:\n%s", err, printed.String())
	}
	var with, without strings.Builder
	for out, labels := range map[*strings.Builder]map[string]string{&with: {"m": "x", "n=300": "y"}, &without: nil} {
		layout.Labels = labels
		if made, err := Make(study, rows, layout, nil); err != nil || made.First.Markdown(out) != nil {
			t.Fatal(err)
		}
	}
	if with.String() != without.String() {
		t.Errorf("labels of missing levels changed\n%s to\n%s", without.String(), with.String())
	}
}

// Headings and alternative texts of figures/README.md distinguish figures with the same title.
func TestCaptionsHaveTheHeadingsOfTheFigures(t *testing.T) {
	drawn := withFiles("", []canvas.Picture{{Name: "a", Title: "Study", Subject: "Box plots", Caption: "One."},
		{Name: "b", Title: "Ranks", Caption: "Two."}}, []string{"svg"})
	got := fixture.Render(t, func(w io.Writer) error { return captionsMarkdown(w, "Study", drawn) })
	want := "# Figures: Study\n\n## Box plots\n\n![Box plots](a.svg)\n\nOne.\n\n## Ranks\n\n![Ranks](b.svg)\n\nTwo.\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// In LaTeX, a figure wider than a column spans both columns of a document, and the end of a long
// caption is a note below it.
func TestLatexOfFigures(t *testing.T) {
	sentence := "A sentence of the caption that is about half a line of the text long. "
	for width, want := range map[vg.Length]string{84: "figure", 152.4: "figure*"} {
		d := page.Drawing{Picture: canvas.Picture{Name: "p", Title: "Errors", Caption: strings.Repeat(sentence, 12),
			Width: width * vg.Millimeter, Height: 5 * vg.Centimeter}}
		text := latexFigure("study", d)
		if strings.Count(text, "{"+want+"}") != 2 || strings.Count(text, "A sentence") != 12 {
			t.Errorf("%v mm:\n%s", width, text)
		}
		caption, note, _ := strings.Cut(text, `\label{fig:study:p}`)
		short := strings.Count(caption, "A sentence")
		if short == 0 || short > 8 || !strings.Contains(note, "A sentence") {
			t.Errorf("%v mm: %d sentences in the caption:\n%s", width, short, text)
		}
	}
}

// A part of the report that forgets to reserve its file names cannot overwrite another file.
func TestFilesWithEqualNamesPanic(t *testing.T) {
	twice := []canvas.Picture{{Name: "errors"}, {Name: "errors"}}
	m := maker{View: &view.View{}, layout: &Layout{Formats: []string{"svg"}}}
	m.drawingsWithFiles = withFiles(figuresFolder, twice, m.layout.Formats)
	defer func() {
		texttest.Contains(t, fmt.Sprint(recover()), "two files figures/errors.svg")
	}()
	m.documents()
}
