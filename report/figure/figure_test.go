package figure

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"image/png"
	"io"
	"math"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"copse/internal/errtest"
	"copse/internal/texttest"
	"copse/report/canvas"
	"copse/report/internal/fixture"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// samples returns one figure of each kind for the sample.
var samples = map[string]func(*Options){
	"box":         func(o *Options) { o.Page, o.Panel = []string{"cpd"}, []string{"n"} },
	"line":        func(o *Options) { o.Kind, o.X, o.Panel, o.LogX = "line", "n", []string{"cpd"}, true },
	"cd":          func(o *Options) { o.Kind = "cd" },
	"wins":        func(o *Options) { o.Kind, o.Champion = "wins", "slb" },
	"differences": func(o *Options) { o.Kind, o.Panel = "differences", []string{"cpd"} },
	"heat":        func(o *Options) { o.Kind = "heat" },
	"ranks":       func(o *Options) { o.Kind, o.Shown, o.Panel = "heat", "rank", []string{"cpd"} },
	"nested":      func(o *Options) { o.Kind = "nested" },
	"roc":         func(o *Options) { o.Kind = "roc" },
	"reliability": func(o *Options) { o.Kind, o.Page = "reliability", []string{"cpd"} },
	"excess":      func(o *Options) { o.Kind, o.X, o.Excess, o.Band = "line", "n", true, "quartiles" },
	"bars":        func(o *Options) { o.Kind, o.Reference, o.Panel = "bars", "nb", []string{"cpd", "n"} },
}

// The same records give the same bytes in every format.
func TestFiguresAreDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: draws every figure twice")
	}
	for name, change := range samples {
		study, records := fixture.Sample(12)
		first := figures(t, study, records, change)
		study, records = fixture.Sample(12)
		second := figures(t, study, records, change)
		for _, format := range canvas.Formats {
			for i := range first {
				if !bytes.Equal(fixture.Draws(t, first[i], format), fixture.Draws(t, second[i], format)) {
					t.Errorf("%s as %s differs from one drawing to the next", name, format)
				}
			}
		}
	}
}

func TestBoxPages(t *testing.T) {
	study, records := fixture.Sample(12)
	fixture.Fail(records, "c01", "nb", 3, "no")
	pages := figures(t, study, records, samples["box"])
	if len(pages) != 2 || pages[0].Name != "figure-gaussian" || pages[1].Title != "A sample – complex" {
		t.Fatalf("pages %q, %q", pages[0].Name, pages[1].Title)
	}
	words := fixture.Texts(t, pages[0])
	count := func(s string) (n int) {
		for _, w := range words {
			if w == s {
				n++
			}
		}
		return n
	}
	for s, want := range map[string]int{"n = 200": 1, "n = 400": 1, "n = 1000": 1, "SLB": 1, "5-NN": 1, "NB": 1,
		"test error (%)": 1, "R = 12": 0, "excluded: 1 of 12 fits failed": 1} {
		if count(s) != want {
			t.Errorf("%q is written %d times, want %d; all: %q", s, count(s), want, words)
		}
	}
	hidden := regexp.MustCompile(`fill="#ffffff"/>\n<text [^>]*>excluded: 1 of 12 fits failed<`) // lines below the note
	if !hidden.Match(fixture.Draws(t, pages[0], "svg")) {
		t.Error("the note has no white background")
	}
	texttest.Contains(t, pages[0].Caption, "Test error (%) of each classifier over R = 12 replicates.", "type 7",
		"1.5 interquartile ranges", "mean of Bayes", "failed fits")
}

const longName = "SLB, plug-in bandwidth"

// rename gives slb another name.
func rename(study *view.Study, label string) {
	for i := range study.Classifiers {
		if study.Classifiers[i].ID == "slb" {
			study.Classifiers[i].Label = label
		}
	}
}

// The HTML report names and shows the standard errors of means in box plots as tables do: pooled cells are strata, and
// folds of one data set share rows.
func TestStandardErrorsOfBoxes(t *testing.T) {
	study, rows := fixture.Sample(4)
	page := func(where records.Condition) string {
		p := figures(t, study, rows, func(o *Options) { o.Where = where })[0]
		return fixture.Render(t, p.RenderPage)
	}
	variances := 0.0 // of the means of the cells
	for _, c := range rows.Cells() {
		variances += math.Pow(stats.Summarize(mustValues(rows, c.ID, "slb")).MCSE, 2)
	}
	want := "Monte-Carlo standard error within cells: " + sheet.Fixed(100*math.Sqrt(variances)/6, 3)
	texttest.Contains(t, page(nil), want)
	const share = 0.5
	study.Sampling = map[string]view.Sampling{"c00": {Folds: 2, OneDataSet: true, TestRatio: share}}
	sd := stats.Summarize(mustValues(rows, "c00", "slb")).SD
	want = "Nadeau-Bengio standard error: " + sheet.Fixed(100*sd*math.Sqrt(1./4+share), 3)
	texttest.Contains(t, page(records.Condition{"cpd": {"gaussian"}, "n": {"200"}}), want)
}

