package readings

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
)

// floor is the smallest distance on the axes of the picture. Smaller distances are drawn there.
const floor = 0.05

// onAxis returns the square root of a squared distance, but at least floor.
func onAxis(squared float64) float64 { return math.Sqrt(max(floor*floor, squared)) }

func caption() string {
	return fmt.Sprintf("Left: every reading in the order of trial, with its last measured distance; darker marks "+
		"passed more stages. Right: the finalists on fresh replicates, with the distance over the searched cells "+
		"on the horizontal axis and the distance over the held-out cells on the vertical axis. Bars: two standard "+
		"errors of the squared distance on either side. Filled marks: the test does not distinguish the reading "+
		"from the nearest one. 0: the study itself. Distances below %v are drawn at %v.", floor, floor)
}

// Picture returns a picture with two panels: the search on the left and its finalists on the right.
func (c *Calibration) Picture() canvas.Picture {
	search, end := c.search(), c.end()
	paint := func(page draw.Canvas) {
		halves := canvas.Grid(page, 2, 2, canvas.MM(6))
		search.Paint(halves[0])
		end.Paint(halves[1])
	}
	return canvas.Picture{Name: "readings", Title: c.Title, Caption: caption(), Width: canvas.MM(170),
		Height: canvas.MM(80), Paint: paint}
}

func newPage(title string, distances []float64) panels.Page {
	p := panels.Page{Titles: []string{""}, PerRow: 1, Y: panels.Scale{Title: title, Log: beyond, Grid: true}}
	p.Y.Hold([][]float64{append(distances, 1)}, false)
	return p
}

// beyond is the factor by which logarithmic axes extend beyond the largest and smallest distance.
const beyond = 1.15

func (c *Calibration) search() panels.Page {
	var distances []float64
	deepest := 1
	for _, r := range c.Tried {
		if !r.Failed {
			distances = append(distances, onAxis(r.Distance.Squared))
		}
		deepest = max(deepest, r.Stage)
	}
	page := newPage("distance (printed s.d.)", distances)
	n := float64(len(c.Tried))
	spans := []panels.Span{{Low: -0.02 * n, High: 1.02 * n}}
	page.X = panels.Scale{Title: "reading", Ticks: canvas.Ticks(5), Spans: spans}
	page.Marks = func(data draw.Canvas, p *plot.Plot, _ int) {
		for stage := 1; stage <= deepest; stage++ { // readings that passed more stages are drawn on top
			c.paintStage(data, p, stage, deepest)
		}
	}
	return page
}

// paintStage draws the readings that the search stopped measuring after the given stage. deepest is
// the last stage of the search.
func (c *Calibration) paintStage(data draw.Canvas, p *plot.Plot, stage, deepest int) {
	x, y := p.Transforms(&data)
	shade := float64(stage+1) / float64(deepest+1)
	mark := draw.GlyphStyle{Color: canvas.Tint(canvas.Palette[0], shade), Radius: vg.Points(0.9 + 0.5*float64(stage)),
		Shape: draw.CircleGlyph{}}
	for _, r := range c.Tried {
		if r.Stage == stage && !r.Failed {
			data.DrawGlyph(mark, vg.Point{X: x(float64(r.Number)), Y: y(onAxis(r.Distance.Squared))})
		}
	}
}

func (c *Calibration) end() panels.Page {
	var seen, held []float64
	for _, f := range c.Finalists {
		seen = append(seen, onAxis(f.Seen.Squared-2*f.Seen.SE), onAxis(f.Seen.Squared+2*f.Seen.SE))
		held = append(held, onAxis(f.Held.Squared-2*f.Held.SE), onAxis(f.Held.Squared+2*f.Held.SE))
	}
	page := newPage("distance, cells held out", held)
	page.X = panels.Scale{Title: "distance, cells searched", Log: beyond}
	page.X.Hold([][]float64{append(seen, 1)}, false)
	page.Marks = func(data draw.Canvas, p *plot.Plot, _ int) {
		paintEquality(data, p)
		for i := range c.Finalists {
			paintFinalist(data, p, &c.Finalists[i])
		}
	}
	return page
}

func paintEquality(data draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&data)
	low, high := max(p.X.Min, p.Y.Min), min(p.X.Max, p.Y.Max)
	line := draw.LineStyle{Color: canvas.GridGrey, Width: vg.Points(1.5)}
	data.StrokeLine2(line, x(low), y(low), x(high), y(high))
}

func paintFinalist(data draw.Canvas, p *plot.Plot, f *Finalist) {
	x, y := p.Transforms(&data)
	mark := draw.GlyphStyle{Color: canvas.DarkGrey, Radius: vg.Points(2.6), Shape: draw.RingGlyph{}}
	if f.Kept {
		mark.Color, mark.Shape = canvas.Palette[0], draw.CircleGlyph{}
	}
	line := draw.LineStyle{Color: mark.Color, Width: vg.Points(0.5)}
	at := vg.Point{X: x(onAxis(f.Seen.Squared)), Y: y(onAxis(f.Held.Squared))}
	data.StrokeLine2(line, x(onAxis(f.Seen.Squared-2*f.Seen.SE)), at.Y, x(onAxis(f.Seen.Squared+2*f.Seen.SE)), at.Y)
	if f.HeldAll > 0 {
		data.StrokeLine2(line, at.X, y(onAxis(f.Held.Squared-2*f.Held.SE)), at.X, y(onAxis(f.Held.Squared+2*f.Held.SE)))
	}
	data.DrawGlyphNoClip(mark, at)
	if f.Number == 0 { // the study itself
		beside := vg.Point{X: at.X + vg.Points(5), Y: at.Y + vg.Points(5)}
		canvas.FillMiddle(data, canvas.Text(canvas.NoteSize), beside, "0")
	}
}
