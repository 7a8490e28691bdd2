package canvas

import (
	"bytes"
	"io"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfCanvas draws to PDF. Unlike gonum's PDF canvas, it supports all characters of a font and embeds only those
// that the drawing uses.
type pdfCanvas struct {
	pen
	doc     *fpdf.Fpdf
	hasFont map[string]bool // names of the fonts that doc already contains
}

// epoch is the creation date of every PDF, so that equal figures result in identical files.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func newPDF(w, h vg.Length, title string) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}})
	doc.SetCreationDate(epoch)
	doc.SetModificationDate(epoch)
	doc.SetCatalogSort(true)
	doc.SetTitle(replaceUnprintable(title), true)
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.AddPage()
	return &pdfCanvas{pen: newPen(w, h), doc: doc, hasFont: make(map[string]bool)}
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	s := &c.state
	if s.width <= 0 {
		return
	}
	c.doc.SetDrawColor(int(s.color.R), int(s.color.G), int(s.color.B))
	c.doc.SetAlpha(float64(s.color.A)/255, "Normal")
	c.doc.SetLineWidth(s.width)
	c.doc.SetDashPattern(s.dash, s.offset)
	c.draw(p, "D")
}

func (c *pdfCanvas) Fill(p vg.Path) {
	s := &c.state
	c.doc.SetFillColor(int(s.color.R), int(s.color.G), int(s.color.B))
	c.doc.SetAlpha(float64(s.color.A)/255, "Normal")
	c.draw(p, "F")
}

// draw draws a path in a style of package fpdf: "D" strokes the path, "F" fills it.
func (c *pdfCanvas) draw(p vg.Path, style string) {
	c.trace(p, c.doc)
	c.doc.DrawPath(style)
}

// FillString writes s at p in the current rotation of the canvas. It adds the font to the document on first use.
func (c *pdfCanvas) FillString(f font.Face, p vg.Point, s string) {
	if f.Font.Size == 0 || strings.TrimSpace(s) == "" {
		return
	}
	name := f.Name()
	if !c.hasFont[name] {
		var source bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &source); err != nil {
			panic(err) // the fonts are part of the binary
		}
		c.doc.AddUTF8FontFromBytes(name, "", source.Bytes())
		c.hasFont[name] = true
	}
	c.doc.SetFont(name, "", f.Font.Size.Points())
	c.doc.SetTextColor(int(c.state.color.R), int(c.state.color.G), int(c.state.color.B))
	c.doc.SetAlpha(1, "Normal")
	x, y := c.at(p)
	if angle := c.rotation(); angle != 0 {
		c.doc.TransformBegin()
		defer c.doc.TransformEnd()
		c.doc.TransformRotate(-angle, x, y) // the library rotates in the opposite direction
	}
	c.doc.Text(x, y, replaceUnprintable(s))
}

// replaceUnprintable replaces control characters, and characters above U+FFFF, which the two-byte codes of PDF
// cannot represent.
func replaceUnprintable(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xFFFF || unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func (c *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