// A page with many panels has more panels per row instead of being higher than paper, unless the study sets
// their number.
func TestRowsFitPaper(t *testing.T) {
	high := func(perRow int) vg.Length {
		study, rows := fixture.Sample(12)
		addClassifiers(&study, rows, 15)
		return figures(t, study, rows, func(o *Options) {
			o.Panel, o.PerRow = []string{"cpd", "n"}, perRow
		})[0].Height
	}
	const key = vg.Length(40)
	if got := high(0); got > 190*vg.Millimeter+key {
		t.Errorf("%v high", got)
	}
	if got := high(2); got <= 190*vg.Millimeter+key {
		t.Errorf("%v high with two per row", got)
	}
}

func mustValues(rows *records.Records, cell, classifier string) []float64 {
	for _, c := range rows.Cells() {
		if c.ID == cell {
			values, _ := c.Values(metrics.ErrorRate, classifier)
			return values
		}
	}
	panic("no cell " + cell)
}

// Shared axes cover every value of the page, and free axes those of their panel.
func TestBoxAxesHoldAllValues(t *testing.T) {
	study, rows := fixture.Sample(12)
	v := fixture.PapersView(study, rows)
	m, _ := view.NewMeasure("error", "fraction")
	axis := func(scales string) (x panels.Scale, values [][]float64) {
		r := &request{View: v, options: Options{Scales: scales, Width: "text"}, measure: &m}
		var contents []rowPanel
		for i := range v.Cells {
			content := rowPanel{dashedAt: math.NaN()}
			for _, list := range r.resultsIn(&view.Group{Cells: v.Cells[i : i+1]}, rows.Classifiers) {
				content.rows = append(content.rows, r.boxRow(&list, len(list.values)))
			}
			contents = append(contents, content)
		}
		d := newRowChart(r, panels.Scale{}, contents)
		return d.X, d.values()
	}
	shared, values := axis("shared")
	free, _ := axis("free")
	for i, list := range values {
		if len(list) != 48 {
			t.Fatalf("panel %d: %d values", i, len(list))
		}
		for _, value := range list {
			for _, s := range []panels.Range{shared.RangeOf(i), free.RangeOf(i)} {
				if value < s.Low || value > s.High {
					t.Errorf("%v is outside %v", value, s)
				}
			}
		}
	}
	if shared.RangeOf(0) != shared.RangeOf(5) || free.RangeOf(0) == free.RangeOf(5) {
		t.Error("shared axes differ, or free ones are the same")
	}
}

// Fewer than ten results are drawn as points instead of quartiles, and the key explains only points. Zeros
// and equal counts are not printed.
func TestFewResultsAreDrawnAsPoints(t *testing.T) {
	for replicates, want := range map[int]string{9: "single result", 10: "quartiles and median"} {
		study, rows := fixture.Sample(replicates)
		p := figures(t, study, rows, samples["box"])[0]
		words := fixture.Texts(t, p)
		for _, other := range []string{"single result", "quartiles and median", "failed", "R"} {
			if slices.Contains(words, other) != (other == want) {
				t.Errorf("%d replicates: %q among %q", replicates, other, words)
			}
		}
		check := texttest.Case(t, replicates)
		check.Contains(p.Caption, fmt.Sprintf("over R = %d replicates. ", replicates))
		check.ContainsIf(replicates > 9, p.Caption, "Boxes:")
	}
}

// The caption explains the note R = 0 of a classifier that runs in the cells of other panels only.
func TestCaptionsExplainNotesOfRows(t *testing.T) {
	study, rows := fixture.Sample(12)
	recordstest.Delete(rows, func(r records.Record) bool {
		return r.Classifier == "nb" && r.Levels.Of("cpd") == "complex"
	})
	p := figures(t, study, rows, func(o *Options) { o.Panel = []string{"cpd", "n"} })[0]
	hasNote := slices.Contains(fixture.Texts(t, p), "R = 0")
	if !hasNote || !strings.Contains(p.Caption, "Notes beside the rows state other values of R. ") {
		t.Errorf("note: %v; caption: %s", hasNote, p.Caption)
	}
}

