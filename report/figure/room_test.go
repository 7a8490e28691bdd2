package figure

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/canvas"
	"copse/report/internal/fixture"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// sizes calls do with some widths and numbers of panels per row.
func sizes(do func(name string, size func(*Options))) {
	widths := []string{"text", "column", "174mm"}
	if os.Getenv("COPSE_LONG") == "" {
		widths = widths[:2]
	}
	for _, width := range widths {
		for _, perRow := range []int{0, 1, 4} {
			do(fmt.Sprintf("%s wide, %d per row", width, perRow), func(o *Options) {
				o.Width, o.PerRow = width, perRow
			})
		}
	}
}

// levelsOf renames the levels of the factor n of the sample.
func levelsOf(rows *records.Records, names ...string) {
	for k, name := range rows.Factors[1].Levels {
		for r := range recordstest.Each(rows) {
			if l := &r.Levels; l.Of("n") == name {
				*l = records.Align([]string{"cpd", "n"}, []string{l.Of("cpd"), names[k]})
			}
		}
	}
	rows.Factors[1].Levels = names
}

// No texts overlap or extend beyond the figure: ticks, titles of axes and panels, names, keys and notes. This
// holds for any length of titles, any position of levels and means, and any size of panels.
func TestTextsHaveRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: draws hundreds of figures")
	}
	samples := maps.Clone(samples)
	samples["pareto"] = func(o *Options) { o.Kind = "pareto" }
	samples["tuned"] = func(o *Options) { o.Kind = "tuned" }
	for _, kind := range kindNames() {
		if !slices.ContainsFunc(slices.Collect(maps.Values(samples)), func(change func(*Options)) bool {
			o := Defaults()
			change(&o)
			return o.Kind == kind
		}) {
			t.Errorf("no sample is a figure of kind %s", kind)
		}
	}
	for name, spoil := range map[string]func(*view.Study, *records.Records, *Options){
		"long titles": func(study *view.Study, _ *records.Records, _ *Options) {
			study.Factors[0].Label = "class-conditional densities of the variables"
			study.Factors[0].Levels = map[string]string{"gaussian": "Gaussian densities with linear dependence on " +
				"the parents", "complex": "mixtures of five Gaussian densities, none of them shared"}
		},
		"close levels": func(_ *view.Study, rows *records.Records, _ *Options) {
			levelsOf(rows, "1000", "1001", "20000000")
		},
		"fractions": func(_ *view.Study, rows *records.Records, o *Options) {
			levelsOf(rows, "0.0001", "0.5", "0.55")
			o.Scale = "fraction"
		},
		"logarithms": func(_ *view.Study, _ *records.Records, o *Options) {
			o.LogX = o.Kind == "line"
		},
		"long names": func(study *view.Study, _ *records.Records, _ *Options) { rename(study, longName) },
		"long names and close levels": func(study *view.Study, rows *records.Records, _ *Options) {
			rename(study, longName)
			levelsOf(rows, "1000", "1001", "20000000")
		},
		"times": func(_ *view.Study, _ *records.Records, o *Options) { o.Metric = "fit_seconds" },
		"few digits": func(_ *view.Study, rows *records.Records, o *Options) {
			o.Scale = "fraction"
			for r := range recordstest.Each(rows) {
				r.Error = 0.5 + r.Error/1e5
			}
		},
	} {
		for kind, change := range samples {
			o := Defaults()
			change(&o)
			sizes(func(size string, ask func(*Options)) {
				study, rows := fixture.Sample(12)
				for i := range rows.Rows {
					rows.Rows[i].Fit = math.Pow(float64(i%7+1), 5) / 1000
				}
				fixture.Fail(rows, "c00", "nb", 2, "no")
				tune(rows)
				o := Defaults()
				change(&o)
				ask(&o)
				o.Panel = []string{"cpd", "n"}
				if o.Kind == "line" || o.Kind == "nested" {
					o.Panel = []string{"cpd"}
				}
				spoil(&study, rows, &o)
				pictures, err := Draw(fixture.PapersView(study, rows), o)
				if err != nil {
					if o.Metric == "fit_seconds" || strings.Contains(err.Error(), "do not use `scale`") {
						return // not of every kind
					}
					t.Fatal(err)
				}
				for _, wrong := range fixture.Crowded(t, pictures[0]) {
					t.Errorf("%s, %s, %s: %s", kind, name, size, wrong)
				}
			})
		}
	}
}

