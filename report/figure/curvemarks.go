package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// lineAndMarks draws a curve through its points.
func lineAndMarks(c draw.Canvas, p *plot.Plot, k *curve, line draw.LineStyle, mark draw.GlyphStyle) {
	var points, marks plotter.XYs
	for i, at := range k.points {
		points = append(points, plotter.XY{X: at.x, Y: at.Mean})
		if k.marked == nil || slices.Contains(k.marked, i) {
			marks = append(marks, points[i])
		}
	}
	(&plotter.Line{XYs: points, LineStyle: line}).Plot(c, p)
	if mark.Shape != nil {
		(&plotter.Scatter{XYs: marks, GlyphStyle: mark}).Plot(c, p)
	}
}

// shade fills the band of a curve that the panel names; the band of a single point is a bar.
func (d *chart) shade(c draw.Canvas, p *plot.Plot, k *curve) {
	if !k.named() {
		return
	}
	var rim plotter.XYs
	for _, at := range k.points {
		rim = append(rim, plotter.XY{X: at.x, Y: at.high})
	}
	for _, at := range slices.Backward(k.points) {
		rim = append(rim, plotter.XY{X: at.x, Y: at.low})
	}
	line, _ := d.look(k)
	switch {
	case len(k.points) == 1:
		bar := draw.LineStyle{Color: line.Color, Width: vg.Points(0.7)}
		(&plotter.Line{XYs: rim, LineStyle: bar}).Plot(c, p)
	case len(k.points) > 1:
		shade := color.NRGBAModel.Convert(line.Color).(color.NRGBA)
		shade.A = 45
		(&plotter.Polygon{XYs: []plotter.XYs{rim}, Color: shade}).Plot(c, p)
	}
}