func TestCurves(t *testing.T) {
	study, rows := fixture.Sample(12)
	v := fixture.PapersView(study, rows)
	m, _ := view.NewMeasure("error", "fraction")
	r := &request{View: v, options: Options{X: "n", Band: "2se"}, measure: &m}
	d := chart{request: r, ids: []string{"nb", "slb"}}
	groups, levels, err := r.byLevel(v.Cells[:3])
	if err != nil {
		t.Fatal(err)
	}
	curves := d.meanCurves(groups, levels, "2se")
	for k, id := range []string{"nb", "slb"} {
		if len(curves[k].points) != 3 {
			t.Fatalf("%s is drawn at %+v", id, curves[k].points)
		}
		for i, c := range v.Cells[:3] {
			want := c.Summary(metrics.ErrorRate, id)
			x := []float64{200, 400, 1000}[i]
			got := curves[k].points[i]
			if got.group.Cells[0].ID != c.ID {
				t.Errorf("%s: point %d is of cell %s", id, i, got.group.Cells[0].ID)
			}
			if got.group = nil; got != (point{Summary: want, x: x, low: want.Mean - 2*want.MCSE,
				high: want.Mean + 2*want.MCSE}) {
				t.Errorf("%s: %+v, want %+v at %v", id, got, want, x)
			}
		}
	}
}

// Any key that only other kinds use is a mistake.
func TestKeysOfOtherKinds(t *testing.T) {
	study, rows := fixture.Sample(3)
	v := fixture.PapersView(study, rows)
	given := map[string]func(*Options){
		"x":         func(o *Options) { o.X = "n" },
		"log2_x":    func(o *Options) { o.LogX = true },
		"band":      func(o *Options) { o.Band = "none" },
		"family":    func(o *Options) { o.Family = []string{"slb", "nb"} },
		"reference": func(o *Options) { o.Reference = "nb" },
		"champion":  func(o *Options) { o.Champion = "nb" },
		"rows":      func(o *Options) { o.Rows = []string{"n"} },
		"shown":     func(o *Options) { o.Shown = "rank" },
		"class":     func(o *Options) { o.Class = "0" },
		"bins":      func(o *Options) { o.Bins = 5 },
		"excess":    func(o *Options) { o.Excess = true },
		"cliques":   func(o *Options) { o.Cliques = "nemenyi" },

		"metric": func(o *Options) { o.Metric = "ber" },
		"scale":  func(o *Options) { o.Scale = "fraction" },
		"scales": func(o *Options) { o.Scales = "free" },
	}
	for _, f := range recipe.Fields(reflect.TypeFor[Options]()) {
		if key := f.Tag.Get("param"); f.Tag.Get("kinds") != "" && given[key] == nil {
			t.Errorf("%s is not tried", key)
		}
	}
	for _, kind := range Kinds {
		for key, give := range given {
			o := Defaults()
			o.Kind = kind.Name
			give(&o)
			_, err := Draw(v, o)
			want := fmt.Sprintf("figures of kind `%s` do not use `%s`; ", kind.Name, key)
			if refused := err != nil && strings.Contains(err.Error(), want); refused == kind.Reads(key) {
				t.Errorf("%s with %s: %v", kind.Name, key, err)
			}
		}
	}
}

func TestLineNeedsAFactor(t *testing.T) {
	study, records := fixture.Sample(3)
	study.Factors, records.Factors = nil, nil
	o := Defaults()
	o.Kind = "line"
	_, err := Draw(fixture.PapersView(study, records), o)
	errtest.Contains(t, err, "the study has no factors; choose another kind")
}

