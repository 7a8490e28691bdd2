package main

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	blue   = color.NRGBA{0x00, 0x72, 0xb2, 255}
	orange = color.NRGBA{0xd5, 0x5e, 0x00, 255}
	grey   = color.NRGBA{0x88, 0x88, 0x88, 255}
	light  = color.NRGBA{0xe2, 0xe2, 0xe2, 255}
	black  = color.NRGBA{0x11, 0x11, 0x11, 255}
)

// newPlot is an empty panel with text of the given sizes.
func newPlot() *plot.Plot {
	p := plot.New()
	p.Title.TextStyle.Font = face(9)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = face(8), face(7.5)
		a.LineStyle.Width, a.Tick.LineStyle.Width = vg.Points(0.5), vg.Points(0.5)
	}
	return p
}

func face(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// A chart is drawn to a canvas of the given size.
type chart struct {
	width, height vg.Length
	paint         func(draw.Canvas)
}

// save writes path.png and path.svg.
func (c chart) save(path string) error {
	const dpi = 200
	png := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(c.width, c.height), vgimg.UseDPI(dpi))}
	svg := vgsvg.New(c.width, c.height)
	for _, f := range []struct {
		name   string
		canvas vg.CanvasWriterTo
	}{{".png", png}, {".svg", svg}} {
		canvas := draw.NewCanvas(f.canvas, c.width, c.height)
		canvas.SetColor(color.White)
		canvas.Fill(canvas.Rectangle.Path())
		c.paint(canvas)
		if err := writeFile(path+f.name, func(w io.Writer) error { _, err := f.canvas.WriteTo(w); return err }); err != nil {
			return err
		}
	}
	return nil
}

// drawRatios draws, for each row with a reference, how many times faster copse
// is, on a log axis, with the target as a tick; rows with a limit in seconds
// show how far below it they are.
func drawRatios(path string, results []result) error {
	p := newPlot()
	p.Title.Text = "How many times faster copse is (point, range over the rounds) and the target (tick)"
	p.X.Label.Text = "reference / copse; in brackets: limit / copse"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	grid := plotter.NewGrid()
	grid.Horizontal.Width = 0
	grid.Vertical.Color = light
	p.Add(grid)
	var names []plot.Tick
	low, high := 0.5, 2.0
	for i, r := range results {
		y := float64(len(results) - i)
		mid, left, right, target := r.position()
		names = append(names, plot.Tick{Value: y, Label: r.name()})
		if math.IsNaN(mid) {
			continue
		}
		low, high = min(low, left/1.3), max(high, right*1.3)
		met := blue
		if r.share < 1 {
			met = orange
		}
		if math.IsNaN(r.share) {
			met = grey
		}
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: left, Y: y}, {X: right, Y: y}}, LineStyle: draw.LineStyle{Color: met, Width: vg.Points(1)}},
			&plotter.Scatter{XYs: plotter.XYs{{X: mid, Y: y}}, GlyphStyle: draw.GlyphStyle{Color: met, Radius: vg.Points(3), Shape: draw.CircleGlyph{}}})
		if !math.IsNaN(target) {
			low, high = min(low, target/1.3), max(high, target*1.3)
			p.Add(&plotter.Line{XYs: plotter.XYs{{X: target, Y: y - 0.35}, {X: target, Y: y + 0.35}}, LineStyle: draw.LineStyle{Color: black, Width: vg.Points(1.5)}})
		}
	}
	one := draw.LineStyle{Color: grey, Width: vg.Points(0.7), Dashes: []vg.Length{3, 2}}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: 1, Y: 0.3}, {X: 1, Y: float64(len(results)) + 0.7}}, LineStyle: one})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0.3, float64(len(results))+0.7
	p.Y.Tick.Marker = plot.ConstantTicks(names)
	p.Y.Tick.Length = 0
	height := vg.Points(70 + 17*float64(len(results)))
	return chart{vg.Points(640), height, func(c draw.Canvas) { p.Draw(draw.Crop(c, 5, -8, 5, -5)) }}.save(path)
}

// position is where a row's point, range and target lie.
func (r result) position() (mid, left, right, target float64) {
	if r.theirs.rounds == 0 {
		limit := r.share * r.ours.median
		return limit / r.ours.median, limit / r.ours.high, limit / r.ours.low, 1
	}
	target = math.NaN()
	if !math.IsNaN(r.share) {
		target = r.ratio / r.share
	}
	return r.ratio, r.theirs.low / r.ours.high, r.theirs.high / r.ours.low, target
}

func (r result) name() string {
	if r.theirs.rounds == 0 {
		return fmt.Sprintf("[%s: %s]", r.title, r.target)
	}
	return r.title + " / " + r.reference
}

// decades are the ticks of a log axis: powers of ten, labelled, and their
// multiples by 2 and 5.
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := math.Floor(math.Log10(low)); power <= math.Log10(high); power++ {
		for _, factor := range []float64{1, 2, 5} {
			v := factor * math.Pow(10, power)
			if v < low || v > high {
				continue
			}
			label := ""
			if factor == 1 || math.Log10(high/low) < 2.5 {
				label = fmt.Sprintf("%g", v)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}
