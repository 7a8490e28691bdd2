package canvas

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/internal/texttest"
)

// On a page, a mark is a group whose title contains its lines. Files contain no marks.
func TestMarks(t *testing.T) {
	p := Picture{Width: 50, Height: 50, Paint: func(c draw.Canvas) {
		m := Annotation{Series: "a<b", Lines: []string{"A & B", "n = 200"}, Cells: []string{"c0", "c1"}}
		Annotate(c, m, func() { FillRectangle(c, Palette[0], 10, 10, 20, 20) })
		HoverSpot(c, m, vg.Point{X: 30, Y: 30})
		Annotate(c, Annotation{}, func() { FillRectangle(c, Palette[1], 10, 10, 20, 20) })
	}}
	var file, page bytes.Buffer
	if err := p.Write(&file, "svg"); err != nil {
		t.Fatal(err)
	}
	if err := p.RenderPage(&page); err != nil {
		t.Fatal(err)
	}
	const open = `<g data-series="a&lt;b" data-cells="c0 c1"><title>A &amp; B` + "\nn = 200</title>"
	if n := strings.Count(page.String(), open); n != 2 || strings.Count(page.String(), "</g>") != 2 {
		t.Errorf("%d marks:\n%s", n, page.String())
	}
	texttest.Contains(t, page.String(), `fill-opacity="0"`)
	if strings.Contains(file.String(), "<g") || strings.Count(file.String(), "<path") != 3 {
		t.Errorf("marks in a file:\n%s", file.String())
	}
}