func TestFigureMistakes(t *testing.T) {
	study, records := fixture.Sample(3)
	v := fixture.PapersView(study, records)
	for want, change := range map[string]func(*Options){
		"level \"gaussian\" of factor cpd is not a number, but `x` needs a numeric factor; for other " +
			"factors, use `kind: nested` and `rows: [cpd]`": func(o *Options) { o.Kind, o.X = "line", "cpd" },
		"a figure of kind `line` needs the key `x`": func(o *Options) { o.Kind = "line" },
		`n already separates pages or panels`: func(o *Options) {
			o.Kind, o.X, o.Panel = "line", "n", []string{"cpd", "n"}
		},
		`no classifier other than the oracle`: func(o *Options) {
			o.Kind, o.X, o.Excess, o.Columns = "line", "n", true, []string{"oracle"}
		},
		`no factor "m"`: func(o *Options) { o.Page = []string{"m"} },
		`the champion "svm" is not one of the classifiers that the figure compares`: func(o *Options) {
			o.Kind, o.Champion = "wins", "svm"
		},
		`the champion "oracle" is not one of the classifiers that the figure compares by test error; choose one of ` +
			`slb, 5nn, nb`: func(o *Options) { o.Kind, o.Champion = "differences", "oracle" },
		"`family` contains \"rf\", which is not one of the columns: slb, 5nn, nb, oracle": func(o *Options) {
			o.Kind, o.Family = "cd", []string{"slb", "nb", "rf"}
		},
		"`family` contains \"5nn\", which is not one of the columns: slb, nb": func(o *Options) {
			o.Kind, o.Columns, o.Family = "heat", []string{"slb", "nb"}, []string{"slb", "5nn"}
		},
		"a figure of kind `wins` needs the key `champion`, the classifier whose wins it counts": func(o *Options) {
			o.Kind = "wins"
		},
		"a figure of kind `wins` needs a metric that is computed from predictions": func(o *Options) {
			o.Kind, o.Champion, o.Metric = "wins", "nb", "fit_seconds"
		},
		"a figure of kind `wins` compares a champion with at least one rival": func(o *Options) {
			o.Kind, o.Champion, o.Columns = "wins", "nb", []string{"nb", "oracle"}
		},
		`the columns are nb, slb and the reference is "oracle"`: func(o *Options) {
			o.Kind, o.Columns = "bars", []string{"nb", "slb"}
		},
		`the columns are oracle and the reference is "oracle"`: func(o *Options) {
			o.Kind, o.Columns = "bars", []string{"oracle"}
		},
		`a metric that is computed from predictions, but training time is not`: func(o *Options) {
			o.Kind, o.Metric = "pareto", "fit_seconds"
		},
		`"peak_memory" is not a time`: func(o *Options) {
			o.Kind, o.X = "pareto", "peak_memory"
		},
		`omits the oracle: list another`: func(o *Options) {
			o.Kind, o.Columns = "pareto", []string{"oracle"}
		},
		`at least two classifiers`: func(o *Options) {
			o.Kind, o.Columns = "cd", []string{"nb", "oracle"}
		},
		`classifiers and a metric that is computed from predictions`: func(o *Options) {
			o.Kind, o.Metric = "cd", "fit_seconds"
		},
		`unknown kind "pie"`:          func(o *Options) { o.Kind = "pie" },
		`no classifier "rf"; the rec`: func(o *Options) { o.Columns = []string{"rf"} },
		`nb is not one of the columns, which are slb, 5nn`: func(o *Options) {
			o.Columns, o.Reference = []string{"slb", "5nn"}, "nb"
		},
	} {
		o := Defaults()
		change(&o)
		_, err := Draw(v, o)
		errtest.Contains(t, err, want)
	}
}

// Figures are also drawn for studies that have only begun or failed.
func TestFiguresOfPoorRecords(t *testing.T) {
	for name, spoil := range map[string]func(*records.Records){
		"single replicate": func(r *records.Records) { *r = *fixture.OnlyReplicate(r, 1) },
		"one classifier fails throughout": func(r *records.Records) {
			for k := 1; k <= 12; k++ {
				for _, cell := range []string{"c00", "c01", "c02", "c10", "c11", "c12"} {
					fixture.Fail(r, cell, "slb", k, "no")
				}
			}
		},
		"all fails": func(r *records.Records) {
			for row := range recordstest.Each(r) {
				fixture.Fail(r, row.Cell, row.Classifier, row.Replicate, "no")
			}
		},
		"equal values": func(r *records.Records) {
			for row := range recordstest.Each(r) {
				row.Error = 0
			}
		},
		"one cell": func(r *records.Records) { r.Rows = r.Rows[:48] },
	} {
		study, records := fixture.Sample(12)
		spoil(records)
		for kind, change := range samples {
			for _, p := range figures(t, study, records, change) {
				drawing := fixture.Draws(t, p, "svg")
				fixture.SVGText(t, drawing)
				if bytes.Contains(drawing, []byte("NaN")) || bytes.Contains(drawing, []byte("Inf")) {
					t.Errorf("%s of %s has coordinates that are not numbers", kind, name)
				}
			}
		}
	}
}

