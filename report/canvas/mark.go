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

// A Mark is a part of a drawing that a page explains, hides and highlights: results of one
// series.
type Mark struct {
	Series string   // its id, the same in all drawings of a page
	Lines  []string // what a page shows beside it: the name, the panel, "mean: 9.30"; nil: nothing
	Cells  []string // ids of the cells of the design behind it; nil: not known
}

// Marked draws a part of a picture. On a page the part is a group with the mark; in files
// there is no trace of it.
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

// pageOf returns the drawing on a page that c is a part of; nil: c is a part of a file.
func pageOf(c vg.Canvas) *svgCanvas {
	switch c := c.(type) {
	case draw.Canvas: // cropped
		return pageOf(c.Canvas)
	case *svgCanvas:
		if c.onPage {
			return c
		}
	}
	return nil
}

// Spot marks a small circle around a point, which is not drawn.
func Spot(c draw.Canvas, m Mark, glyph draw.GlyphStyle, at vg.Point) {
	if pageOf(c) != nil {
		glyph.Color, glyph.Shape = color.Transparent, draw.CircleGlyph{}
		Marked(c, m, func() { c.DrawGlyph(glyph, at) })
	}
}

// openGroup begins the group of a mark. Its title is shown where no script runs.
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

// RenderPage draws the picture for a page, without its title and with its marks.
func (p *Picture) RenderPage(w io.Writer) error {
	c := newSVG(p.Width, p.Height, p.Title, p.Caption)
	c.onPage = true
	return p.renderTo(w, c)
}
