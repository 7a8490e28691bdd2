package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A reducible ticker can return a ticker with fewer ticks, or nil if that is impossible.
type reducible interface{ fewer() plot.Ticker }

// lineOfTicks is the smallest distance between the tick labels of a vertical axis. tickGap is the
// smallest gap between the tick labels of a horizontal axis.
const lineOfTicks, tickGap = vg.Length(TickSize * 1.15), vg.Length(4)

// Axes removes ticks from the axes of p until no labels overlap when p is drawn on c. It returns the data
// area.
func Axes(p *plot.Plot, c draw.Canvas) draw.Canvas {
	fitTicks(&p.Y, func() labelExtent {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) { return data.Y(p.Y.Norm(t.Value)), lineOfTicks / 2 }
	})
	fitTicks(&p.X, func() labelExtent {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) {
			return data.X(p.X.Norm(t.Value)), (p.X.Tick.Label.Width(t.Label) + tickGap) / 2
		}
	})
	return p.DataCanvas(c)
}

// A labelExtent returns the position of a tick label's centre on the axis, and half the length that the label
// occupies along the axis, including the gap.
type labelExtent func(plot.Tick) (at, half vg.Length)

// fitTicks reduces the ticks of an axis until the labels do not overlap. It calls extents again for every ticker it
// tries, because the data area depends on the labels.
func fitTicks(axis *plot.Axis, extents func() labelExtent) {
	original := axis.Tick.Marker
	for {
		ticks, removed := clearOverlapping(axis.Tick.Marker.Ticks(axis.Min, axis.Max), extents())
		if removed == 0 {
			return
		}
		if next := fewerTicks(axis); next != nil {
			axis.Tick.Marker = next
			continue
		}
		if labels := len(ticks) - removed; labels < 2 {
			// An axis needs two labels, but the reduced ticks have room for fewer. The outermost original labels, such
			// as 1 and 9, can be farther apart than the reduced ones, such as 4 and 6.
			// extents still uses the data area for the reduced ticks, which is nearly the same.
			ticks, _ = clearOverlapping(original.Ticks(axis.Min, axis.Max), extents())
		}
		axis.Tick.Marker = plot.ConstantTicks(ticks)
		return
	}
}

// fewerTicks returns a ticker with at least two ticks, but fewer than the axis has. It returns nil if there
// is none.
func fewerTicks(axis *plot.Axis) plot.Ticker {
	ticker, ok := axis.Tick.Marker.(reducible)
	if !ok {
		return nil
	}
	next := ticker.fewer()
	if next == nil || len(next.Ticks(axis.Min, axis.Max)) < 2 {
		return nil
	}
	return next
}

// clearOverlapping clears the label of each tick that would overlap the label before it. It returns the ticks and
// the number of cleared labels. The ticks must be in ascending order.
func clearOverlapping(ticks []plot.Tick, extent labelExtent) (list []plot.Tick, removed int) {
	end := vg.Length(math.Inf(-1)) // end of the last label that is kept
	for _, t := range ticks {
		if at, half := extent(t); at-half < end-1e-9 {
			t.Label = ""
			removed++
		} else {
			end = at + half
		}
		list = append(list, t)
	}
	return list, removed
}
