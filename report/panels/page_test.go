package panels

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/internal/fixture"
	"copse/report/view"
)

// sample returns a page with n panels of values from 0 to 100, as wide as the text.
func sample(n int) *Page {
	p := &Page{Width: canvas.MM(view.TextWidth), PerRow: 2, DrawMarks: func(draw.Canvas, *plot.Plot, int) {}}
	for i := range n {
		p.Titles = append(p.Titles, fmt.Sprintf("panel %d", i))
	}
	p.X = Scale{Title: "horizontal", Ranges: []Range{{0, 100}}}
	p.Y = Scale{Title: "vertical", Ranges: []Range{{0, 100}}}
	return p
}

// paint paints a page and returns the areas of its panels' data.
func paint(t *testing.T, p *Page) (areas []draw.Canvas) {
	t.Helper()
	p.DrawMarks = func(data draw.Canvas, _ *plot.Plot, _ int) { areas = append(areas, data) }
	picture := p.Picture("")
	for _, wrong := range fixture.Crowded(t, picture) {
		t.Error(wrong)
	}
	return areas
}

// Spans cover all values of a panel, or of all panels if they share an axis.
func TestSpans(t *testing.T) {
	values := [][]float64{{1, 2}, {5, 40}}
	for _, scale := range []Scale{{}, {LogMargin: 2}} {
		scale.Include(values, true)
		if len(scale.Ranges) != 2 || scale.RangeOf(0) == scale.RangeOf(1) {
			t.Errorf("free: %v", scale.Ranges)
		}
		shared := scale
		shared.Include(values, false)
		for i, list := range values {
			for _, s := range []Range{scale.RangeOf(i), shared.RangeOf(i)} {
				if s.Low > slices.Min(list) || s.High < slices.Max(list) {
					t.Errorf("%v does not hold %v", s, list)
				}
			}
		}
	}
	logarithmic := Scale{LogMargin: 2}
	if logarithmic.Include(nil, false); !(logarithmic.RangeOf(0).Low > 0) {
		t.Errorf("a logarithmic axis without values: %v", logarithmic.RangeOf(0))
	}
}

// Every level has a tick inside the range, also if there is only one level.
func TestLevels(t *testing.T) {
	for _, scale := range []Scale{{}, {LogMargin: 1}} {
		for _, levels := range [][]float64{{200, 400, 1000}, {5}} {
			scale.TicksAt(levels, view.Number)
			span := scale.RangeOf(0)
			ticks := scale.Ticks.Ticks(span.Low, span.High)
			if len(ticks) != len(levels) || !(span.Low < levels[0] && span.High > levels[len(levels)-1]) {
				t.Errorf("%v: %v in %v", levels, ticks, span)
			}
		}
	}
}

// Panels are arranged in rows from the top, with as many per row as have room.
func TestPanelsInRows(t *testing.T) {
	p := sample(5)
	p.LimitPanelsPerRow(0)
	areas := paint(t, p)
	if len(areas) != 5 || p.PanelsInRow() != 2 {
		t.Fatalf("%d panels, %d per row", len(areas), p.PanelsInRow())
	}
	for i, area := range areas {
		row, column := i/2, i%2
		if column == 1 && !(areas[i-1].Max.X < area.Min.X && areas[i-1].Min.Y == area.Min.Y) {
			t.Errorf("panel %d is not next to panel %d", i, i-1)
		}
		if row > 0 && !(areas[i-2].Min.Y > area.Max.Y) {
			t.Errorf("panel %d is not below panel %d", i, i-2)
		}
	}
	p = sample(5)
	p.LimitPanelsPerRow(p.Width)
	if p.PanelsInRow() != 1 {
		t.Errorf("%d panels per row are as wide as the page", p.PanelsInRow())
	}
}

// By default, three panels share a row if their data are at least 100 points wide. A row of 424 points has room for
// three of 108 points with axes of 24 points, but not with names of 20 points beside them.
func TestThreePanelsShareARow(t *testing.T) {
	for _, c := range []struct {
		panels, requested int
		names             vg.Length
		want              int
	}{{3, 0, 0, 3}, {3, 0, 20, 2}, {3, 2, 0, 2}, {4, 0, 0, 2}} {
		p := sample(c.panels)
		p.Requested, p.Room.Right = c.requested, c.names
		if p.LimitPanelsPerRow(0); p.PanelsInRow() != c.want {
			t.Errorf("%+v: %d panels in a row, %v points wide", c, p.PanelsInRow(), p.DataWidth())
		}
	}
}

