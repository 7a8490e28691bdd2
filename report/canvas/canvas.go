// Package canvas draws pictures to SVG, PNG and PDF: pens, panels, ticks, keys and colours. Equal
// pictures are equal bytes.
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

// A Picture is one page of a figure: its words, its size and the drawing.
type Picture struct {
	Name    string // file name without extension
	Title   string
	Subject string // heading of the picture among others with the same title; "": the title
	Caption string
	Width   vg.Length
	Height  vg.Length
	Paint   func(draw.Canvas)
	Remarks []string // for the author of the study: what is hard to read in print, and what helps
}

// Margin is the white rim of every picture.
const Margin = vg.Length(4)

// Write writes the picture in one of the Formats.
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

// renderTo draws the picture to c, on white, and writes c to w.
func (p *Picture) renderTo(w io.Writer, c vg.CanvasWriterTo) error {
	canvas := draw.NewCanvas(c, p.Width, p.Height)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	p.Paint(draw.Crop(canvas, Margin, -Margin, Margin, -Margin))
	_, err := c.WriteTo(w)
	return err
}
