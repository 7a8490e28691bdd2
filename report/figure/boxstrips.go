package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
)

// A strip is a text for each classifier: names or numbers, below upright boxes or beside lying ones.
type strip struct {
	head  string // before or above the texts; "": none
	words func(*results) string
	style text.Style
	width vg.Length // of the widest text
}

// strips returns the names, and the numbers if they are written.
func (d *boxChart) strips() []strip {
	names := strip{words: func(r *results) string { return d.Label(r.id) }, style: canvas.Text(canvas.TickSize)}
	return append([]strip{d.measureStrip(names)}, d.counts()...)
}

// counts returns the numbers of results and of failed fits; nil: they are not written.
func (d *boxChart) counts() (list []strip) {
	style := canvas.Text(canvas.NoteSize)
	style.Color = canvas.DarkGrey
	if d.counted() {
		drawn := func(r *results) string { return strconv.Itoa(len(r.values)) }
		list = append(list, d.measureStrip(strip{head: "R", words: drawn, style: style}))
	}
	if d.found.failures {
		list = append(list, d.measureStrip(strip{head: "failed", words: failedWords, style: style}))
	}
	return list
}

// failedWords returns the number of failed fits; "": none.
func failedWords(r *results) string {
	if r.failed == 0 {
		return ""
	}
	return strconv.Itoa(r.failed)
}

// measureStrip returns the strip with the width of its widest text in any panel.
func (d *boxChart) measureStrip(s strip) strip {
	for _, r := range slices.Concat(d.results...) {
		s.width = max(s.width, s.style.Width(s.words(&r)))
	}
	return s
}

const stripGap = vg.Length(2)

// headWidth returns the room for the head before a strip.
func (s *strip) headWidth() vg.Length { return s.style.Width(s.head) + stripGap }

// turned reports whether texts are wider than their slots, so that they are turned.
func (s *strip) turned(slot vg.Length) bool { return s.width+stripGap > slot }

// line returns the height of a line of the strip.
func (s *strip) line() vg.Length { return s.style.Font.Size * 1.3 }

// height returns the height of a strip below boxes with such slots.
func (s *strip) height(slot vg.Length) vg.Length {
	if s.turned(slot) {
		return s.width + stripGap
	}
	return s.line()
}

// column returns the width of a strip beside lying boxes.
func (s *strip) column() vg.Length {
	const gap = 6
	return max(s.width, s.style.Width(s.head)) + gap
}

// empty reports whether a panel has no texts of the strip.
func (s *strip) empty(panel []results) bool {
	return !slices.ContainsFunc(panel, func(r results) bool { return s.words(&r) != "" })
}

// writeBelow writes the strip below the upright boxes of a panel, from top.
func (s *strip) writeBelow(c draw.Canvas, top, slot vg.Length, panel []results) {
	sty := s.style
	sty.XAlign, sty.YAlign = draw.XRight, draw.YTop
	c.FillText(sty, vg.Point{X: c.Min.X - stripGap, Y: top}, s.head)
	sty.XAlign = draw.XCenter
	if s.turned(slot) {
		sty.XAlign, sty.YAlign, sty.Rotation = draw.XRight, draw.YCenter, math.Pi/2
	}
	for k := range panel {
		canvas.Marked(c, canvas.Mark{Series: panel[k].id}, func() {
			c.FillText(sty, vg.Point{X: c.Min.X + slot*(vg.Length(k)+0.5), Y: top}, s.words(&panel[k]))
		})
	}
}
