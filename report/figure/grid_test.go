package figure

import (
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// A frame lies inside its entry. On the border, the frames above and below an entry would enclose it.
func TestFramesAreInsideEntries(t *testing.T) {
	const rowHeight, rows = 10, 3
	table := gridTable{columns: make([]gridColumn, 1), entries: [][]gridEntry{{{1, true}}, {{2, false}}, {{3, true}}}}
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

// Values of random searches have many digits, which would take more room than the table.
func TestShortNumbers(t *testing.T) {
	for text, want := range map[string]string{"0.0464158883361": "0.0464", "1000000": "1000000", "true": "true",
		"123456789": "1.23e+08", "median-of-rows": "median-of-rows"} {
		if got := shortNumber(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
