package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// curveColours are Okabe and Ito's without yellow, then two of Tol's; dashes
// tell the curves apart without colour.
var (
	curveColours = []color.NRGBA{blue, {0xe6, 0x9f, 0x00, 255}, {0x00, 0x9e, 0x73, 255}, orange, {0x56, 0xb4, 0xe9, 255},
		{0xcc, 0x79, 0xa7, 255}, grey, {0x88, 0x22, 0x55, 255}, {0x99, 0x99, 0x33, 255}, {0x33, 0x22, 0x88, 255}}
	curveDashes = [][]vg.Length{nil, {5, 2}, {2, 2}, {6, 2, 1.5, 2}}
)

// drawGrowth draws a column of panels for n and one for d, both axes
// logarithmic.
func drawGrowth(path string, points []sizePoint, label string, value func(sizePoint) float64) error {
	const width, height = 340, 230
	paint := func(c draw.Canvas) {
		for row := range panels {
			for column, factor := range []string{"n", "d"} {
				panel := draw.Crop(c, vg.Length(column*width), vg.Length((column-1)*width), vg.Length((len(panels)-1-row)*height), -vg.Length(row*height))
				drawPanel(draw.Crop(panel, 6, -6, 6, -6), points, row, factor, label, value)
			}
		}
	}
	return chart{2 * width, vg.Length(len(panels) * height), paint}.save(path)
}

func drawPanel(c draw.Canvas, points []sizePoint, panel int, factor, label string, value func(sizePoint) float64) {
	p := newPlot()
	p.Title.Text = panels[panel] + map[string]string{"n": ", d = 20", "d": ", n = 1000"}[factor]
	p.X.Label.Text = map[string]string{"n": "training rows n", "d": "columns d"}[factor]
	p.Y.Label.Text = label
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = light, light
	p.Add(grid)
	k := 0
	var names []canvas.CurveEnd
	var last []float64 // values of the curves
	for _, s := range subjects {
		if s.panel != panel {
			continue
		}
		var line plotter.XYs
		for _, point := range series(points, s.name, factor) {
			if point.outcome == measured && value(point) > 0 {
				line = append(line, plotter.XY{X: point.size(), Y: value(point)})
			}
		}
		style := draw.LineStyle{Color: curveColours[k%len(curveColours)], Width: vg.Points(1.1), Dashes: curveDashes[k%len(curveDashes)]}
		k++
		if len(line) == 0 {
			continue
		}
		mark := draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
		p.Add(&plotter.Line{XYs: line, LineStyle: style}, &plotter.Scatter{XYs: line, GlyphStyle: mark})
		names, last = append(names, canvas.CurveEnd{KeyItem: canvas.KeyItem{Words: s.name, Sketch: func(c draw.Canvas, at vg.Point) {
			c.StrokeLine2(style, at.X-canvas.NameSketch/2, at.Y, at.X+canvas.NameSketch/2, at.Y)
			c.DrawGlyph(mark, at)
		}}}), append(last, line[len(line)-1].Y)
	}
	if len(names) == 0 {
		return
	}
	const room = 100 // points, for the names
	c = draw.Crop(c, 0, -room, 0, 0)
	p.Draw(c)
	data := p.DataCanvas(c)
	for i := range names {
		names[i].Y = data.Y(p.Y.Norm(last[i]))
	}
	style := p.X.Tick.Label
	style.Font, style.XAlign = face(7), text.XLeft
	canvas.NamesBeside(c, data, style, names)
}
