package report

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"copse/stats"
	"copse/stats/records"
)

// kinds are one figure of each kind over the sample.
var kinds = map[string]func(*Figure){
	"box":  func(o *Figure) { o.Page, o.Panel = []string{"cpd"}, []string{"n"} },
	"line": func(o *Figure) { o.Kind, o.X, o.Panel, o.LogX = "line", "n", []string{"cpd"}, true },
	"cd":   func(o *Figure) { o.Kind = "cd" },
	"wins": func(o *Figure) { o.Kind, o.Champion = "wins", "slb" },
}

func draws(t *testing.T, p picture, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The same records give the same bytes in every format.
func TestFiguresAreDeterministic(t *testing.T) {
	for name, change := range kinds {
		study, records := sample(12)
		first := figures(t, study, records, change)
		study, records = sample(12)
		second := figures(t, study, records, change)
		for _, format := range Formats {
			for i := range first {
				if !bytes.Equal(draws(t, first[i], format), draws(t, second[i], format)) {
					t.Errorf("%s as %s differs from one drawing to the next", name, format)
				}
			}
		}
	}
}

// svgText returns what a drawing writes, and fails when it is not XML.
func svgText(t *testing.T, drawing []byte) (words []string) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(drawing))
	inside := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return words
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == "text"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				words = append(words, string(token))
			}
		}
	}
}

func TestBoxPages(t *testing.T) {
	study, records := sample(12)
	fail(records, "c01", "nb", 3, "no")
	pages := figures(t, study, records, kinds["box"])
	if len(pages) != 2 || pages[0].Name != "figure-gaussian" || pages[1].Title != "A sample – densities: complex" {
		t.Fatalf("pages %q, %q", pages[0].Name, pages[1].Title)
	}
	words := svgText(t, draws(t, pages[0], "svg"))
	count := func(s string) (n int) {
		for _, w := range words {
			if w == s {
				n++
			}
		}
		return n
	}
	for s, want := range map[string]int{"n = 200": 1, "n = 400": 1, "n = 1000": 1, "SLB": 3, "5-NN": 3, "NB": 3, "test error (%)": 2, "12": 8, "11": 1, "failed": 3} {
		if count(s) != want {
			t.Errorf("%q is written %d times, want %d; all: %q", s, count(s), want, words)
		}
	}
	mean := stats.Summarize(mustValues(records, "c00", "oracle")).Mean * 100
	if want := "Bayes " + number(math.Round(mean*100)/100) + "%"; count(want) != 1 {
		t.Errorf("no reference line %q", want)
	}
	for _, want := range []string{"Test error (%) of SLB, 5-NN, NB.", "type 7", "1.5 interquartile ranges", "mean of Bayes", "failed fits"} {
		if !strings.Contains(pages[0].Caption, want) {
			t.Errorf("caption lacks %q: %s", want, pages[0].Caption)
		}
	}
}

func mustValues(rows *records.Records, cell, classifier string) []float64 {
	for _, c := range rows.Cells() {
		if c.ID == cell {
			values, _ := c.Values(records.ErrorRate, classifier)
			return values
		}
	}
	panic("no cell " + cell)
}

// The panels of a page share one axis that holds every value.
func TestBoxAxisHoldsAllValues(t *testing.T) {
	study, records := sample(12)
	s := newSource(study, records, DefaultInference())
	m, _ := newMeasure("error", "fraction")
	b := boxDrawing{source: s, options: DefaultFigure(), measure: &m}
	for _, c := range s.cells {
		panel := boxPanel{reference: math.NaN()}
		for _, id := range records.Classifiers {
			values, failed := s.values(&c, &m, id)
			panel.boxes = append(panel.boxes, boxItem{id, values, failed})
		}
		b.panels = append(b.panels, panel)
	}
	b.measureUp()
	for _, r := range records.Rows {
		if r.Error < b.low || r.Error > b.high {
			t.Fatalf("%v lies outside the axis [%v, %v]", r.Error, b.low, b.high)
		}
	}
}

