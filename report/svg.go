package report

import (
	"bytes"
	"fmt"
	"html"
	"image"
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
// for the Liberation fonts and is clipped where they are missing. Coordinates
// are final: no nested transforms, two decimals, points.
type svgCanvas struct {
	w, h  vg.Length
	body  bytes.Buffer
	state svgState
	stack []svgState
}

// svgState is what Push saves: the pen and the affine map (x, y) ->
// (a x + c y + e, b x + d y + f) from drawing to page coordinates.
type svgState struct {
	a, b, c, d, e, f float64
	color            color.Color
	width            vg.Length
	dash             []vg.Length
	offset           vg.Length
}

func newSVG(w, h vg.Length, title, desc string) *svgCanvas {
	c := &svgCanvas{w: w, h: h, state: svgState{a: 1, d: -1, f: h.Points()}}
	vg.Initialize(c)
	fmt.Fprintf(&c.body, `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%[1]spt" height="%[2]spt" viewBox="0 0 %[1]s %[2]s" font-family="'Liberation Sans',Arial,Helvetica,sans-serif">`+"\n",
		decimal(w.Points()), decimal(h.Points()))
	fmt.Fprintf(&c.body, "<title>%s</title>\n", html.EscapeString(title))
	if desc != "" {
		fmt.Fprintf(&c.body, "<desc>%s</desc>\n", html.EscapeString(desc))
	}
	return c
}

func (c *svgCanvas) Size() (w, h vg.Length)   { return c.w, c.h }
func (c *svgCanvas) SetLineWidth(w vg.Length) { c.state.width = w }
func (c *svgCanvas) SetLineDash(dash []vg.Length, off vg.Length) {
	c.state.dash, c.state.offset = dash, off
}
func (c *svgCanvas) Push() { c.stack = append(c.stack, c.state) }

func (c *svgCanvas) SetColor(clr color.Color) {
	if clr == nil {
		clr = color.Black
	}
	c.state.color = clr
}

func (c *svgCanvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *svgCanvas) Translate(p vg.Point) {
	s := &c.state
	x, y := p.X.Points(), p.Y.Points()
	s.e, s.f = s.a*x+s.c*y+s.e, s.b*x+s.d*y+s.f
}

func (c *svgCanvas) Rotate(rad float64) {
	s := &c.state
	sin, cos := math.Sincos(rad)
	s.a, s.b, s.c, s.d = s.a*cos+s.c*sin, s.b*cos+s.d*sin, s.c*cos-s.a*sin, s.d*cos-s.b*sin
}

func (c *svgCanvas) Scale(x, y float64) {
	s := &c.state
	s.a, s.b, s.c, s.d = s.a*x, s.b*x, s.c*y, s.d*y
}

// at maps a point to the page.
func (s *svgState) at(p vg.Point) (x, y float64) {
	px, py := p.X.Points(), p.Y.Points()
	return s.a*px + s.c*py + s.e, s.b*px + s.d*py + s.f
}

func (c *svgCanvas) Stroke(p vg.Path) {
	s := &c.state
	if s.width <= 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"`, c.data(p), hex(s.color), decimal(s.width.Points()))
	if len(s.dash) > 0 {
		dash := make([]string, len(s.dash))
		for i, d := range s.dash {
			dash[i] = decimal(d.Points())
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, strings.Join(dash, " "))
		if s.offset != 0 {
			fmt.Fprintf(&c.body, ` stroke-dashoffset="%s"`, decimal(s.offset.Points()))
		}
	}
	c.body.WriteString(opacity("stroke", s.color) + "/>\n")
}

func (c *svgCanvas) Fill(p vg.Path) {
	fmt.Fprintf(&c.body, `<path d="%s" fill="%s"%s/>`+"\n", c.data(p), hex(c.state.color), opacity("fill", c.state.color))
}

// data writes a path in SVG's notation.
func (c *svgCanvas) data(p vg.Path) string {
	var b strings.Builder
	point := func(command string, pts ...vg.Point) {
		b.WriteString(command)
		for i, pt := range pts {
			if i > 0 {
				b.WriteByte(' ')
			}
			x, y := c.state.at(pt)
			b.WriteString(decimal(x) + " " + decimal(y))
		}
	}
	for i, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			point("M", comp.Pos)
		case vg.LineComp:
			point("L", comp.Pos)
		case vg.CurveComp:
			point([]string{"", "Q", "C"}[len(comp.Control)], append(comp.Control[:len(comp.Control):len(comp.Control)], comp.Pos)...)
		case vg.CloseComp:
			b.WriteByte('Z')
		case vg.ArcComp:
			c.arc(point, &b, comp, i > 0)
		}
	}
	return b.String()
}

// arc draws at most half a turn at a time: an SVG arc between equal end points
// is nothing, and one of exactly half a turn needs no large-arc flag.
func (c *svgCanvas) arc(point func(string, ...vg.Point), b *strings.Builder, comp vg.PathComp, joined bool) {
	on := func(angle float64) vg.Point {
		sin, cos := math.Sincos(angle)
		return vg.Point{X: comp.Pos.X + comp.Radius*vg.Length(cos), Y: comp.Pos.Y + comp.Radius*vg.Length(sin)}
	}
	start := "M"
	if joined {
		start = "L"
	}
	point(start, on(comp.Start))
	steps := max(1, int(math.Ceil(math.Abs(comp.Angle)/math.Pi-1e-9)))
	radius := decimal(comp.Radius.Points() * math.Hypot(c.state.a, c.state.b))
	sweep := 0 // the page's y axis points down: a positive turn is counter-clockwise
	if comp.Angle < 0 {
		sweep = 1
	}
	for k := 1; k <= steps; k++ {
		fmt.Fprintf(b, "A%s %s 0 0 %d ", radius, radius, sweep)
		point("", on(comp.Start+comp.Angle*float64(k)/float64(steps)))
	}
}

func (c *svgCanvas) FillString(f font.Face, p vg.Point, s string) {
	if f.Font.Size == 0 || strings.TrimSpace(s) == "" {
		return
	}
	x, y := c.state.at(p)
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`,
		decimal(x), decimal(y), decimal(f.Font.Size.Points()), decimal(f.Width(s).Points()))
	if angle := math.Atan2(c.state.b, c.state.a); math.Abs(angle) > 1e-9 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, decimal(angle*180/math.Pi), decimal(x), decimal(y))
	}
	fmt.Fprintf(&c.body, ` fill="%s">%s</text>`+"\n", hex(c.state.color), html.EscapeString(s))
}

// DrawImage is part of vg.Canvas; figures here hold no images.
func (c *svgCanvas) DrawImage(vg.Rectangle, image.Image) {
	panic("report: figures hold no images")
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

func hex(clr color.Color) string {
	n := color.NRGBAModel.Convert(clr).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

func opacity(of string, clr color.Color) string {
	n := color.NRGBAModel.Convert(clr).(color.NRGBA)
	if n.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, of, decimal(float64(n.A)/255))
}
