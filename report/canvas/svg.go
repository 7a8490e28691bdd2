package canvas

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svgCanvas draws to SVG. Text names generic fonts and carries its width
// (textLength), so that it fits wherever it is opened; gonum's own canvas asks
// for the Liberation fonts and is clipped where they are missing.
type svgCanvas struct {
	pen
	body bytes.Buffer
}

func newSVG(w, h vg.Length, title, desc string) *svgCanvas {
	c := &svgCanvas{pen: newPen(w, h)}
	fmt.Fprintf(&c.body, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s" font-family="'Liberation Sans',Arial,Helvetica,sans-serif">`+"\n",
		decimal(w.Points()), decimal(h.Points()))
	fmt.Fprintf(&c.body, "<title>%s</title>\n", html.EscapeString(title))
	if desc != "" {
		fmt.Fprintf(&c.body, "<desc>%s</desc>\n", html.EscapeString(desc))
	}
	return c
}

func (c *svgCanvas) Stroke(p vg.Path) {
	s := &c.state
	if s.width <= 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"`, c.data(p), hex(s.color), decimal(s.width))
	if len(s.dash) > 0 {
		dash := make([]string, len(s.dash))
		for i, d := range s.dash {
			dash[i] = decimal(d)
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, strings.Join(dash, " "))
		if s.offset != 0 {
			fmt.Fprintf(&c.body, ` stroke-dashoffset="%s"`, decimal(s.offset))
		}
	}
	c.body.WriteString(opacity("stroke", s.color) + "/>\n")
}

func (c *svgCanvas) Fill(p vg.Path) {
	fmt.Fprintf(&c.body, `<path d="%s" fill="%s"%s/>`+"\n", c.data(p), hex(c.state.color), opacity("fill", c.state.color))
}

// data writes a path in SVG's notation.
func (c *svgCanvas) data(p vg.Path) string {
	var d svgPath
	c.trace(p, &d)
	return d.String()
}

// svgPath collects the commands of a path.
type svgPath struct{ strings.Builder }

func (d *svgPath) command(letter string, numbers ...float64) {
	d.WriteString(letter)
	for i, v := range numbers {
		if i > 0 {
			d.WriteByte(' ')
		}
		d.WriteString(decimal(v))
	}
}

func (d *svgPath) move(x, y float64) { d.command("M", x, y) }

func (d *svgPath) line(x, y float64) { d.command("L", x, y) }

func (d *svgPath) curve(x1, y1, x2, y2, x, y float64) { d.command("C", x1, y1, x2, y2, x, y) }

func (d *svgPath) close() { d.command("Z") }

func (c *svgCanvas) FillString(f font.Face, p vg.Point, s string) {
	if f.Font.Size == 0 || strings.TrimSpace(s) == "" {
		return
	}
	x, y := c.at(p)
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		decimal(x), decimal(y), decimal(f.Font.Size.Points()), decimal(f.Width(s).Points()))
	if angle := c.turn(); angle != 0 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, decimal(angle), decimal(x), decimal(y))
	}
	fmt.Fprintf(&c.body, ` fill="%s">%s</text>`+"\n", hex(c.state.color), html.EscapeString(s))
}

func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(append(bytes.Clone(c.body.Bytes()), "</svg>\n"...))
	return int64(n), err
}

// decimal writes v with at most two decimals.
func decimal(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		v = 0 // no "-0"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func opacity(of string, c color.NRGBA) string {
	if c.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, of, decimal(float64(c.A)/255))
}