// A PNG file states its printed width: 220 dots per inch of 2.54 cm are 8661 per metre.
func TestPNGSize(t *testing.T) {
	study, records := fixture.Sample(12)
	p := figures(t, study, records, samples["cd"])[0]
	file := fixture.Draws(t, p, "png")
	image, err := png.Decode(bytes.NewReader(file)) // checks the checksum of each chunk
	if err != nil {
		t.Fatal(err)
	}
	width := image.Bounds().Dx()
	if want := int(p.Width.Dots(canvas.DPI)); width < want-1 || width > want+1 {
		t.Errorf("%d pixels wide, want %d", width, want)
	}
	before, _, _ := bytes.Cut(file, []byte("IDAT"))
	if !bytes.Contains(before, []byte("pHYs\x00\x00\x21\xd5\x00\x00\x21\xd5\x01")) { // 0x21d5 is 8661
		t.Errorf("no resolution in %q", before)
	}
}

// The marks of heat maps and bars show the numbers that the caption describes: here, of the differences between two
// classifiers on R = 12 samples.
func TestMarksShowErrorsAndCounts(t *testing.T) {
	study, rows := fixture.Sample(12)
	slb, nb := mustValues(rows, "c00", "slb"), mustValues(rows, "c00", "nb")
	differences := make([]float64, len(slb))
	for i := range slb {
		slb[i] *= 100
		differences[i] = slb[i] - 100*nb[i]
	}
	spread := func(values []float64) (sd float64) {
		for _, v := range values {
			sd += math.Pow(v-plainMean(values), 2) / 11
		}
		return math.Sqrt(sd)
	}
	half := 2 * spread(differences) / math.Sqrt(12)
	signed := func(v float64) string { return strings.ReplaceAll(fmt.Sprintf("%+.2f", v), "-", "−") }
	of := fmt.Sprintf("mean test error (%%): %.2f\nstandard deviation: %.2f\nMonte-Carlo standard error: %.3f\nR: 12<",
		plainMean(slb), spread(slb), spread(slb)/math.Sqrt(12))
	mean := plainMean(differences)
	for kind, want := range map[string]string{
		"heat":  "\ngaussian, n = 200\n" + of,
		"ranks": "\nrank: 1\n" + of,
		"bars": "\ndifference in test error (percentage points): " + signed(mean) +
			"\ntwo Monte-Carlo standard errors on either side: " + signed(mean-half) + " to " + signed(mean+half) +
			"\nR: 12<",
	} {
		text := fixture.Render(t, figures(t, study, rows, func(o *Options) {
			samples[kind](o)
			if kind == "bars" {
				o.Where = records.Condition{"cpd": {"gaussian"}, "n": {"200"}}
			}
		})[0].RenderPage)
		texttest.Case(t, kind).Contains(text, want)
	}
}

// The text of a PDF, as read by poppler, equals the text of the figure, in Unicode.
func TestPDFText(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("SKIPPED: pdftotext (Debian's poppler-utils) is not installed")
	}
	study, records := fixture.Sample(12)
	rename(&study, "Größe ≤ 5 – test 𝒙 \U0001F600")
	p := figures(t, study, records, func(o *Options) { samples["box"](o) })[0]
	command := exec.Command(tool, "-", "-")
	command.Stdin = bytes.NewReader(fixture.Draws(t, p, "pdf"))
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	texttest.Contains(t, string(out), "Größe ≤ 5 – test \uFFFD \uFFFD", "n = 1000", "5-NN", "test error (%)",
		"quartiles and median")
}

// figures returns the pages of a figure with the tests of the papers and the default options after a change.
func figures(t *testing.T, study view.Study, records *records.Records, change func(*Options)) []canvas.Picture {
	t.Helper()
	o := Defaults()
	change(&o)
	return pagesOf(t, fixture.PapersView(study, records), o)
}

// captionOf returns the caption of the first page that figures returns.
func captionOf(t *testing.T, study view.Study, records *records.Records, change func(*Options)) string {
	t.Helper()
	return figures(t, study, records, change)[0].Caption
}

// pagesOf returns the pages of a figure. An error ends the test.
func pagesOf(t *testing.T, v *view.View, o Options) []canvas.Picture {
	t.Helper()
	pictures, err := Draw(v, o)
	if err != nil {
		t.Fatal(err)
	}
	return pictures
}

