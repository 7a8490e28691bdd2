package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A reducible ticker has a ticker with fewer ticks; nil if there are no fewer.
type reducible interface{ fewer() plot.Ticker }

// lineOfTicks is the smallest distance of labels one above the other, tickGap the smallest gap
// between labels beside one another.
const lineOfTicks, tickGap = vg.Length(TickSize * 1.15), vg.Length(4)

// Axes reduces the ticks of a plot that will be drawn in c until their labels have room. It
// returns the area of the data.
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

// A place returns where the label of a tick is centred on an axis, and half of its extent there
// with its gap.
type place func(plot.Tick) (at, half vg.Length)

// fitTicks reduces the ticks of an axis, a ticker at a time, until all labels have room. The size of
// labels changes the area of the data, so places returns the places of labels for every ticker anew.
// If two ticks have no room either, labels without room are removed.
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

// withRoom returns ascending ticks, those without room for their labels without them, and the
// number of labels removed.
func withRoom(ticks []plot.Tick, of place) (kept []plot.Tick, removed int) {
	end := vg.Length(math.Inf(-1)) // of the last label
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
