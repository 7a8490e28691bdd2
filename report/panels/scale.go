package panels

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
)

// A Range is the range of an axis.
type Range struct{ Low, High float64 }

// OneRange returns the same range for all panels.
func OneRange(low, high float64) []Range { return []Range{{low, high}} }

// A Scale describes the horizontal or vertical axis of all panels on a page.
type Scale struct {
	Title     string
	Ranges    []Range     // one range for all panels, or one for each panel
	Ticks     plot.Ticker // nil means round numbers
	LogMargin float64     // a logarithmic axis extends by this factor beyond its values; 0: linear
	Grid      bool        // light lines at the ticks
	Hidden    bool        // the axis is not drawn
}

func (s *Scale) isLog() bool { return s.LogMargin > 0 }

// Include sets the ranges of the axis. The range in panel i includes values[i]. If perPanel is false, all panels
// share one range.
func (s *Scale) Include(values [][]float64, perPanel bool) {
	s.Ranges = Ranges(values, perPanel, s.rangeOf)
}

// Ranges returns a range for each panel or, if perPanel is false, one range for all panels. rangeOf computes a
// range that includes the given values.
func Ranges(values [][]float64, perPanel bool, rangeOf func([]float64) Range) []Range {
	if !perPanel {
		return []Range{rangeOf(slices.Concat(values...))}
	}
	var list []Range
	for _, v := range values {
		list = append(list, rangeOf(v))
	}
	return list
}

func (s *Scale) rangeOf(values []float64) Range {
	switch {
	case !s.isLog():
		low, high := canvas.AxisRange(values)
		return Range{low, high}
	case len(values) == 0:
		return Range{1, 10}
	}
	return Range{slices.Min(values) / s.LogMargin, slices.Max(values) * s.LogMargin}
}

// RangeOf returns the range of the axis in panel i.
func (s *Scale) RangeOf(i int) Range { return s.Ranges[min(i, len(s.Ranges)-1)] }

func (s *Scale) ticker() plot.Ticker {
	switch {
	case s.Ticks != nil:
		return s.Ticks
	case s.isLog():
		return canvas.LogTicks(0)
	}
	return canvas.Ticks(8)
}

// apply sets the range, ticks and scale of the axis a for panel i.
func (s *Scale) apply(a *plot.Axis, i int) {
	span := s.RangeOf(i)
	a.Min, a.Max, a.Tick.Marker = span.Low, span.High, s.ticker()
	if s.isLog() {
		a.Scale = plot.LogScale{}
	}
}

// labelsWidth returns the width of a vertical axis with its labels, or 0 for a hidden axis.
func (s *Scale) labelsWidth() vg.Length {
	const least, line = vg.Length(24), vg.Length(6)
	if s.Hidden {
		return 0
	}
	room := least
	for _, span := range s.Ranges {
		for _, t := range s.ticker().Ticks(span.Low, span.High) {
			room = max(room, canvas.TickText().Width(t.Label)+line)
		}
	}
	return room
}

func (p *Page) axes(i int) *plot.Plot {
	pl := canvas.NewPlot()
	p.X.apply(&pl.X, i)
	p.Y.apply(&pl.Y, i)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Horizontal.Width = canvas.GridGrey, gridWidth(&p.Y)
	grid.Vertical.Color, grid.Vertical.Width = canvas.GridGrey, gridWidth(&p.X)
	pl.Add(grid)
	if p.X.Hidden {
		pl.HideX()
	}
	if p.Y.Hidden {
		pl.HideY()
	}
	return pl
}

func gridWidth(s *Scale) vg.Length {
	if s.Grid {
		return 0.4
	}
	return 0
}

// TicksAt places a tick at each level, in ascending order. It also sets a range that extends slightly beyond
// them.
func (s *Scale) TicksAt(levels []float64, label func(float64) string) {
	var ticks plot.ConstantTicks
	for _, x := range levels {
		ticks = append(ticks, plot.Tick{Value: x, Label: label(x)})
	}
	s.Ticks, s.Ranges = ticks, []Range{s.rangeAround(levels)}
}

// rangeAround returns a range that extends slightly beyond the levels, which are in ascending order. Without
// levels, it is 0 to 1.
func (s *Scale) rangeAround(levels []float64) Range {
	const share = 0.03 // part of the range that is added at each end
	if len(levels) == 0 {
		return Range{0, 1}
	}
	first, last := levels[0], levels[len(levels)-1]
	switch {
	case s.isLog() && first == last:
		return Range{first / 2, last * 2}
	case s.isLog():
		ratio := math.Pow(last/first, share)
		return Range{first / ratio, last * ratio}
	case first == last:
		pad := 0.5*math.Abs(first) + 1e-9 // never 0
		return Range{first - pad, last + pad}
	}
	pad := share * (last - first)
	return Range{first - pad, last + pad}
}