// Pages with long titles, notes, a key and margins have room for all texts.
func TestTextsOfPagesHaveRoom(t *testing.T) {
	const long = "class-conditional densities of the variables: mixtures of five Gaussian densities, n = 20000"
	key := canvas.KeyItem{Text: "a mark", Sketch: func(draw.Canvas, vg.Point) {}}
	for name, change := range map[string]func(*Page){
		"plain":       func(*Page) {},
		"long titles": func(p *Page) { p.Titles[1] = long },
		"notes": func(p *Page) {
			p.Titles[1] = long
			p.Notes = slices.Repeat([]string{key.Text}, len(p.Titles))
		},
		"key": func(p *Page) { p.Legend = slices.Repeat([]canvas.KeyItem{key}, 20) },
		"long key": func(p *Page) {
			p.Legend = canvas.Legend{key, {Text: long, Sketch: key.Sketch}, key}
		},
		"bottom title": func(p *Page) { p.X.Title, p.BottomTitle = "", "all horizontal axes" },
		"room":         func(p *Page) { p.Room = Room{Left: 30, Right: 40, Above: 20, Below: 10} },
		"square":       func(p *Page) { p.Square = true },
		"axis title":   func(p *Page) { p.Y.Title = long },
	} {
		for _, width := range []float64{view.ColumnWidth, view.TextWidth} {
			p := sample(3)
			p.Width = canvas.MM(width)
			change(p)
			p.LimitPanelsPerRow(0)
			areas := paint(t, p)
			for _, area := range areas {
				if side := area.Size(); p.Square && math.Abs(float64(side.X-side.Y)) > 0.01 {
					t.Errorf("%s: %v is not a square", name, side)
				}
			}
			if t.Failed() {
				t.Fatalf("%s, %v mm wide", name, width)
			}
		}
	}
}

// A long title of the horizontal axis does not narrow the data, and stays inside the panel. A title that is
// longer than the panel has a remark that names it.
func TestLongHorizontalTitles(t *testing.T) {
	widthWith := func(title string) (data vg.Length, remarks []string) {
		p := sample(1)
		p.Width, p.Room.Right, p.X.Title = canvas.MM(view.ColumnWidth), 130, title
		p.LimitPanelsPerRow(0)
		return paint(t, p)[0].Size().X, p.Picture("").Remarks
	}
	want, _ := widthWith("n")
	const title = "rows & samples (100%)"
	if got, remarks := widthWith(title); got != want || remarks != nil {
		t.Errorf("the data are %v wide with a long title and %v with a short one; remarks %q", got, want, remarks)
	}
	long := sample(1)
	long.Width, long.X.Title = canvas.MM(view.ColumnWidth), strings.Repeat(title, 5)
	if remarks := long.Picture("").Remarks; len(remarks) != 1 || !strings.Contains(remarks[0], long.X.Title) {
		t.Errorf("a title longer than its panel: %q", remarks)
	}
}

// A page with fewer panels in a row than the study file requests has a remark, which names the longest label if it
// is longer than the data.
func TestRequestedPanelsPerRow(t *testing.T) {
	for _, c := range []struct {
		panels, requested, inRow int
		label                    string
		remarks                  int
		named                    bool
	}{
		{9, 0, 2, "a long label", 0, false}, // not requested
		{2, 3, 2, "a long label", 0, false}, // there are no more panels
		{9, 2, 2, "a long label", 0, false},
		{9, 4, 3, "a long label", 1, true},
		{9, 4, 3, "160", 1, false},
	} {
		p := sample(c.panels)
		p.Requested, p.PerRow, p.LongestLabel = c.requested, max(c.requested, 2), c.label
		p.Room.Right = 40
		p.LimitPanelsPerRow(0)
		remarks := p.Picture("").Remarks
		named := strings.Contains(strings.Join(remarks, " "), c.label)
		if p.PanelsInRow() != c.inRow || len(remarks) != c.remarks || named != c.named {
			t.Errorf("%d panels, %d requested: %d in a row, remarks %q", c.panels, c.requested, p.PanelsInRow(),
				remarks)
		}
	}
}
