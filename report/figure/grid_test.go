package figure

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"copse/report/internal/fixture"
	"copse/stats/records/recordstest"
)

// A frame lies inside its entry. On the border, the frames above and below an entry would enclose it.
func TestFramesAreInsideEntries(t *testing.T) {
	const rowHeight, rows = 10, 3
	table := gridTable{columns: make([]gridColumn, 1), entries: [][]gridEntry{{{framed: true}}, {{}}, {{framed: true}}}}
	var recorded recorder.Canvas
	chart := gridChart{rowHeight: rowHeight}
	chart.drawFrames(draw.NewCanvas(&recorded, 50, rows*rowHeight), &table)
	strokes := 0
	for _, action := range recorded.Actions {
		stroke, ok := action.(*recorder.Stroke)
		if !ok {
			continue
		}
		strokes++
		for _, segment := range stroke.Path {
			if y := segment.Pos.Y; y >= rowHeight && y <= 2*rowHeight && segment.Pos.X > 0 {
				t.Errorf("a frame touches the entry between two framed ones: %v", segment.Pos)
			}
		}
	}
	if strokes != 2 {
		t.Errorf("%d frames, want 2", strokes)
	}
}

// On a page, each frame belongs to a classifier, so it disappears together with its entry.
func TestFramesBelongToClassifiers(t *testing.T) {
	study, rows := fixture.Sample(2)
	drawing := fixture.Render(t, figures(t, study, rows, samples["heat"])[0].RenderPage)
	frames := regexp.MustCompile(`<path [^>]*stroke=`)
	groups := regexp.MustCompile(`(?s)<g .*?</g>`)
	if rest := groups.ReplaceAllString(drawing, ""); frames.MatchString(rest) || !frames.MatchString(drawing) {
		t.Errorf("frames outside of groups:\n%s", rest)
	}
}

// Column names are rotated only if one of them is wider than its column: 200 points for 4 classifiers have room for
// 9 letters, but not for 14.
func TestWideColumnNamesAreRotated(t *testing.T) {
	for letters, isRotated := range map[int]bool{9: false, 14: true} {
		study, rows := fixture.Sample(2)
		rename(&study, strings.Repeat("n", letters))
		study.Factors[0].Label, study.Factors[1].Label = "c", strings.Repeat("n", 39)
		picture := figures(t, study, rows, samples["heat"])[0]
		if w := picture.DataWidth; w < 190 || w > 210 {
			t.Fatalf("the data are %v points wide, want about 200", w)
		}
		if got := strings.Contains(string(fixture.Draws(t, picture, "svg")), "rotate("); got != isRotated {
			t.Errorf("%d letters: rotated %v, want %v", letters, got, isRotated)
		}
		for _, wrong := range fixture.Crowded(t, picture) {
			t.Error(wrong)
		}
	}
}

// Values of random searches have many digits, which would take more room than the table.
func TestShortNumbers(t *testing.T) {
	for text, want := range map[string]string{"0.0464158883361": "0.0464", "1000000": "1000000", "true": "true",
		"123456789": "1.23e+08", "median-of-rows": "median-of-rows"} {
		if got := shortNumber(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// The colour scale of equal values has one colour and one value.
func TestScaleOfEqualValues(t *testing.T) {
	study, rows := fixture.Sample(2)
	for r := range recordstest.Each(rows) {
		r.Error, r.Errors = 0, 0
	}
	picture := figures(t, study, rows, func(o *Options) { o.Kind, o.Columns = "heat", []string{"slb", "nb"} })[0]
	drawing := fixture.Draws(t, picture, "svg")
	words := fixture.SVGText(t, drawing)
	if last := words[len(words)-1]; last != "0.0  test error (%)" || slices.Index(words[:len(words)-1], last) >= 0 {
		t.Errorf("%q", words)
	}
	fills := map[string]bool{}
	for _, m := range regexp.MustCompile(`<path [^>]*fill="(#[0-9a-f]{6})"`).FindAllSubmatch(drawing, -1) {
		fills[string(m[1])] = true
	}
	if len(fills) != 2 { // white and the colour of the values
		t.Errorf("colours %v", fills)
	}
}

// A colour scale without room for its title has the title on the line below. The scale and its title stay
// inside the figure, also if they are wider than the table.
func TestTitleOfNarrowScale(t *testing.T) {
	const title = "test error (%)"
	for _, further := range []int{0, 5, 12} {
		for letters := range 25 {
			study, rows := fixture.Sample(2)
			addClassifiers(&study, rows, further)
			study.Factors[0].Label = strings.Repeat("m", letters)
			o := Defaults()
			o.Kind, o.Width = "heat", "column"
			pictures, err := Draw(fixture.PapersView(study, rows), o)
			columns := vg.Length(len(rows.Classifiers))
			if err != nil || pictures[0].DataWidth < minGridColumn*columns {
				continue // the labels leave too little room for the column names
			}
			words := fixture.Texts(t, pictures[0])
			if !slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(word, title) }) {
				t.Errorf("%d classifiers, %d letters: %q is not among %q", 3+further, letters, title, words)
			}
			for _, wrong := range fixture.Crowded(t, pictures[0]) {
				t.Errorf("%d classifiers, %d letters: %s", 3+further, letters, wrong)
			}
		}
	}
}
