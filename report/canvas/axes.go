package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// tickGap is the smallest gap between tick labels on a horizontal axis.
const tickGap = vg.Length(4)

// Axes removes ticks from the axes of a plot until no tick labels overlap when the plot is drawn on c. It
// returns the part of c inside the axes.
func Axes(p *plot.Plot, c draw.Canvas) draw.Canvas {
	fitTicks(&p.Y, func() labelExtent {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) { return data.Y(p.Y.Norm(t.Value)), LineHeight / 2 }
	})
	fitTicks(&p.X, func() labelExtent {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) {
			return data.X(p.X.Norm(t.Value)), (p.X.Tick.Label.Width(t.Label) + tickGap) / 2
		}
	})
	return p.DataCanvas(c)
}

// A labelExtent returns the middle of a tick label along the axis, and half of the label's extent in
// this direction, including the gap to the next label.
type labelExtent func(plot.Tick) (at, half vg.Length)

// fitTicks reduces the number of ticks of an axis until their labels do not overlap. It calls extents after each
// change, because the size of the data area depends on the ticks.
func fitTicks(axis *plot.Axis, extents func() labelExtent) {
	original := axis.Tick.Marker
	for {
		current := axis.Tick.Marker.Ticks(axis.Min, axis.Max)
		extent := extents()
		ticks, cleared := clearOverlappingLabels(current, extent)
		if cleared == 0 {
			return // no labels overlap
		}
		if next := fewerTicks(axis); next != nil {
			axis.Tick.Marker = next
			continue
		}
		if labels := len(ticks) - cleared; labels < 2 {
			// Use the original ticks instead, which can cover a wider range, for example 1 to 9 instead of 4 to 6.
			ticks, _ = clearOverlappingLabels(original.Ticks(axis.Min, axis.Max), extent)
		}
		axis.Tick.Marker = plot.ConstantTicks(ticks)
		return
	}
}

// fewerTicks returns a ticker with at least two ticks, but fewer than the axis has, or nil if there is none.
func fewerTicks(axis *plot.Axis) (next plot.Ticker) {
	switch ticker := axis.Tick.Marker.(type) {
	case Ticks:
		if ticker > 1 {
			next = ticker - 1
		}
	case LogTicks:
		next = ticker + 1
	}
	if next == nil || len(next.Ticks(axis.Min, axis.Max)) < 2 {
		return nil
	}
	return next
}

// clearOverlappingLabels keeps all ticks, but clears the label of each tick that would overlap the label before it.
// Ticks must be in ascending order. cleared is the number of cleared labels.
func clearOverlappingLabels(ticks []plot.Tick, extent labelExtent) (list []plot.Tick, cleared int) {
	end := vg.Length(math.Inf(-1)) // end of the previous label
	for _, t := range ticks {
		if at, half := extent(t); at-half < end-1e-9 {
			t.Label = ""
			cleared++
		} else {
			end = at + half
		}
		list = append(list, t)
	}
	return list, cleared
}
