package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A reducible ticker can be replaced by a ticker with fewer ticks. fewer returns this ticker, or nil.
type reducible interface{ fewer() plot.Ticker }

// lineOfTicks is the smallest vertical distance of tick labels on a vertical axis. tickGap is the
// smallest gap between tick labels on a horizontal axis.
const lineOfTicks, tickGap = vg.Length(TickSize * 1.15), vg.Length(4)

// Axes removes ticks from the axes of plot p, which will be drawn in c, until the labels do not
// overlap. It returns the area of the data.
func Axes(p *plot.Plot, c draw.Canvas) draw.Canvas {
	fitTicks(&p.Y.Tick.Marker, p.Y.Min, p.Y.Max, func() place {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) { return data.Y(p.Y.Norm(t.Value)), lineOfTicks / 2 }
	})
	fitTicks(&p.X.Tick.Marker, p.X.Min, p.X.Max, func() place {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) {
			return data.X(p.X.Norm(t.Value)), (p.X.Tick.Label.Width(t.Label) + tickGap) / 2
		}
	})
	return p.DataCanvas(c)
}

// A place returns where the label of a tick is centred on its axis, and half of the room that the
// label needs there, including the gap.
type place func(plot.Tick) (at, half vg.Length)

// fitTicks replaces the ticker of an axis by tickers with fewer ticks until all labels have room.
// If even two ticks do not have room, it removes labels. places returns the positions of the labels;
// it is called again for every ticker, because the size of the labels changes the area of the data.
func fitTicks(ticker *plot.Ticker, low, high float64, places func() place) {
	for {
		kept, removed := withRoom((*ticker).Ticks(low, high), places())
		if removed == 0 {
			return
		}
		var next plot.Ticker
		if r, ok := (*ticker).(reducible); ok {
			next = r.fewer()
		}
		if next == nil || len(next.Ticks(low, high)) < 2 {
			*ticker = plot.ConstantTicks(kept)
			return
		}
		*ticker = next
	}
}

// withRoom returns the ticks, which are in ascending order, and removes each label that would
// overlap the label before it. removed is the number of removed labels.
func withRoom(ticks []plot.Tick, of place) (kept []plot.Tick, removed int) {
	end := vg.Length(math.Inf(-1)) // end of the last label that has room
	for _, t := range ticks {
		if at, half := of(t); at-half < end-1e-9 {
			t.Label = ""
			removed++
		} else {
			end = at + half
		}
		kept = append(kept, t)
	}
	return kept, removed
}