func TestCurves(t *testing.T) {
	study, rows := sample(12)
	s := newSource(study, rows, DefaultInference())
	m, _ := newMeasure("error", "fraction")
	l := lineDrawing{source: s, options: Figure{X: "n", Band: "2se"}, measure: &m}
	points, err := s.groups(s.cells[:3], []string{"n"})
	if err != nil {
		t.Fatal(err)
	}
	curves, err := l.curves([]string{"nb", "slb"}, points)
	if err != nil {
		t.Fatal(err)
	}
	for k, id := range []string{"nb", "slb"} {
		if !slices.Equal(curves[k].x, []float64{200, 400, 1000}) {
			t.Errorf("%s is drawn at %v", id, curves[k].x)
		}
		for i, c := range s.cells[:3] {
			want := c.Summary(records.ErrorRate, id)
			if curves[k].mean[i] != want.Mean || curves[k].spread[i] != 2*want.SD/math.Sqrt(12) {
				t.Errorf("%s at %v: %v +- %v, want %v +- %v", id, curves[k].x[i], curves[k].mean[i], curves[k].spread[i], want.Mean, 2*want.MCSE)
			}
		}
	}
}

func TestFigureMistakes(t *testing.T) {
	study, records := sample(3)
	s := newSource(study, records, DefaultInference())
	for want, change := range map[string]func(*Figure){
		`horizontal factor cpd: level "gaussian" is not a number`: func(o *Figure) { o.Kind, o.X = "line", "cpd" },
		`no factor ""`:                func(o *Figure) { o.Kind = "line" },
		`no factor "m"`:               func(o *Figure) { o.Page = []string{"m"} },
		`champion "svm"`:              func(o *Figure) { o.Kind, o.Champion = "wins", "svm" },
		`at least two classifiers`:    func(o *Figure) { o.Kind, o.Columns = "cd", []string{"nb", "oracle"} },
		`ranks need an error rate`:    func(o *Figure) { o.Kind, o.Metric = "cd", "fit_seconds" },
		`unknown kind "pie"`:          func(o *Figure) { o.Kind = "pie" },
		`no classifier "rf"; the rec`: func(o *Figure) { o.Columns = []string{"rf"} },
	} {
		o := DefaultFigure()
		change(&o)
		if _, err := s.figure(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Studies that have only begun, or failed, are drawn all the same.
func TestFiguresOfPoorRecords(t *testing.T) {
	for name, spoil := range map[string]func(*records.Records){
		"single replicate": func(r *records.Records) { *r = *onlyReplicate(r, 1) },
		"one classifier fails throughout": func(r *records.Records) {
			for k := 1; k <= 12; k++ {
				for _, cell := range []string{"c00", "c01", "c02", "c10", "c11", "c12"} {
					fail(r, cell, "slb", k, "no")
				}
			}
		},
		"all fails": func(r *records.Records) {
			for i := range r.Rows {
				fail(r, r.Rows[i].Cell, r.Rows[i].Classifier, r.Rows[i].Replicate, "no")
			}
		},
		"equal values": func(r *records.Records) {
			for i := range r.Rows {
				r.Rows[i].Error = 0
			}
		},
		"one cell": func(r *records.Records) { r.Rows = r.Rows[:48] },
	} {
		study, records := sample(12)
		spoil(records)
		for kind, change := range kinds {
			for _, p := range figures(t, study, records, change) {
				drawing := draws(t, p, "svg")
				svgText(t, drawing)
				if bytes.Contains(drawing, []byte("NaN")) || bytes.Contains(drawing, []byte("Inf")) {
					t.Errorf("%s of %s has coordinates that are no numbers", kind, name)
				}
			}
		}
	}
}

func TestPNGSize(t *testing.T) {
	study, records := sample(12)
	p := figures(t, study, records, kinds["cd"])[0]
	config, err := png.DecodeConfig(bytes.NewReader(draws(t, p, "png")))
	if err != nil {
		t.Fatal(err)
	}
	if want := int(p.Width.Dots(dpi)); config.Width < want-1 || config.Width > want+1 {
		t.Errorf("%d pixels wide, want %d", config.Width, want)
	}
}

// PDF text, read back by poppler, is that of the figure, in Unicode.
func TestPDFText(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("SKIPPED: pdftotext (Debian's poppler-utils) is not installed")
	}
	study, records := sample(12)
	study.Title = "Größe ≤ 5 – test"
	p := figures(t, study, records, kinds["box"])[0]
	command := exec.Command(tool, "-", "-")
	command.Stdin = bytes.NewReader(draws(t, p, "pdf"))
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Größe ≤ 5 – test – densities: gaussian", "n = 1000", "SLB", "5-NN", "test error (%)", "quartiles and median"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in the PDF:\n%s", want, out)
		}
	}
}
