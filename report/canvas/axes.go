package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A reducible ticker has a ticker with fewer ticks, or nil.
type reducible interface{ fewer() plot.Ticker }

// Smallest distances of tick labels: of lines on a vertical axis, of words on a horizontal one.
const lineOfTicks, tickGap = vg.Length(TickSize * 1.15), vg.Length(4)

// Axes removes ticks from the axes of plot p until the labels do not overlap when p is drawn in c. It
// returns the area of the data.
func Axes(p *plot.Plot, c draw.Canvas) draw.Canvas {
	fitTicks(&p.Y, func() place {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) { return data.Y(p.Y.Norm(t.Value)), lineOfTicks / 2 }
	})
	fitTicks(&p.X, func() place {
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

// fitTicks replaces the ticker of an axis by tickers with fewer ticks until all labels have room. If
// even two labels have none, it removes labels. places is called for every ticker, because the size
// of the labels changes the area of the data.
func fitTicks(axis *plot.Axis, places func() place) {
	for {
		ticker := axis.Tick.Marker
		kept, removed := withRoom(ticker.Ticks(axis.Min, axis.Max), places())
		if removed == 0 {
			return
		}
		var next plot.Ticker
		if r, ok := ticker.(reducible); ok {
			next = r.fewer()
		}
		if next == nil || len(next.Ticks(axis.Min, axis.Max)) < 2 {
			axis.Tick.Marker = plot.ConstantTicks(kept)
			return
		}
		axis.Tick.Marker = next
	}
}

// withRoom returns ascending ticks without the labels that would overlap the label before them.
// removed is the number of these labels.
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