// The title of the vertical axis may be longer than the height of the data area.
func TestVerticalTitleHasRoom(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Confusion = metrics.Confusion{30, 10, i % 7, 30}
	}
	pictures := figures(t, study, rows, func(o *Options) {
		samples["bars"](o)
		o.Metric, o.Panel = "sensitivity:1", []string{"n"}
	})
	for _, wrong := range fixture.Crowded(t, pictures[0]) {
		t.Error(wrong)
	}
}

// addClassifiers adds n classifiers with the results of naive Bayes.
func addClassifiers(study *view.Study, rows *records.Records, n int) {
	few := rows.Rows
	for k := range n {
		id := fmt.Sprintf("nb%d", k)
		rows.Classifiers = append(rows.Classifiers, id)
		study.Classifiers = append(study.Classifiers, view.Component{ID: id, Label: id, Name: "nb"})
		for _, r := range few {
			if r.Classifier == "nb" {
				r.Classifier = id
				rows.Rows = append(rows.Rows, r)
			}
		}
	}
	rows.Sort()
}

// As many classifiers as readers can distinguish have different colours and marks. A page with more of them
// has a remark.
func TestManyClassifiersHaveARemark(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Fit = float64(i%7+1) / 1000
	}
	addClassifiers(&study, rows, 25)
	one := records.Condition{"cpd": {"gaussian"}, "n": {"200"}} // cell: others would be panels of their own
	where := map[string]records.Condition{"roc": one, "reliability": one}
	for kind, most := range map[string]int{"line": len(canvas.Palette), "nested": len(canvas.Dashes),
		"pareto": len(canvas.Marks), "roc": len(canvas.Palette), "reliability": len(canvas.Palette)} {
		change := func(o *Options) {
			if o.Kind, o.Where = kind, where[kind]; kind == "line" {
				o.X = "n"
			}
		}
		want := fmt.Sprintf("each panel has 28 classifiers, but readers can distinguish only %d: list fewer in "+
			"the key `columns`", most)
		if got := figures(t, study, rows, change)[0].Remarks; !slices.Contains(got, want) {
			t.Errorf("%s: %q lacks %q", kind, got, want)
		}
		few := figures(t, study, rows, func(o *Options) { change(o); o.Columns = []string{"slb", "nb", "oracle"} })
		if few[0].Remarks != nil {
			t.Errorf("%s of three: %q", kind, few[0].Remarks)
		}
		d := chart{request: &request{View: fixture.PapersView(study, rows)}, reference: "oracle"}
		looks := map[string]bool{}
		for _, c := range study.Classifiers[:3] {
			line, mark := d.styleOf(c.ID)
			looks[fmt.Sprint(line.Dashes)], looks[fmt.Sprintf("%T", mark.Shape)] = true, true
		}
		if len(looks) != 6 {
			t.Errorf("three classifiers look alike: %v", looks)
		}
	}
}

// Names next to the data and counts below them have room, whatever their number.
func TestManyNamesHaveRoom(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: draws dozens of figures with long names")
	}
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Fit = float64(i%7+1) / 1000
	}
	fixture.Fail(rows, "c00", "nb", 2, "no")
	addClassifiers(&study, rows, 25)
	samples := maps.Clone(samples)
	samples["pareto"] = func(o *Options) { o.Kind = "pareto" }
	samples["long names"] = samples["box"]
	for kind, change := range samples {
		study := study
		study.Classifiers = slices.Clone(study.Classifiers)
		if kind == "long names" {
			rename(&study, longName)
		}
		for _, width := range []string{"column", "text"} {
			for _, panel := range [][]string{nil, {"cpd"}, {"n"}, {"cpd", "n"}} {
				pictures := figures(t, study, rows, func(o *Options) {
					if change(o); o.Kind == "line" && slices.Contains(panel, "n") {
						return
					}
					o.Width, o.Page, o.Panel = width, nil, panel
				})
				for _, wrong := range fixture.Crowded(t, pictures[0]) {
					t.Errorf("%s, %s wide, panels %q: %s", kind, width, panel, wrong)
				}
			}
		}
	}
}

