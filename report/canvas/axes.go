package canvas

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
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
	fit(&p.Y.Tick.Marker, p.Y.Min, p.Y.Max, func() place {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) { return data.Y(p.Y.Norm(t.Value)), lineOfTicks / 2 }
	})
	fit(&p.X.Tick.Marker, p.X.Min, p.X.Max, func() place {
		data := p.DataCanvas(c)
		return func(t plot.Tick) (at, half vg.Length) { return beside(data.X(p.X.Norm(t.Value)), t, p.X.Tick.Label) }
	})
	return p.DataCanvas(c)
}

// A place is where the label of a tick stands, and half of what it takes with its gap.
type place func(plot.Tick) (at, half vg.Length)

func beside(x vg.Length, t plot.Tick, sty text.Style) (at, half vg.Length) {
	return x, (sty.Width(t.Label) + tickGap) / 2
}

// fit goes down the ladder of an axis until all labels have room, each time in the places
// that they then have. Below its end labels are left out, as they are of ticks that have
// no ladder.
func fit(ticker *plot.Ticker, low, high float64, places func() place) {
	for {
		kept, left := sparse((*ticker).Ticks(low, high), places())
		if left == 0 {
			return
		}
		if l, is := (*ticker).(ladder); is {
			if next := l.fewer(); next != nil && len(next.Ticks(low, high)) > 1 {
				*ticker = next
				continue
			}
		}
		*ticker = plot.ConstantTicks(kept)
		return
	}
}

// sparse takes their labels from ascending ticks that come too close to the one before.
func sparse(ticks []plot.Tick, of place) (kept []plot.Tick, left int) {
	end := vg.Length(math.Inf(-1))
	for _, t := range ticks {
		at, half := of(t)
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
