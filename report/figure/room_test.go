package figure

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

var (
	svgText = regexp.MustCompile(`<text x="([-0-9.]+)" y="([-0-9.]+)" font-size="([0-9.]+)" textLength="([0-9.]+)" lengthAdjust="[a-zA-Z]+"(?: transform="rotate\(([-0-9.]+)[^>]*")?[^>]*>([^<]*)</text>`)
	svgSize = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
)

// A box is what a text covers, from its baseline to the height of its capitals.
type textBox struct {
	left, right, top, bottom float64
	words                    string
}

func (a textBox) overlaps(b textBox) bool {
	const slack = 0.5
	return a.left < b.right-slack && b.left < a.right-slack && a.top < b.bottom-slack && b.top < a.bottom-slack
}

// boxesOf returns the size of a drawing and what its texts cover.
func boxesOf(t *testing.T, svg string) (width, height float64, boxes []textBox) {
	t.Helper()
	number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	size := svgSize.FindStringSubmatch(svg)
	found := svgText.FindAllStringSubmatch(svg, -1)
	if size == nil || len(found) != strings.Count(svg, "<text ") {
		t.Fatalf("read %d of %d texts", len(found), strings.Count(svg, "<text "))
	}
	for _, m := range found {
		x, y, high, long := number(m[1]), number(m[2]), 0.7*number(m[3]), number(m[4])
		b := textBox{left: x, right: x + long, top: y - high, bottom: y, words: m[6]}
		if math.Abs(number(m[5])) == 90 {
			b = textBox{left: x - high, right: x, top: y - long, bottom: y, words: m[6]}
		}
		if strings.HasPrefix(b.words, "Bayes ") { // and the dash before it
			b.left -= float64(referenceDash)
		}
		boxes = append(boxes, b)
	}
	return number(size[1]), number(size[2]), boxes
}

// No text lies on another or leaves the picture, however long the titles of panels
// are and however many panels are asked for beside one another.
func TestTextsHaveRoom(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Factors[0].Label = "class-conditional densities of the variables"
	study.Factors[0].Levels = map[string]string{"gaussian": "Gaussian densities with linear dependence on the parents", "complex": "mixtures of five Gaussian densities, none of them shared"}
	for i := range rows.Rows {
		rows.Rows[i].Fit = float64(i%7+1) / 1000
	}
	fixture.Fail(rows, "c00", "nb", 2, "no")
	for kind, change := range samples {
		for _, width := range []string{"text", "column"} {
			for _, perRow := range []int{0, 1, 4} {
				pictures := figures(t, study, rows, func(o *Options) {
					change(o)
					o.Width, o.PerRow, o.Panel = width, perRow, []string{"cpd", "n"}
					switch kind {
					case "line":
						o.Panel = []string{"cpd"}
					case "nested":
						o.Panel = []string{"cpd"}
					}
				})
				wide, high, boxes := boxesOf(t, string(fixture.Draws(t, pictures[0], "svg")))
				for i, a := range boxes {
					if a.left < -0.5 || a.right > wide+0.5 || a.top < -0.5 || a.bottom > high+0.5 {
						t.Errorf("%s at %s, %d per row: %q leaves the picture", kind, width, perRow, a.words)
					}
					for _, b := range boxes[:i] {
						if a.overlaps(b) {
							t.Errorf("%s at %s, %d per row: %q lies on %q", kind, width, perRow, a.words, b.words)
						}
					}
				}
			}
		}
	}
}

// The title of the vertical axis may be longer than the data are high.
func TestVerticalTitleHasRoom(t *testing.T) {
	study, rows := fixture.Sample(12)
	for _, height := range []float64{0, 20} {
		pictures := figures(t, study, rows, func(o *Options) {
			samples["bars"](o)
			o.Metric, o.Panel, o.Height = "sensitivity:1", []string{"n"}, height
		})
		_, high, boxes := boxesOf(t, string(fixture.Draws(t, pictures[0], "svg")))
		for _, a := range boxes {
			if a.top < -0.5 || a.bottom > high+0.5 {
				t.Errorf("height %v: %q leaves the picture", height, a.words)
			}
		}
	}
}

// addClassifiers adds n with the results of naive Bayes.
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

