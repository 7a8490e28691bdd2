// Package canvas writes drawings as SVG, PNG and PDF files. It also provides axis ticks, legends and
// colours. Equal drawings result in identical files.
package canvas

import (
	"cmp"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Formats lists the file formats of figures, in the order in which they are written.
var Formats = []string{"svg", "png", "pdf"}

// A Picture is one page of a figure: its texts, its size and a function that draws it.
type Picture struct {
	Name    string // file name without extension
	Title   string
	Subject string // heading that no other picture has; if "", the title
	Caption string
	Width   vg.Length
	Height  vg.Length
	Paint   func(draw.Canvas)
	Remarks []string // advice on readability for the author of the study

	// DataWidth is the approximate width of the data area of a panel. Data areas narrower than
	// LeastDataWidth are hard to read.
	DataWidth, LeastDataWidth vg.Length
	LongestLabel              string // longest text beside the data, or ""
}

// AltText returns a short description, which distinguishes the picture from the others of a study.
func (p *Picture) AltText() string { return cmp.Or(p.Subject, p.Title) }

// Margin is the width of the white margin around every picture.
const Margin = vg.Length(4)

// Write writes the picture to w in one of the Formats.
func (p *Picture) Write(w io.Writer, format string) error {
	var c vg.CanvasWriterTo
	switch format {
	case "svg":
		c = newSVG(p.Width, p.Height, p.AltText(), p.Caption)
	case "png":
		c = newPNG(p.Width, p.Height)
	case "pdf":
		c = newPDF(p.Width, p.Height, p.AltText())
	}
	return p.renderTo(w, c)
}

// renderTo draws the picture on c, over a white background, and writes c to w.
func (p *Picture) renderTo(w io.Writer, c vg.CanvasWriterTo) error {
	canvas := draw.NewCanvas(c, p.Width, p.Height)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	p.Paint(draw.Crop(canvas, Margin, -Margin, Margin, -Margin))
	_, err := c.WriteTo(w)
	return err
}
