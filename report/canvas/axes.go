package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A ladder is a ticker that knows one of fewer ticks; nil: there is none.
type ladder interface{ fewer() plot.Ticker }

// lineOfTicks is the least distance of labels one above the other, tickGap the least gap
// of labels beside one another.
const lineOfTicks, tickGap = vg.Length(TickSize * 1.15), vg.Length(4)

// Axes gives the axes of a plot that will be drawn in c as many ticks as their labels have
// room for, and returns the area of the data.
func Axes(p *plot.Plot, c draw.Canvas) draw.Canvas {
	fit(p, &p.Y, c, func(data draw.Canvas, t plot.Tick) (at, half vg.Length) {
		return data.Y(p.Y.Norm(t.Value)), lineOfTicks / 2
	})
	fit(p, &p.X, c, func(data draw.Canvas, t plot.Tick) (at, half vg.Length) {
		return data.X(p.X.Norm(t.Value)), (p.X.Tick.Label.Width(t.Label) + tickGap) / 2
	})
	return p.DataCanvas(c)
}

// fit goes down the ladder of an axis until all labels have room. Below its end labels
// are left out, as they are of ticks that have no ladder.
func fit(p *plot.Plot, a *plot.Axis, c draw.Canvas, place func(draw.Canvas, plot.Tick) (at, half vg.Length)) {
	for {
		kept, left := sparse(p.DataCanvas(c), a.Tick.Marker.Ticks(a.Min, a.Max), place)
		if left == 0 {
			return
		}
		if l, is := a.Tick.Marker.(ladder); is {
			if next := l.fewer(); next != nil && len(next.Ticks(a.Min, a.Max)) > 1 {
				a.Tick.Marker = next
				continue
			}
		}
		a.Tick.Marker = plot.ConstantTicks(kept)
		return
	}
}

// sparse takes their labels from ascending ticks that come too close to the one before.
func sparse(data draw.Canvas, ticks []plot.Tick, place func(draw.Canvas, plot.Tick) (at, half vg.Length)) (kept []plot.Tick, left int) {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		at, half := place(data, t)
		if at-half < end-1e-9 {
			t.Label = ""
			left++
		} else {
			end = at + half
		}
		kept = append(kept, t)
	}
	return kept, left
}
