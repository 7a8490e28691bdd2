package main

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/experiments/folder"
	"copse/report/canvas"
)

func save(path string, p canvas.Picture) error {
	return folder.WriteFile(path+".svg", func(w io.Writer) error { return p.Write(w, "svg") })
}

// drawRatios draws a row for each part of the benchmark. The row shows how many times faster copse
// is than the reference. If the part has no reference, the row compares copse with a limit, and
// brackets enclose the part's name.
func drawRatios(path string, results []result) error {
	const axisHeight, rowHeight, rightMargin = 50, 15, 8 // points; the margin is for the last tick label
	p := canvas.NewPlot()
	p.X.Label.Text = "reference's time / copse's time; in brackets: limit / copse's time or memory"
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = canvas.LogTicks(0) // ticks at 1, 2 and 5 times powers of ten
	p.X.Min, p.X.Max = 0.5, 2            // smallest range; addRow extends the axis
	p.Add(&plotter.Grid{Vertical: draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(0.5)}})
	var names []plot.Tick
	for i, r := range results {
		y := float64(len(results) - i) // the first row is at the top
		names = append(names, plot.Tick{Value: y, Label: r.name()})
		addRow(p, y, r)
	}
	p.Y.Min, p.Y.Max = 0.3, float64(len(results))+0.7
	// At ratio 1, both programs are equally fast.
	p.Add(segment(1, p.Y.Min, 1, p.Y.Max, canvas.Dashed))
	slices.Reverse(names) // axes need ascending ticks
	p.Y.Tick.Marker = plot.ConstantTicks(names)
	p.Y.Tick.Length = 0
	return save(path, canvas.Picture{
		Title: "How many times faster copse is than the reference: median and range over the rounds " +
			"(triangle: slower than the target; ring: no target; short vertical line: target)",
		Width: 640, Height: vg.Points(axisHeight + rowHeight*float64(len(results))),
		Paint: func(c draw.Canvas) { c = draw.Crop(c, 0, -rightMargin, 0, 0); canvas.Axes(p, c); p.Draw(c) },
	})
}

// addRow adds a part at height y to a plot. A line shows the range, a marker the median and a
// stroke the target.
func addRow(p *plot.Plot, y float64, r result) {
	mid, left, right, target := r.position()
	if math.IsNaN(mid) {
		return
	}
	include := func(low, high float64) {
		const margin = 1.3 // factor between the outermost marks and the ends of the axis
		p.X.Min, p.X.Max = min(p.X.Min, low/margin), max(p.X.Max, high*margin)
	}
	const strokeHalf = 0.35 // half the height of a stroke; rows are 1 apart
	look := verdictLook(r.timesTarget)
	p.Add(segment(left, y, right, y, draw.LineStyle{Color: look.Color, Width: vg.Points(1)}),
		&plotter.Scatter{XYs: plotter.XYs{{X: mid, Y: y}}, GlyphStyle: look})
	include(left, right)
	if !math.IsNaN(target) {
		p.Add(segment(target, y-strokeHalf, target, y+strokeHalf,
			draw.LineStyle{Color: canvas.Black, Width: vg.Points(1.5)}))
		include(target, target)
	}
}

func segment(x0, y0, x1, y1 float64, style draw.LineStyle) *plotter.Line {
	return &plotter.Line{XYs: plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}}, LineStyle: style}
}

// verdictLook returns a dot if the target is met, a triangle if it is missed, and a ring without a
// target. timesTarget is less than 1 if the target is missed, and NaN without a target.
func verdictLook(timesTarget float64) draw.GlyphStyle {
	switch {
	case math.IsNaN(timesTarget):
		return draw.GlyphStyle{Color: canvas.DarkGrey, Radius: vg.Points(3), Shape: draw.RingGlyph{}}
	case timesTarget < 1:
		return draw.GlyphStyle{Color: canvas.Palette[3], Radius: vg.Points(3), Shape: draw.PyramidGlyph{}}
	}
	return draw.GlyphStyle{Color: canvas.Palette[0], Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
}

// position returns the positions of a part's marks on the axis: its median, both ends of its range,
// and its target. A missing position is NaN.
//
// If the part has a reference, the axis shows the reference's time divided by copse's time.
// Otherwise, it shows the limit divided by copse's value, so the target is at 1.
func (r result) position() (mid, left, right, target float64) {
	if r.theirs.rounds == 0 {
		limit := r.timesTarget * r.ours.median
		return limit / r.ours.median, limit / r.ours.high, limit / r.ours.low, 1
	}
	target = math.NaN()
	if !math.IsNaN(r.timesTarget) {
		target = r.ratio / r.timesTarget
	}
	return r.ratio, r.theirs.low / r.ours.high, r.theirs.high / r.ours.low, target
}

// name returns the name of a row: "part / reference" or, without a reference, "[part: limit]".
func (r result) name() string {
	if r.theirs.rounds == 0 {
		return fmt.Sprintf("[%s: %s]", r.title, r.target)
	}
	return r.title + " / " + r.reference
}