// A caption states the cells that the figure is restricted to, and a heading identifies a figure that has the
// title of the study.
func TestFiguresStateTheirCells(t *testing.T) {
	study, rows := fixture.Sample(6)
	for want, where := range map[string]records.Condition{
		" Cells: n = 200 or 400.": {"n": {"200", "400"}},
		" Cells: n = 200.":        {"n": {"200"}},
		"":                        nil,
	} {
		for kind, change := range map[string]func(*Options){
			"Box plots of the classifiers (test error)": func(*Options) {},
			"Observed frequencies against predicted probabilities": func(o *Options) {
				o.Kind, o.Panel = "reliability", []string{"cpd", "n"}
			},
			"Differences from the best classifier (test error)": func(o *Options) { o.Kind = "differences" },
			"Differences from NB (test error)": func(o *Options) {
				o.Kind, o.Champion = "differences", "nb"
			},
			"Cells won by NB (test error)":      func(o *Options) { o.Kind, o.Champion = "wins", "nb" },
			"Means relative to NB (test error)": func(o *Options) { o.Kind, o.Reference = "bars", "nb" },
			"Differences of n": func(o *Options) {
				o.Kind, o.Title = "differences", "Differences of n"
			},
		} {
			p := figures(t, study, rows, func(o *Options) { o.Where = where; change(o) })[0]
			if !strings.HasSuffix(p.Caption, want) || want == "" && strings.Contains(p.Caption, "Cells:") {
				t.Errorf("%s: want%s", p.Caption, want)
			}
			if svg := string(fixture.Draws(t, p, "svg")); !strings.Contains(svg, "<title>"+kind+"</title>") {
				t.Errorf("want the title %s: %.900s", kind, svg)
			}
		}
	}
}

// Figures compare with the champion of the study, unless they name another champion or do not include this classifier.
func TestFiguresUseTheChampionOfTheStudy(t *testing.T) {
	study, rows := fixture.Sample(6)
	v := fixture.PapersView(study, rows)
	v.Inference = view.Inference{Test: v.Test, Alternative: "less", Champion: "nb", Correction: "none", Alpha: v.Alpha}
	for want, change := range map[string]func(*Options){
		"Differences from NB (test error)":                  func(o *Options) {},
		"Cells won by NB (test error)":                      func(o *Options) { o.Kind = "wins" },
		"Differences from SLB (test error)":                 func(o *Options) { o.Champion = "slb" },
		"Differences from the best classifier (test error)": func(o *Options) { o.Family = []string{"slb", "5nn"} },
	} {
		o := Defaults()
		o.Kind = "differences"
		change(&o)
		pictures, err := Draw(v, o)
		if err != nil {
			t.Fatal(err)
		}
		if svg := string(fixture.Draws(t, pictures[0], "svg")); !strings.Contains(svg, "<title>"+want+"</title>") {
			t.Errorf("want the title %s: %.300s", want, svg)
		}
	}
}

// Captions of figures with tests state that the study was changed or had other numbers of replicates.
func TestCaptionsDescribeExtensions(t *testing.T) {
	for kind, hasTests := range map[string]bool{"differences": true, "wins": true, "box": false} {
		study, rows := fixture.Sample(40)
		study.Extensions, study.Most = []string{"from 20 to 40 replicates on 2026-11-24"}, 50
		study.Changes = []string{"new classifiers (nb)", "inference.alpha"}
		caption := captionOf(t, study, rows, samples[kind])
		for _, sentence := range []string{study.ExtensionSentence(), study.ChangeSentence(),
			study.ReductionSentence()} {
			if sentence == "" || strings.Contains(caption, sentence) != hasTests {
				t.Errorf("%s: the sentence %q is missing or wrong in %q", kind, sentence, caption)
			}
		}
	}
}

// Captions of all kinds count the missing results in the cells that the figure may show.
func TestCaptionsCountMissingResults(t *testing.T) {
	for kind, change := range samples {
		for level, want := range map[string]bool{"200": true, "400": false} {
			study, rows := fixture.Sample(12)
			study.Missing = []view.Missing{{Results: 5,
				Levels: records.Align([]string{"cpd", "n"}, []string{"gaussian", "200"})}}
			caption := captionOf(t, study, rows, func(o *Options) {
				change(o)
				o.Where = records.Condition{"n": {level, "1000"}}
			})
			texttest.Case(t, kind+", n="+level).ContainsIf(want, caption,
				" The study is not complete: 5 results are missing (")
		}
	}
}

