package main

import (
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/experiments/folder"
	"copse/report/canvas"
)

// drawGrowth plots a quantity, such as time, on logarithmic axes. Each row of panels shows one
// group of classifiers, against n (training rows) on the left and d (columns) on the right.
func drawGrowth(path string, points []sizePoint, label string, value func(sizePoint) float64) error {
	const height, gap = 150, 14              // in points: height of a panel, gap between panels
	rotated := canvas.Text(canvas.LabelSize) // text that runs upwards
	rotated.XAlign, rotated.YAlign, rotated.Rotation = draw.XCenter, draw.YTop, math.Pi/2
	picture := canvas.Picture{
		Title: label, Width: canvas.MM(190), Height: vg.Length(len(panels)*(height+gap) - gap),
		Paint: func(c draw.Canvas) {
			factors := []string{"n", "d"}
			columns := len(factors)
			areas := canvas.Grid(draw.Crop(c, canvas.AxisTitle, 0, 0, 0), columns*len(panels), columns, gap)
			for i, area := range areas { // row by row; each row shows one of the panels
				row, column := i/columns, i%columns
				insideAxes := drawPanel(area, points, row, factors[column], value)
				if column == 0 { // write the label once, left of the row
					c.FillText(rotated, vg.Point{X: c.Min.X, Y: insideAxes.Center().Y}, label)
				}
			}
		},
	}
	return folder.WriteFile(path, func(w io.Writer) error { return picture.Write(w, "svg") })
}

// For a panel with n or d on its horizontal axis, axisLabels contains the label of this axis, and
// otherFactor the value of the constant factor.
var (
	axisLabels  = map[string]string{"n": "training rows n", "d": "columns d"}
	otherFactor = map[string]string{"n": "d = 20", "d": "n = 1000"}
)

// drawPanel draws a panel with a curve for each classifier, whose name is beside the last value.
// The horizontal axis shows the given factor, n or d. drawPanel returns the area inside the axes.
func drawPanel(c draw.Canvas, points []sizePoint, panel int, factor string,
	value func(sizePoint) float64) draw.Canvas {
	p := logPlot(axisLabels[factor])
	names, lastValues := addCurves(p, points, panel, factor, value)
	if len(names) == 0 { // no classifier of the panel was measured
		return c
	}
	const titleHeight = 1.5 // multiple of the font size
	title := canvas.Text(canvas.PanelSize)
	// The names are to the right of the body, and the title is above it.
	body := draw.Crop(c, 0, -nameWidth(), 0, -title.Font.Size*titleHeight)
	insideAxes := canvas.Axes(p, body)
	p.Draw(body)
	atTop := vg.Point{X: insideAxes.Min.X, Y: c.Max.Y - title.Font.Size}
	c.FillText(title, atTop, panels[panel]+", "+otherFactor[factor])
	for i, last := range lastValues { // heights depend on the scale, which is known only now
		names[i].Y = insideAxes.Y(p.Y.Norm(last))
	}
	canvas.NamesBeside(insideAxes, names)
	return insideAxes
}

// logPlot returns an empty plot with logarithmic axes and a grid.
func logPlot(xLabel string) *plot.Plot {
	p := canvas.NewPlot()
	p.X.Label.Text = xLabel
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = canvas.LogTicks(0), canvas.LogTicks(0)
	grid := draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(0.5)}
	p.Add(&plotter.Grid{Horizontal: grid, Vertical: grid})
	return p
}

// nameWidth returns the width of the space for names on the right of a panel. It is the same in all
// panels, so that their data areas are equally wide.
func nameWidth() vg.Length {
	const beforeName = 26 // distance in points from the axes to the text of a name
	style := canvas.Text(canvas.TickSize)
	widest := vg.Length(0)
	for _, s := range subjects {
		widest = max(widest, style.Width(s.name))
	}
	return beforeName + widest
}

// addCurves adds the curves of a panel to a plot. It returns the names of the curves, whose heights
// are not set, and the last value of each curve.
func addCurves(p *plot.Plot, points []sizePoint, panel int, factor string,
	value func(sizePoint) float64) (names []canvas.CurveEnd, last []float64) {
	for k, s := range subjectsOf(panel) {
		curve := curveOf(series(points, s.name, factor), value)
		if len(curve) == 0 {
			continue
		}
		line, mark := canvas.Curve(k, canvas.Palette[k%len(canvas.Palette)])
		p.Add(&plotter.Line{XYs: curve, LineStyle: line}, &plotter.Scatter{XYs: curve, GlyphStyle: mark})
		sketch := func(c draw.Canvas, at vg.Point) {
			c.StrokeLine2(line, at.X-canvas.NameSketchWidth/2, at.Y, at.X+canvas.NameSketchWidth/2, at.Y)
			c.DrawGlyph(mark, at)
		}
		names = append(names, canvas.CurveEnd{KeyItem: canvas.KeyItem{Text: s.name, Sketch: sketch}})
		last = append(last, curve[len(curve)-1].Y)
	}
	return names, last
}

func subjectsOf(panel int) (list []subject) {
	for _, s := range subjects {
		if s.panel == panel {
			list = append(list, s)
		}
	}
	return list
}

func curveOf(s []sizePoint, value func(sizePoint) float64) (curve plotter.XYs) {
	for _, point := range s {
		if point.outcome == measured && value(point) > 0 {
			curve = append(curve, plotter.XY{X: point.size(), Y: value(point)})
		}
	}
	return curve
}