// TestRoundsAsTables: 19.95 is 20.0 in a table (half to even), whatever its last bit.
func TestRoundsAsTables(t *testing.T) {
	measure := &view.Measure{Unit: "%"}
	h := request{measure: measure}
	for _, v := range []float64{19.95, 16.85, 3.45, 0.05} {
		if got, want := h.heatNumber(v), sheet.Fixed(v, 1); got != want {
			t.Errorf("heat: %g is %s, in tables %s", v, got, want)
		}
	}
	h.measure = &view.Measure{}
	for v, want := range map[float64]string{0.69: "0.690", 0.8214: "0.821", -0.0437: "−0.0437", 12: "12.0",
		1234: "1234", 0: "0", -2.551e-12: "−2.55e-12", 45666666666.7: "4.57e+10"} {
		if got := h.heatNumber(v); got != want {
			t.Errorf("heat: %g is %s; want %s", v, got, want)
		}
	}
}

// Labels that leave little room for the data are broken into lines.
func TestLongLabelsAreBroken(t *testing.T) {
	const label = "naive Bayes with the bandwidths proposed here"
	for _, kind := range []string{"line", "box", "pareto", "roc", "cd"} {
		study, rows := fixture.Sample(12)
		for i := range rows.Rows {
			rows.Rows[i].Fit = float64(i%7+1) / 1000
		}
		rename(&study, label)
		o := Defaults()
		o.Kind, o.Width = kind, "column"
		switch kind {
		case "line":
			o.X = "n"
		case "roc":
			o.Where = map[string][]string{"cpd": {"gaussian"}, "n": {"200"}}
		}
		pictures, err := Draw(fixture.DefaultView(study, rows), o)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if remarks := pictures[0].Remarks; remarks != nil && kind != "cd" { // whose names are on both sides
			t.Errorf("%s: %q", kind, remarks)
		}
		if wrong := fixture.Crowded(t, pictures[0]); wrong != nil {
			t.Errorf("%s: %q", kind, wrong)
		}
		words := fixture.Texts(t, pictures[0])
		texttest.Case(t, kind).Contains(strings.Join(words, "|"), "naive Bayes with the|")
	}
}

// A figure whose labels leave little room for the data has a remark, and one without room is an error. Both
// name the longest label.
func TestNarrowFigures(t *testing.T) {
	draw := func(kind, label string) ([]canvas.Picture, error) {
		study, rows := fixture.Sample(12)
		for i := range rows.Rows {
			rows.Rows[i].Fit = float64(i%7+1) / 1000
		}
		rename(&study, label)
		study.Factors[0].Label = label
		o := Defaults()
		o.Kind, o.Width = kind, "column"
		if kind == "line" {
			o.X = "n"
		}
		return Draw(fixture.DefaultView(study, rows), o)
	}
	for _, kind := range []string{"line", "box", "pareto", "cd", "heat"} {
		pictures, err := draw(kind, "SLB")
		if err != nil || pictures[0].Remarks != nil {
			t.Errorf("%s: %v, %q", kind, err, pictures[0].Remarks)
		}
		// Longer and longer labels: first nothing happens, then there is a remark, then an error.
		remarked, failed := false, false
		for n := 5; n < 80 && !failed; n++ {
			label := strings.Repeat("m", n)
			suffix := fmt.Sprintf("such as %q", label)
			pictures, err := draw(kind, label)
			switch {
			case err != nil:
				failed = strings.Contains(err.Error(), "has no room for data") && strings.HasSuffix(err.Error(), suffix)
			case pictures[0].Remarks != nil:
				remarked = strings.HasPrefix(pictures[0].Remarks[0], "the labels leave") &&
					strings.HasSuffix(pictures[0].Remarks[0], suffix)
			case remarked:
				t.Errorf("%s, %s: no remark", kind, label)
			}
		}
		if !remarked || !failed {
			t.Errorf("%s: remark %v, error %v", kind, remarked, failed)
		}
	}
}
