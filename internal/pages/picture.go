package main

import (
	"fmt"
	"image/color"
	"os"

	"golang.org/x/exp/rand"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"copse/experiments/stream"
	"copse/generators"
	"copse/stats/dataset"
)

const perClass = 150

// drawSample draws a sample from a generator and writes up to three scatter plots to a PNG file. Plot
// k shows attribute k+1 against attribute k.
func drawSample(path string, g generators.Generator) error {
	problem, err := g.New(stream.New(1, "pages", 1, stream.Structure))
	if err != nil {
		return err
	}
	counts := make([]int, classesOf(g))
	for c := range counts {
		counts[c] = perClass
	}
	set := problem.Sample(counts, stream.New(1, "pages", 1, stream.Train))
	const width, height = 480, 170
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(144))
	tiles := draw.Tiles{Cols: 3, Rows: 1, PadX: vg.Points(10), PadRight: vg.Points(6), PadTop: vg.Points(4),
		PadBottom: vg.Points(4)}
	last := set.D() - 1
	for k := range max(1, min(last, tiles.Cols)) {
		// A single attribute is plotted against itself.
		pairPlot(set, k, min(k+1, last)).Draw(tiles.At(draw.New(canvas), k, 0))
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = vgimg.PngCanvas{Canvas: canvas}.WriteTo(f)
	return err
}

func classesOf(g generators.Generator) int {
	spec, _ := generators.Registry.EntryOf(g)
	return spec.Classes(g)
}

// pairPlot returns a scatter plot of attribute b against attribute a. Circles mark class 0 and
// crosses mark class 1.
func pairPlot(set *dataset.Set, a, b int) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = set.Attributes[a].Name, set.Attributes[b].Name
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = font.From(axis.Label.TextStyle.Font, vg.Points(9))
		axis.Tick.Label.Font = font.From(axis.Tick.Label.Font, vg.Points(8))
	}
	jitter := stream.New(1, "pages", 1, "spread") // random shifts that separate equal discrete values
	marks := []struct {
		shape draw.GlyphDrawer
		ink   color.Color
	}{{draw.RingGlyph{}, color.RGBA{0, 90, 160, 255}}, {draw.CrossGlyph{}, color.RGBA{200, 90, 0, 255}}}
	for c, mark := range marks {
		var points plotter.XYs
		for i, y := range set.Y {
			if y == c {
				points = append(points, plotter.XY{X: value(set, i, a, jitter), Y: value(set, i, b, jitter)})
			}
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			panic(fmt.Sprintf("pages: %v", err)) // generators draw finite values
		}
		s.GlyphStyle = draw.GlyphStyle{Color: mark.ink, Radius: vg.Points(1.6), Shape: mark.shape}
		p.Add(s)
	}
	return p
}

// value returns the value of an attribute in a row, with a small random shift if it is discrete.
func value(set *dataset.Set, row, column int, jitter *rand.Rand) float64 {
	v := set.X.At(row, column)
	if set.Attributes[column].Kind == dataset.Discrete {
		v += 0.5 * (jitter.Float64() - 0.5)
	}
	return v
}
