package canvas

import (
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Mark describes a part of a drawing that shows the results of one series, such as a classifier. The
// report page can explain, hide and highlight it.
type Mark struct {
	Series string   // id, the same in all drawings of a page; "": none
	Lines  []string // shown when a reader points at the part, such as "mean: 9.30"
	Cells  []string // ids of the cells that the part shows; nil: unknown
}

// Marked calls paint to draw a part of a picture. In the SVG of the report page, the part becomes a
// group with the data of the mark.
func Marked(c draw.Canvas, m Mark, paint func()) {
	svg := pageOf(c)
	if svg == nil || m.Series == "" {
		paint()
		return
	}
	svg.openGroup(m)
	paint()
	svg.closeGroup()
}

// pageOf returns the SVG of the report page to which c draws; nil if c draws to a file.
func pageOf(c vg.Canvas) *svgCanvas {
	switch c := c.(type) {
	case draw.Canvas: // a part of another canvas
		return pageOf(c.Canvas)
	case *svgCanvas:
		if c.onPage {
			return c
		}
	}
	return nil
}

// Spot draws an invisible circle, at which a reader of the report page can point to see the mark.
func Spot(c draw.Canvas, m Mark, glyph draw.GlyphStyle, at vg.Point) {
	if pageOf(c) != nil {
		glyph.Color, glyph.Shape = color.Transparent, draw.CircleGlyph{}
		Marked(c, m, func() { c.DrawGlyph(glyph, at) })
	}
}

// openGroup starts the group of a mark. Browsers show its title when scripts are off.
func (c *svgCanvas) openGroup(m Mark) {
	c.flush()
	fmt.Fprintf(&c.body, `<g data-series="%s"`, html.EscapeString(m.Series))
	if m.Cells != nil {
		fmt.Fprintf(&c.body, ` data-cells="%s"`, html.EscapeString(strings.Join(m.Cells, " ")))
	}
	c.body.WriteString(">")
	if m.Lines != nil {
		fmt.Fprintf(&c.body, "<title>%s</title>", html.EscapeString(strings.Join(m.Lines, "\n")))
	}
}

func (c *svgCanvas) closeGroup() {
	c.flush()
	c.body.WriteString("</g>\n")
}

// RenderPage writes the picture as an SVG with marks, for the report page.
func (p *Picture) RenderPage(w io.Writer) error {
	c := newSVG(p.Width, p.Height, p.Title, p.Caption)
	c.onPage = true
	return p.renderTo(w, c)
}
