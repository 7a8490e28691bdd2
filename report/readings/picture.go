package readings

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// floor is the smallest distance that the picture tells apart from none.
const floor = 0.05

func onAxis(squared float64) float64 { return math.Sqrt(max(floor*floor, squared)) }

func (c *Calibration) caption() string {
	return fmt.Sprintf("Left: every reading in the order of trial, its distance when it was last measured; darker where more stages were passed. Right: the finalists on fresh replicates, cells looked at against cells held out; bars reach two standard errors of the squared distance either way; full: cannot be told apart from the nearest; 0: the study as it stands. Distances below %v are drawn there.", floor)
}

// Picture has the search at the left and its end at the right.
func (c *Calibration) Picture() canvas.Picture {
	p := canvas.Picture{Name: "readings", Title: c.Title, Caption: c.caption(), Width: canvas.MM(170), Height: canvas.MM(80)}
	p.Paint = func(page draw.Canvas) {
		panels := canvas.Grid(page, 2, 2, canvas.MM(6))
		c.paintSearch(panels[0])
		c.paintEnd(panels[1])
	}
	return p
}

// bounds are those of all distances, on a logarithmic axis.
func bounds(values []float64) (low, high float64) {
	low, high = 1, 1
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low * 0.85, high * 1.15
}

func newAxes(title string, values []float64) *plot.Plot {
	p := canvas.NewPlot()
	p.Y.Min, p.Y.Max = bounds(values)
	p.Y.Scale, p.Y.Tick.Marker, p.Y.Label.Text = plot.LogScale{}, canvas.LogTicks(0), title
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color, grid.Horizontal.Width = canvas.GridGrey, vg.Points(0.4)
	p.Add(grid)
	return p
}

// paintSearch draws every reading that has a distance.
func (c *Calibration) paintSearch(at draw.Canvas) {
	var values []float64
	deepest := 1
	for _, r := range c.Tried {
		if !r.Failed {
			values = append(values, onAxis(r.Distance.Squared))
		}
		deepest = max(deepest, r.Stage)
	}
	p := newAxes("distance (printed s.d.)", values)
	p.X.Min, p.X.Max = -0.02*float64(len(c.Tried)), 1.02*float64(len(c.Tried))
	p.X.Tick.Marker, p.X.Label.Text = canvas.Ticks(5), "reading"
	data := canvas.Axes(p, at)
	p.Draw(at)
	for stage := 1; stage <= deepest; stage++ {
		style := draw.GlyphStyle{Color: canvas.Tint(canvas.Palette[0], float64(stage+1)/float64(deepest+1)), Radius: vg.Points(0.9 + 0.5*float64(stage)), Shape: draw.CircleGlyph{}}
		for _, r := range c.Tried {
			if r.Stage == stage && !r.Failed {
				data.DrawGlyph(style, vg.Point{X: data.X(p.X.Norm(float64(r.Number))), Y: data.Y(p.Y.Norm(onAxis(r.Distance.Squared)))})
			}
		}
	}
}

// paintEnd draws the finalists with their bars.
func (c *Calibration) paintEnd(at draw.Canvas) {
	var xs, ys []float64
	for _, f := range c.Finalists {
		xs = append(xs, onAxis(f.Seen.Squared-2*f.Seen.SE), onAxis(f.Seen.Squared+2*f.Seen.SE))
		ys = append(ys, onAxis(f.Held.Squared-2*f.Held.SE), onAxis(f.Held.Squared+2*f.Held.SE))
	}
	p := newAxes("distance, held out", ys)
	p.X.Min, p.X.Max = bounds(xs)
	p.X.Scale, p.X.Tick.Marker, p.X.Label.Text = plot.LogScale{}, canvas.LogTicks(0), "distance, looked at"
	data := canvas.Axes(p, at)
	p.Draw(at)
	x := func(squared float64) vg.Length { return data.X(p.X.Norm(onAxis(squared))) }
	y := func(squared float64) vg.Length { return data.Y(p.Y.Norm(onAxis(squared))) }
	low, high := max(p.X.Min, p.Y.Min), min(p.X.Max, p.Y.Max)
	data.StrokeLine2(draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(1.5)}, data.X(p.X.Norm(low)), data.Y(p.Y.Norm(low)), data.X(p.X.Norm(high)), data.Y(p.Y.Norm(high)))
	for _, f := range c.Finalists {
		ink := canvas.DarkGrey
		mark := draw.GlyphStyle{Color: ink, Radius: vg.Points(2.6), Shape: draw.RingGlyph{}}
		if f.Kept {
			ink = canvas.Palette[0]
			mark = draw.GlyphStyle{Color: ink, Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}
		}
		line := draw.LineStyle{Color: ink, Width: vg.Points(0.5)}
		cx, cy := x(f.Seen.Squared), y(f.Held.Squared)
		data.StrokeLine2(line, x(f.Seen.Squared-2*f.Seen.SE), cy, x(f.Seen.Squared+2*f.Seen.SE), cy)
		if f.HeldAll > 0 {
			data.StrokeLine2(line, cx, y(f.Held.Squared-2*f.Held.SE), cx, y(f.Held.Squared+2*f.Held.SE))
		}
		data.DrawGlyphNoClip(mark, vg.Point{X: cx, Y: cy})
		if f.Number == 0 {
			canvas.FillMiddle(data, canvas.Text(canvas.NoteSize), vg.Point{X: cx + vg.Points(5), Y: cy + vg.Points(5)}, "0")
		}
	}
}
