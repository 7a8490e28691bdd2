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

// svgCanvas draws to SVG. Unlike gonum's SVG canvas, it sets the attribute textLength, so that texts have the
// same width in any font.
type svgCanvas struct {
	pen
	body   bytes.Buffer
	lines  strings.Builder // path data of lines not yet written to the body
	style  string          // of these lines
	onPage bool            // the SVG is for the report page, where annotations become groups
}

func newSVG(w, h vg.Length, title, desc string) *svgCanvas {
	c := &svgCanvas{pen: newPen(w, h)}
	fmt.Fprintf(&c.body,
		`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s"`+
			` font-family="'Liberation Sans',Arial,Helvetica,sans-serif">`+"\n",
		decimal(w.Points()), decimal(h.Points()))
	fmt.Fprintf(&c.body, "<title>%s</title>\n", html.EscapeString(title))
	if desc != "" {
		fmt.Fprintf(&c.body, "<desc>%s</desc>\n", html.EscapeString(desc))
	}
	return c
}

// Stroke draws the outline of a path. Consecutive opaque lines of one style become a single SVG path.
// Transparent lines remain separate, so that crossings are darker.
func (c *svgCanvas) Stroke(p vg.Path) {
	if c.state.width <= 0 {
		return
	}
	style := c.strokeStyle()
	if style != c.style || c.state.color.A < 255 {
		c.flush() // this line needs a path of its own
	}
	c.style = style
	c.lines.WriteString(c.data(p))
}

func (c *svgCanvas) strokeStyle() string {
	s := &c.state
	var style strings.Builder
	fmt.Fprintf(&style, ` stroke="%s" stroke-width="%s"`, Hex(s.color), decimal(s.width))
	if len(s.dash) > 0 {
		dash := make([]string, len(s.dash))
		for i, d := range s.dash {
			dash[i] = decimal(d)
		}
		fmt.Fprintf(&style, ` stroke-dasharray="%s"`, strings.Join(dash, " "))
		if s.offset != 0 {
			fmt.Fprintf(&style, ` stroke-dashoffset="%s"`, decimal(s.offset))
		}
	}
	style.WriteString(opacity("stroke", s.color))
	return style.String()
}

// flush writes the lines that Stroke has collected to the body of the SVG.
func (c *svgCanvas) flush() {
	if c.lines.Len() > 0 {
		fmt.Fprintf(&c.body, `<path d="%s" fill="none"%s/>`+"\n", &c.lines, c.style)
	}
	c.lines.Reset()
}

func (c *svgCanvas) Fill(p vg.Path) {
	c.flush()
	fmt.Fprintf(&c.body, `<path d="%s" fill="%s"%s/>`+"\n", c.data(p), Hex(c.state.color),
		opacity("fill", c.state.color))
}

func (c *svgCanvas) data(p vg.Path) string {
	var d svgPath
	c.trace(p, &d)
	return d.String()
}

// svgPath builds the data of an SVG path. Commands other than moves contain differences between rounded points,
// so rounding errors do not accumulate.
type svgPath struct {
	strings.Builder
	x, y, startX, startY int // current point and start of the subpath, in hundredths
}

func hundredths(v float64) int { return int(math.Round(v * 100)) }

// command writes a path command and its numbers in hundredths, without unnecessary spaces and without zeros
// before decimal points.
func (d *svgPath) command(letter byte, numbers ...int) {
	d.WriteByte(letter)
	for i, n := range numbers {
		if i > 0 && n >= 0 {
			d.WriteByte(' ')
		}
		text := decimal(float64(n) / 100)
		if -100 < n && n < 100 {
			text = strings.Replace(text, "0.", ".", 1)
		}
		d.WriteString(text)
	}
}

func (d *svgPath) MoveTo(x, y float64) {
	d.x, d.y = hundredths(x), hundredths(y)
	d.startX, d.startY = d.x, d.y
	d.command('M', d.x, d.y)
}

func (d *svgPath) LineTo(x, y float64) {
	dx, dy := hundredths(x)-d.x, hundredths(y)-d.y
	d.x, d.y = d.x+dx, d.y+dy
	switch {
	case dy == 0 && dx == 0:
	case dy == 0:
		d.command('h', dx)
	case dx == 0:
		d.command('v', dy)
	default:
		d.command('l', dx, dy)
	}
}

func (d *svgPath) CurveBezierCubicTo(x1, y1, x2, y2, x, y float64) {
	fromX, fromY := d.x, d.y
	d.x, d.y = hundredths(x), hundredths(y)
	d.command('c', hundredths(x1)-fromX, hundredths(y1)-fromY, hundredths(x2)-fromX, hundredths(y2)-fromY,
		d.x-fromX, d.y-fromY)
}

func (d *svgPath) ClosePath() {
	d.x, d.y = d.startX, d.startY
	d.WriteByte('z')
}

func (c *svgCanvas) FillString(f font.Face, p vg.Point, s string) {
	if f.Font.Size == 0 || strings.TrimSpace(s) == "" {
		return
	}
	c.flush()
	x, y := c.at(p)
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		decimal(x), decimal(y), decimal(f.Font.Size.Points()), decimal(f.Width(s).Points()))
	if angle := c.rotation(); angle != 0 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, decimal(angle), decimal(x), decimal(y))
	}
	fmt.Fprintf(&c.body, ` fill="%s">%s</text>`+"\n", Hex(c.state.color), html.EscapeString(s))
}

func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	c.flush()
	n, err := w.Write(append(bytes.Clone(c.body.Bytes()), "</svg>\n"...))
	return int64(n), err
}

// decimal formats v with at most two decimals.
func decimal(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		v = 0 // no "-0"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Hex returns a colour as #rrggbb, without its opacity.
func Hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// opacity returns the attribute fill-opacity or stroke-opacity, or "" for an opaque colour.
func opacity(of string, c color.NRGBA) string {
	if c.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, of, decimal(float64(c.A)/255))
}
