package report

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

// dpi is the resolution of PNG figures: fine enough for print at full width.
const dpi = 220

// A picture is one page of a figure: a size, words for those who cannot see it
// and the drawing itself.
type picture struct {
	Name    string // file name without extension
	Title   string
	Caption string
	Width   vg.Length
	Height  vg.Length
	paint   func(draw.Canvas)
}

// write renders the picture with its title above it. The bytes depend on the
// picture and the format alone.
func (p *picture) write(w io.Writer, format string) error {
	sty := style(face(titleSize))
	head := paragraphHeight(p.Title, sty, p.Width-2*margin) + vg.Points(5)
	titled := *p
	titled.Height += head
	titled.paint = func(c draw.Canvas) {
		paragraph(c, p.Title, sty)
		p.paint(draw.Crop(c, 0, 0, 0, -head))
	}
	return titled.render(w, format)
}

// textWidth is the width of a journal's text.
const textWidth = 165 * vg.Millimeter

// margin is the white rim of every picture.
const margin = vg.Length(4)

// render draws the picture without its title.
func (p *picture) render(w io.Writer, format string) error {
	var c vg.CanvasWriterTo
	switch format {
	case "svg":
		c = newSVG(p.Width, p.Height, p.Title, p.Caption)
	case "png":
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(p.Width, p.Height), vgimg.UseDPI(dpi))}
	case "pdf":
		c = newPDF(p.Width, p.Height, p.Title)
	default:
		return fmt.Errorf("report: unknown figure format %q (known: %s)", format, strings.Join(Formats, ", "))
	}
	canvas := draw.NewCanvas(c, p.Width, p.Height)
	canvas.SetColor(color.White)
	canvas.Fill(canvas.Rectangle.Path())
	p.paint(draw.Crop(canvas, margin, -margin, margin, -margin))
	_, err := c.WriteTo(w)
	return err
}
