package readings

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/stats/verdicts"
)

const floor = 0.05

// shownDistance returns the distance that the axes show for a squared distance. It is at least floor.
func shownDistance(squared float64) float64 { return math.Sqrt(max(floor*floor, squared)) }

func (c *Calibration) caption() string {
	first, right := "All", ""
	if c.Held > 0 {
		first = "Left: all"
		right = " Right: the finalists of the search on fresh replicates. Horizontal axis: the distance over the " +
			"searched cells, which the search used. Vertical axis: the distance over the held-out cells, which it " +
			"did not use. Bars: two standard errors of the squared distance on either side. Filled marks: " +
			"readings that the test does not distinguish from the one nearest to the printed numbers. The mark " +
			"0: the study itself."
	}
	return fmt.Sprintf("%s readings (choices of the parameters that the paper leaves open) in the order of the "+
		"search. Vertical axis: the last measured distance between a reading and the printed numbers. Darker "+
		"marks: readings that passed more stages of the search.%s Distances below %v are drawn at %[3]v.",
		first, right, floor)
}

// Picture returns a picture with the search on the left and its finalists on the right. Without held-out cells,
// it shows only the search.
func (c *Calibration) Picture() canvas.Picture {
	pages := []panels.Page{c.searchPanel()}
	if c.Held > 0 {
		pages = append(pages, c.finalistsPanel())
	}
	paint := func(page draw.Canvas) {
		for i, part := range canvas.Grid(page, len(pages), len(pages), canvas.MM(6)) {
			pages[i].Paint(part)
		}
	}
	return canvas.Picture{Name: "readings", Title: c.Title, Caption: c.caption(), Width: canvas.MM(170),
		Height: canvas.MM(80), Paint: paint}
}

func newPage(x, y panels.Scale) panels.Page {
	y.Grid = true
	return panels.Page{Titles: []string{""}, PerRow: 1, X: x, Y: y}
}

// distanceScale returns a logarithmic axis that includes the given distances and 1. Distances are
// in units of the published standard deviation.
func distanceScale(title string, distances []float64) panels.Scale {
	const margin = 1.15 // keeps the marks away from the frame
	const oneSD = 1
	const perPanel = false
	s := panels.Scale{Title: title, LogMargin: margin}
	s.Include([][]float64{append(distances, oneSD)}, perPanel)
	return s
}

// searchPanel shows the distance of each reading (choice of parameter values) from the printed
// numbers, in the order of the search. Marks of later stages are darker.
func (c *Calibration) searchPanel() panels.Page {
	var distances []float64
	lastStage := 1
	for _, r := range c.Tried {
		if !r.Failed {
			distances = append(distances, shownDistance(r.Distance.Squared))
		}
		lastStage = max(lastStage, r.Stage)
	}
	n := float64(len(c.Tried))
	numbers := panels.OneRange(-0.02*n, 1.02*n) // numbers of readings, with a margin
	page := newPage(panels.Scale{Title: "reading", Ticks: canvas.Ticks(5), Ranges: numbers},
		distanceScale("distance (printed s.d.)", distances))
	page.DrawMarks = func(data draw.Canvas, p *plot.Plot, _ int) {
		for stage := 1; stage <= lastStage; stage++ { // readings that passed more stages are drawn on top
			c.paintStage(data, p, stage, lastStage)
		}
	}
	return page
}

// paintStage draws a mark for each reading (choice of parameter values) of a stage.
func (c *Calibration) paintStage(data draw.Canvas, p *plot.Plot, stage, lastStage int) {
	x, y := p.Transforms(&data)
	shade := float64(stage+1) / float64(lastStage+1)
	mark := draw.GlyphStyle{Color: canvas.Tint(canvas.Palette[0], shade), Radius: vg.Points(0.9 + 0.5*float64(stage)),
		Shape: draw.CircleGlyph{}}
	for _, r := range c.Tried {
		if r.Stage == stage && !r.Failed {
			data.DrawGlyph(mark, vg.Point{X: x(float64(r.Number)), Y: y(shownDistance(r.Distance.Squared))})
		}
	}
}

// barEnds returns the ends of a distance's error bar: the squared distance minus and plus two
// standard errors.
func barEnds(d verdicts.Distance) (low, high float64) {
	return shownDistance(d.Squared - 2*d.SE), shownDistance(d.Squared + 2*d.SE)
}

// finalistsPanel shows the distances of the finalists from the printed numbers: over the searched
// cells on the horizontal axis, and over the held-out cells on the vertical axis.
func (c *Calibration) finalistsPanel() panels.Page {
	var searched, heldOut []float64
	for _, f := range c.Finalists {
		left, right := barEnds(f.Searched)
		bottom, top := barEnds(f.HeldOut)
		searched, heldOut = append(searched, left, right), append(heldOut, bottom, top)
	}
	page := newPage(distanceScale("distance, cells searched", searched),
		distanceScale("distance, cells held out", heldOut))
	page.DrawMarks = func(data draw.Canvas, p *plot.Plot, _ int) {
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
	line := canvas.Line(canvas.GridGrey, 1.5)
	data.StrokeLine2(line, x(low), y(low), x(high), y(high))
}

// paintFinalist draws a finalist, one of the best choices of parameter values, as a mark with error bars. The
// mark is filled if the finalist is kept. The values of the study itself get the text "0".
func paintFinalist(data draw.Canvas, p *plot.Plot, f *Finalist) {
	x, y := p.Transforms(&data)
	mark := draw.GlyphStyle{Color: canvas.DarkGrey, Radius: 2.6, Shape: draw.RingGlyph{}}
	if f.Kept {
		mark.Color, mark.Shape = canvas.Palette[0], draw.CircleGlyph{}
	}
	bar := canvas.Line(mark.Color, 0.5)
	at := vg.Point{X: x(shownDistance(f.Searched.Squared)), Y: y(shownDistance(f.HeldOut.Squared))}
	left, right := barEnds(f.Searched)
	data.StrokeLine2(bar, x(left), at.Y, x(right), at.Y)
	bottom, top := barEnds(f.HeldOut)
	data.StrokeLine2(bar, at.X, y(bottom), at.X, y(top))
	data.DrawGlyphNoClip(mark, at)
	if f.Number == unchanged {
		canvas.WriteText(data, canvas.Text(canvas.NoteSize), at.X+5, at.Y+5, "0")
	}
}