// Where more classifiers are drawn than lines or marks can tell apart, each panel names
// some of them: each classifier once, the reference in every panel, and no two with the
// same dash where lines are alone, or the same mark.
func TestPanelsNameFewClassifiers(t *testing.T) {
	study, rows := fixture.Sample(12)
	for i := range rows.Rows {
		rows.Rows[i].Fit = float64(i%7+1) / 1000
	}
	addClassifiers(&study, rows, 25)
	for kind, most := range map[string]int{"line": len(marks), "nested": len(dashes), "pareto": len(marks)} {
		pictures := figures(t, study, rows, func(o *Options) { o.Kind, o.X = kind, "n" })
		if !strings.Contains(pictures[0].Caption, "Each panel names some of the classifiers, 4 panels all of them; the others are grey.") {
			t.Errorf("%s: %s", kind, pictures[0].Caption)
		}
		count := map[string]int{}
		for _, words := range fixture.SVGText(t, fixture.Draws(t, pictures[0], "svg")) {
			count[words]++
		}
		v := view.New(study, rows, view.DefaultInference())
		for _, c := range study.Classifiers {
			want := 1
			if c.Oracle {
				want = map[string]int{"line": 4, "nested": 4}[kind]
			}
			if got := count[v.Label(c.ID)]; got != want {
				t.Errorf("%s names %s %d times, want %d", kind, c.ID, got, want)
			}
		}
		var ids []string
		for _, c := range study.Classifiers {
			ids = append(ids, c.ID)
		}
		l := lineDrawing{View: v, reference: "oracle"}
		for _, part := range parts(ids, "oracle", most, most, 1) {
			if len(part) > most+1 || part[len(part)-1] != "oracle" {
				t.Errorf("%s: a part of %d that ends with %s", kind, len(part), part[len(part)-1])
			}
			looks := map[string]bool{}
			for _, id := range part[:len(part)-1] {
				line, mark := l.look(id)
				look := fmt.Sprint(line.Dashes)
				if kind != "nested" {
					look = fmt.Sprintf("%T", mark.Shape)
				}
				if looks[look] {
					t.Errorf("%s: %s looks as another of its panel", kind, id)
				}
				looks[look] = true
			}
		}
	}
}

// Names beside the data and counts below them have room, however many they are.
func TestManyNamesHaveRoom(t *testing.T) {
	study, rows := fixture.Sample(40)
	for i := range rows.Rows {
		rows.Rows[i].Fit = float64(i%7+1) / 1000
	}
	fixture.Fail(rows, "c00", "nb", 2, "no")
	addClassifiers(&study, rows, 25)
	for _, kind := range []string{"line", "nested", "pareto", "box", "lying"} {
		for _, panel := range [][]string{nil, {"cpd"}, {"n"}, {"cpd", "n"}} {
			if kind == "line" && slices.Contains(panel, "n") {
				continue
			}
			pictures := figures(t, study, rows, func(o *Options) {
				o.Kind, o.X, o.Panel = kind, "n", panel
				if kind == "lying" {
					o.Kind, o.Orient = "box", "horizontal"
				}
			})
			_, high, boxes := boxesOf(t, string(fixture.Draws(t, pictures[0], "svg")))
			for i, a := range boxes {
				if a.top < -0.5 || a.bottom > high+0.5 {
					t.Errorf("%s, panels %q: %q leaves the picture", kind, panel, a.words)
				}
				for _, b := range boxes[:i] {
					if a.overlaps(b) {
						t.Errorf("%s, panels %q: %q lies on %q", kind, panel, a.words, b.words)
					}
				}
			}
		}
	}
}

// TestRoundsAsTables: 19.95 is 20.0 in a table (half to even), whatever its last bit.
func TestRoundsAsTables(t *testing.T) {
	measure := &view.Measure{Unit: "%"}
	h := heatDrawing{measure: measure}
	for _, v := range []float64{19.95, 16.85, 3.45, 0.05} {
		if got, want := h.number(v), sheet.Fixed(v, 1); got != want {
			t.Errorf("heat: %g is %s, in tables %s", v, got, want)
		}
	}
	b := boxDrawing{View: &view.View{}, measure: measure}
	for _, v := range []float64{1.005, 2.675, 1.115} {
		if got, want := b.referenceWords(&boxPanel{reference: v}), " "+sheet.Fixed(v, 2)+"%"; got != want {
			t.Errorf("reference: %g is %q, in tables %q", v, got, want)
		}
	}
}
