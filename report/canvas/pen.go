package canvas

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// pen converts drawing coordinates to page coordinates for the SVG and PDF canvases. Page coordinates are in
// points from the top left corner, and y increases downwards.
type pen struct {
	w, h  vg.Length
	state penState
	stack []penState
}

// penState contains the settings that Push saves. The numbers a to f define a map from drawing
// coordinates to page coordinates:
//
//	(x, y) -> (a x + c y + e, b x + d y + f)
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

func (p *pen) DrawImage(vg.Rectangle, image.Image) { panic("canvas: images are not supported") }

// at returns the page coordinates of a point.
func (p *pen) at(v vg.Point) (x, y float64) {
	s := &p.state
	vx, vy := v.X.Points(), v.Y.Points()
	return s.a*vx + s.c*vy + s.e, s.b*vx + s.d*vy + s.f
}

// rotation returns the clockwise rotation of text in degrees.
func (p *pen) rotation() float64 {
	angle := math.Atan2(p.state.b, p.state.a) * 180 / math.Pi
	if math.Abs(angle) < 1e-9 {
		return 0
	}
	return angle
}

// A tracer receives the segments of a path in page coordinates, as *fpdf.Fpdf does.
type tracer interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	CurveBezierCubicTo(x1, y1, x2, y2, x, y float64)
	ClosePath()
}

// trace passes the segments of a path to t, in page coordinates. Every path begins with a move. trace
// converts arcs to cubic curves, and panics if the path contains other curves.
func (p *pen) trace(path vg.Path, t tracer) {
	for _, comp := range path {
		switch comp.Type {
		case vg.MoveComp:
			t.MoveTo(p.at(comp.Pos))
		case vg.LineComp:
			t.LineTo(p.at(comp.Pos))
		case vg.CloseComp:
			t.ClosePath()
		case vg.ArcComp:
			p.traceArc(comp, t)
		default:
			panic("canvas: curves are not supported")
		}
	}
}

// cubic passes a cubic Bézier curve with two control points to t.
func (p *pen) cubic(first, second, end vg.Point, t tracer) {
	x1, y1 := p.at(first)
	x2, y2 := p.at(second)
	x, y := p.at(end)
	t.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
}

// onArc returns the point of an arc at the given angle, and the tangent vector there, which is as long as the
// radius.
func onArc(arc vg.PathComp, angle float64) (at, tangent vg.Point) {
	sin, cos := math.Sincos(angle)
	x, y := arc.Radius*vg.Length(cos), arc.Radius*vg.Length(sin)
	return arc.Pos.Add(vg.Point{X: x, Y: y}), vg.Point{X: -y, Y: x}
}

// traceArc passes an arc to t as cubic curves of at most a quarter turn. The error of these curves
// is below 3e-4 times the radius. A line joins the last point of the path to the
// start of the arc.
func (p *pen) traceArc(arc vg.PathComp, t tracer) {
	at, tangent := onArc(arc, arc.Start)
	t.LineTo(p.at(at))
	// 1e-9 prevents an additional curve caused by a rounding error.
	steps := max(1, int(math.Ceil(math.Abs(arc.Angle)/(math.Pi/2)-1e-9)))
	step := arc.Angle / float64(steps)
	// reach is the distance of a control point from its end of the curve, divided by the radius.
	reach := vg.Length(4.0 / 3 * math.Tan(step/4))
	for k := 1; k <= steps; k++ {
		next, nextTangent := onArc(arc, arc.Start+step*float64(k))
		p.cubic(at.Add(tangent.Scale(reach)), next.Sub(nextTangent.Scale(reach)), next, t)
		at, tangent = next, nextTangent
	}
}
