// Package canvas draws pictures to SVG, PNG and PDF: pens, panels, ticks, keys and
// colours. The bytes of a picture depend on what is drawn alone.
package canvas

import (
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Formats are the file formats of figures, in the order they are written.
var Formats = []string{"svg", "png", "pdf"}

// DPI is the resolution of PNG figures: fine enough for print at full width.
const DPI = 220

// A Picture is one page of a figure: a size, words for those who cannot see it
// and the drawing itself.
type Picture struct {
	Name    string // file name without extension
	Title   string
	Subject string // names the picture among others of one title; "": the title does
	Caption string
	Width   vg.Length
	Height  vg.Length
	Paint   func(draw.Canvas)
	Remarks []string // what makes it hard to read in print, and what helps
}

// Margin is the white rim of every picture.
const Margin = vg.Length(4)

// Write draws the picture in a format. The bytes depend on the picture and the format alone.
func (p *Picture) Write(w io.Writer, format string) error {
	var c vg.CanvasWriterTo
	switch format {
	case "svg":
		c = newSVG(p.Width, p.Height, p.Title, p.Caption)
	case "png":
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(p.Width, p.Height), vgimg.UseDPI(DPI))}
	case "pdf":
		c = newPDF(p.Width, p.Height, p.Title)
	default:
		return fmt.Errorf("report: unknown figure format %q (known: %s)", format, strings.Join(Formats, ", "))
	}
	return p.renderTo(w, c)
}

// renderTo draws the picture on white.
func (p *Picture) renderTo(w io.Writer, c vg.CanvasWriterTo) error {
	canvas := draw.NewCanvas(c, p.Width, p.Height)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	p.Paint(draw.Crop(canvas, Margin, -Margin, Margin, -Margin))
	_, err := c.WriteTo(w)
	return err
}
