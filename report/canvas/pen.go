package canvas

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// pen implements what the SVG and PDF canvases have in common. It converts all coordinates to page
// coordinates: points from the top left corner, with y downwards.
type pen struct {
	w, h  vg.Length
	state penState
	stack []penState
}

// penState is what Push saves: colour, line style and the affine map (x, y) -> (a x + c y + e, b x
// + d y + f) from drawing coordinates to page coordinates.
type penState struct {
	a, b, c, d, e, f float64
	color            color.NRGBA
	width            float64
	dash             []float64
	offset           float64
}

func newPen(w, h vg.Length) pen {
	return pen{w: w, h: h, state: penState{a: 1, d: -1, f: h.Points(), color: Black, width: 1}}
}

func (p *pen) Size() (w, h vg.Length) { return p.w, p.h }

func (p *pen) SetLineWidth(w vg.Length) { p.state.width = w.Points() }

func (p *pen) Push() { p.stack = append(p.stack, p.state) }

func (p *pen) Pop() {
	p.state = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
}

func (p *pen) SetLineDash(dash []vg.Length, offset vg.Length) {
	p.state.dash, p.state.offset = nil, offset.Points()
	for _, d := range dash {
		p.state.dash = append(p.state.dash, d.Points())
	}
}

func (p *pen) SetColor(clr color.Color) {
	if clr == nil {
		clr = color.Black
	}
	p.state.color = color.NRGBAModel.Convert(clr).(color.NRGBA)
}

func (p *pen) Translate(by vg.Point) {
	p.state.e, p.state.f = p.at(by)
}

func (p *pen) Rotate(rad float64) {
	s := &p.state
	sin, cos := math.Sincos(rad)
	s.a, s.b, s.c, s.d = s.a*cos+s.c*sin, s.b*cos+s.d*sin, s.c*cos-s.a*sin, s.d*cos-s.b*sin
}

func (p *pen) Scale(x, y float64) {
	s := &p.state
	s.a, s.b, s.c, s.d = s.a*x, s.b*x, s.c*y, s.d*y
}

// DrawImage panics, because figures contain no images.
func (p *pen) DrawImage(vg.Rectangle, image.Image) { panic("canvas: figures have no images") }

// at converts a point to page coordinates.
func (p *pen) at(v vg.Point) (x, y float64) {
	s := &p.state
	vx, vy := v.X.Points(), v.Y.Points()
	return s.a*vx + s.c*vy + s.e, s.b*vx + s.d*vy + s.f
}

// turn returns the angle by which text is rotated, clockwise in degrees.
func (p *pen) turn() float64 {
	angle := math.Atan2(p.state.b, p.state.a) * 180 / math.Pi
	if math.Abs(angle) < 1e-9 {
		return 0
	}
	return angle
}

// tracer receives the components of a path in page coordinates.
type tracer interface {
	move(x, y float64)
	line(x, y float64)
	curve(x1, y1, x2, y2, x, y float64)
	close()
}

// trace passes the components of a path to t. It converts arcs and quadratic curves to cubic
// curves.
func (p *pen) trace(path vg.Path, t tracer) {
	var last vg.Point
	for i, comp := range path {
		switch comp.Type {
		case vg.MoveComp:
			t.move(p.at(comp.Pos))
		case vg.LineComp:
			t.line(p.at(comp.Pos))
		case vg.CurveComp:
			p.traceCurve(last, comp, t)
		case vg.CloseComp:
			t.close()
		case vg.ArcComp:
			last = p.traceArc(comp, i > 0, t)
			continue
		}
		last = comp.Pos
	}
}

// traceCurve passes a quadratic or cubic curve to t as a cubic curve.
func (p *pen) traceCurve(from vg.Point, comp vg.PathComp, t tracer) {
	first, second := comp.Control[0], comp.Control[len(comp.Control)-1]
	if len(comp.Control) == 1 { // quadratic: move two thirds of the way from each end to the control point
		first = first.Scale(2.0 / 3).Add(from.Scale(1.0 / 3))
		second = second.Scale(2.0 / 3).Add(comp.Pos.Scale(1.0 / 3))
	}
	p.cubic(first, second, comp.Pos, t)
}

// cubic passes a cubic curve to t in page coordinates. first and second are its control points.
func (p *pen) cubic(first, second, end vg.Point, t tracer) {
	x1, y1 := p.at(first)
	x2, y2 := p.at(second)
	x, y := p.at(end)
	t.curve(x1, y1, x2, y2, x, y)
}

// onArc returns the point of an arc at an angle, and the tangent there, whose length is the radius.
func onArc(arc vg.PathComp, angle float64) (at, tangent vg.Point) {
	sin, cos := math.Sincos(angle)
	x, y := arc.Radius*vg.Length(cos), arc.Radius*vg.Length(sin)
	return arc.Pos.Add(vg.Point{X: x, Y: y}), vg.Point{X: -y, Y: x}
}

// traceArc passes an arc to t as cubic curves of at most a quarter turn, and returns the end of the
// arc. If joined, a line leads to the start of the arc. The control points lie 4/3 tan(angle/4)
// radii along the tangents; each curve then differs from the arc by less than 3e-4 radii.
func (p *pen) traceArc(arc vg.PathComp, joined bool, t tracer) vg.Point {
	at, tangent := onArc(arc, arc.Start)
	if joined {
		t.line(p.at(at))
	} else {
		t.move(p.at(at))
	}
	steps := max(1, int(math.Ceil(math.Abs(arc.Angle)/(math.Pi/2)-1e-9)))
	step := arc.Angle / float64(steps)
	reach := vg.Length(4.0 / 3 * math.Tan(step/4))
	for k := 1; k <= steps; k++ {
		next, nextTangent := onArc(arc, arc.Start+step*float64(k))
		p.cubic(at.Add(tangent.Scale(reach)), next.Sub(nextTangent.Scale(reach)), next, t)
		at, tangent = next, nextTangent
	}
	return at
}