// Figures of means state which means omit failed fits.
func TestCaptionsCountFailedFits(t *testing.T) {
	for _, kind := range []string{"line", "nested", "heat", "pareto", "bars"} {
		of := "Means use"
		if kind == "bars" { // of differences
			of = "Comparisons use"
		}
		study, rows := fixture.Sample(40)
		for i := range rows.Rows {
			rows.Rows[i].Fit = float64(i%7+1) / 1000
		}
		draw := func() string {
			return captionOf(t, study, rows, func(o *Options) {
				o.Kind = kind
				switch kind {
				case "line":
					o.X = "n"
				case "bars":
					o.Reference = "slb"
				}
			})
		}
		texttest.Case(t, kind).Lacks(draw(), "failed")
		fixture.Fail(rows, "c00", "slb", 1, "no")
		fixture.Fail(rows, "c00", "nb", 2, "no")
		fixture.Fail(rows, "c11", "nb", 2, "no")
		fixture.Fail(rows, "c10", "5nn", 2, "no")
		texttest.Case(t, kind).Contains(draw(), "Failed fits: NB 2 of 240; SLB, 5-NN 1 of 240 each. "+of)
	}
}

// A missing bar between two classifiers that do not differ significantly is explained.
func TestRanksNamePairsWithoutBar(t *testing.T) {
	study, rows := fixture.Sample(12)
	d := rankChart{request: &request{View: fixture.PapersView(study, rows)},
		ids: []string{"slb", "5nn", "nb"}}
	if words := d.unjoinedWords(&rankPanel{}); words != nil {
		t.Error(words)
	}
	if words := d.unjoinedWords(&rankPanel{title: "n = 5", unjoined: [][2]int{{0, 2}}}); !slices.Equal(words,
		[]string{"SLB and NB (n = 5)"}) {
		t.Error(words)
	}
}

// Figures of ranks, except for the omitted cells, and of pairs do so, too.
func TestCaptionsOfTestsCountFailedFits(t *testing.T) {
	for kind, want := range map[string]string{"cd": "Failed fits: NB 1 of 200. Ranks use",
		"wins":        "Failed fits: SLB 40 of 240; NB 1 of 240. Comparisons use",
		"differences": "Failed fits: SLB 40 of 240; NB 1 of 240. Comparisons use"} {
		study, rows := fixture.Sample(40)
		draw := func() string {
			return captionOf(t, study, rows, func(o *Options) {
				if o.Kind = kind; kind == "wins" {
					o.Champion = "5nn"
				}
			})
		}
		texttest.Case(t, kind).Lacks(draw(), "failed")
		fixture.Fail(rows, "c00", "nb", 2, "no")
		for r := range 40 {
			fixture.Fail(rows, "c11", "slb", r+1, "no")
		}
		texttest.Case(t, kind).Contains(draw(), want)
	}
}

// Every figure states the number of results behind its numbers: cells for ranks, replicates for all others.
func TestCaptionsCountReplicates(t *testing.T) {
	study, rows := fixture.Sample(12)
	for name, change := range samples {
		want := map[string]string{"cd": "over 6 blocks of the design", "excess": "R = 24 replicates",
			"differences": "R = 36 replicates"}[name]
		want = cmp.Or(want, "R = 12 replicates")
		texttest.Case(t, name).Contains(captionOf(t, study, rows, change), want)
	}
}

// Captions are for the readers of a paper, who cannot change the study.
func TestCaptionsGiveNoAdvice(t *testing.T) {
	texttest.Lacks(t, captionText, "study key", "setting", "earlier version", "copse")
}

// A classifier keeps its colour whatever else is drawn.
func TestColoursAreFixed(t *testing.T) {
	study, records := fixture.Sample(1)
	v := fixture.PapersView(study, records)
	if Colour(v, "slb") != canvas.Palette[0] || Colour(v, "nb") != canvas.Palette[2] ||
		Colour(v, "oracle") != canvas.DarkGrey {
		t.Errorf("colours %v %v %v", Colour(v, "slb"), Colour(v, "nb"), Colour(v, "oracle"))
	}
}

