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

// An Annotation describes the part of a drawing that shows one series, such as a classifier. The HTML report can
// explain, hide and highlight this part.
type Annotation struct {
	Series string   // id, the same in all drawings of a page; may be ""
	Lines  []string // shown when a reader points at the part
	Cells  []string // ids of the cells that the part shows; nil if unknown
}

// Annotate calls paint, which draws the series that m describes. In the HTML report, this drawing becomes an SVG
// group with the data of m.
func Annotate(c draw.Canvas, m Annotation, paint func()) {
	svg := pageOf(c)
	if svg == nil || m.Series == "" {
		paint()
		return
	}
	svg.openGroup(m)
	paint()
	svg.flush()
	svg.body.WriteString("</g>\n")
}

// pageOf returns the SVG canvas of the HTML report that c draws to, or nil if c draws to a file.
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

// HoverSpot draws an invisible circle in the HTML report, but not in files. The report shows the lines of m when
// the pointer is over the circle.
func HoverSpot(c draw.Canvas, m Annotation, at vg.Point) {
	if pageOf(c) != nil {
		glyph := draw.GlyphStyle{Color: color.Transparent, Radius: 5, Shape: draw.CircleGlyph{}}
		Annotate(c, m, func() { c.DrawGlyph(glyph, at) })
	}
}

// openGroup starts an SVG group for m. Browsers without scripts show its title as a tooltip.
func (c *svgCanvas) openGroup(m Annotation) {
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

// RenderPage writes the picture, including its annotations, as SVG for the HTML report.
func (p *Picture) RenderPage(w io.Writer) error {
	c := newSVG(p.Width, p.Height, p.AltText(), p.Caption)
	c.onPage = true
	return p.renderTo(w, c)
}