// Figures that pool cells state this, too, and the sentence of the study ends with a full stop.
func TestCaptionsOfFigures(t *testing.T) {
	study, records := fixture.Sample(5)
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"box pooled": {func(o *Options) { o.Panel = []string{"n"} }, "Own words. Test error (%) of"},
		"box remark": {func(o *Options) { o.Panel = []string{"n"} }, "Each panel pools 2 cells of the design, " +
			"which differ in densities."},
		"one panel": {func(o *Options) { o.Panel = []string{} }, "The figure pools 6 cells of the design"},
		"line remark": {func(o *Options) { o.Kind, o.X = "line", "n" }, "Each point pools 2 cells of the " +
			"design, which differ in densities."},
	} {
		p := figures(t, study, records, func(o *Options) { o.Caption = "Own words"; c.change(o) })[0]
		texttest.Case(t, name).Contains(p.Caption, c.want)
	}
	largest := 0.0
	for _, c := range records.Cells() {
		for _, id := range []string{"slb", "5nn", "nb", "oracle"} {
			largest = max(largest, 100*c.Summary(metrics.ErrorRate, id).MCSE)
		}
	}
	want := fmt.Sprintf("Monte-Carlo standard errors are not drawn; the largest is %s percentage points.",
		sheet.Fixed(largest, 2))
	for name, change := range map[string]func(*Options){
		"line":   func(o *Options) { o.Kind, o.X, o.Band, o.Panel = "line", "n", "none", []string{"cpd"} },
		"nested": func(o *Options) { o.Kind, o.Width = "nested", "50mm" },
	} {
		texttest.Case(t, name).Contains(captionOf(t, study, records, change), want)
	}
	texttest.Case(t, "one cell per panel").Lacks(captionOf(t, study, records, samples["box"]), "pools")
}

var (
	pdfStream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	pdfFont   = regexp.MustCompile(`/F\S+ ([0-9.]+) Tf`)
	pdfPage   = regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) `)
)

// A PDF has its printed width, and every text in the file has 8 to 9 points.
func TestTextSizesInPDF(t *testing.T) {
	study, rows := fixture.Sample(12)
	for kind, change := range samples {
		for width, points := range map[string]float64{"text": 432, "column": 84 / 25.4 * 72,
			"12.5cm": 12.5 / 2.54 * 72} {
			for _, p := range figures(t, study, rows, func(o *Options) {
				change(o)
				o.Width = width
			}) {
				file := fixture.Draws(t, p, "pdf")
				if m := pdfPage.FindSubmatch(file); m == nil {
					t.Errorf("%s: no page", kind)
				} else if w, _ := strconv.ParseFloat(string(m[1]), 64); math.Abs(w-points) > 0.01 {
					t.Errorf("%s: %v points wide, want %v", kind, w, points)
				}
				texts := 0
				for _, stream := range pdfStream.FindAllSubmatch(file, -1) {
					r, err := zlib.NewReader(bytes.NewReader(stream[1]))
					if err != nil {
						continue // a font
					}
					content, _ := io.ReadAll(r)
					for _, m := range pdfFont.FindAllSubmatch(content, -1) {
						texts++
						if size, err := strconv.ParseFloat(string(m[1]), 64); err != nil || size < 8 || size > 9 {
							t.Errorf("%s at %s: text of %s points", kind, width, m[1])
						}
					}
				}
				if texts < 4 {
					t.Errorf("%s: %d texts found", kind, texts)
				}
			}
		}
	}
}

// A metric that the records lack is an error for every kind of figure that shows a metric.
func TestMetricThatRecordsLack(t *testing.T) {
	study, rows := fixture.Sample(3)
	for name, change := range samples {
		o := Defaults()
		change(&o)
		o.Metric = "auc"
		_, err := Draw(fixture.PapersView(study, rows), o)
		const want = "the records contain no AUC: add `metrics: [auc]` to the study and run it again"
		errtest.Case(t, name).Equal(err, want)
	}
}

// Results on training rows are not tested.
func TestTrainingRowsAreNotTested(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Sampling = map[string]view.Sampling{"c00": {OnTrainingRows: true}}
	v := fixture.PapersView(study, rows)
	for _, kind := range []string{"differences", "wins"} {
		o := Defaults()
		o.Kind = kind
		if kind == "wins" {
			o.Champion = "nb"
		}
		_, families, err := DrawAndName(v, o, kind)
		want := kind + " need tests, but results on training rows (`scored: training`) are not tested"
		if err == nil || !strings.Contains(err.Error(), want) || len(families) > 0 {
			t.Errorf("%s: %v, %+v", kind, err, families)
		}
	}
	o := Defaults()
	o.Kind, o.Cliques = "cd", "nemenyi"
	pictures, families, err := DrawAndName(v, o, "ranks")
	if err != nil || len(families) > 0 {
		t.Fatalf("%v, %+v", err, families)
	}
	want := "The ranks are not tested, because results on training rows do not measure the accuracy on new rows."
	caption := pictures[0].Caption
	texttest.Contains(t, caption, want)
	texttest.Lacks(t, caption, "Nemenyi")
}
