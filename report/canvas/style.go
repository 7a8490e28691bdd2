package canvas

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Palette gives classifier k of the study its colour, the same in every
// figure: Okabe and Ito (2008) without black and the pale yellow, then four of
// Tol's muted scheme. All are told apart with the common colour deficiencies;
// figures also label, order, dash or mark what they draw, so that they can be
// read in grey.
var Palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 255}, // blue
	{0xe6, 0x9f, 0x00, 255}, // orange
	{0x00, 0x9e, 0x73, 255}, // bluish green
	{0xd5, 0x5e, 0x00, 255}, // vermillion
	{0x56, 0xb4, 0xe9, 255}, // sky blue
	{0xcc, 0x79, 0xa7, 255}, // reddish purple
	{0x88, 0x88, 0x88, 255}, // grey
	{0x88, 0x22, 0x55, 255}, // wine
	{0x99, 0x99, 0x33, 255}, // olive
	{0x33, 0x22, 0x88, 255}, // indigo
	{0x44, 0xaa, 0x99, 255}, // teal
	{0xdd, 0xcc, 0x77, 255}, // sand
}

// Black is ink, DarkGrey what stands back, GridGrey the lines behind the data.
var (
	Black    = color.NRGBA{0x11, 0x11, 0x11, 255}
	DarkGrey = color.NRGBA{0x55, 0x55, 0x55, 255}
	GridGrey = color.NRGBA{0xe2, 0xe2, 0xe2, 255}
)

// Tint mixes a colour with white.
func Tint(c color.NRGBA, share float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(255 - share*float64(255-v))) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Ink is black or white, what has more contrast with a colour.
func Ink(on color.NRGBA) color.NRGBA {
	white, l := Tint(Black, 0), luminance(on)+0.05
	if (luminance(white)+0.05)/l > l/(luminance(Black)+0.05) {
		return white
	}
	return Black
}

// Sizes of text in points, for a figure printed at its nominal width: what
// journals ask for, and nothing smaller.
const (
	titleSize = 9
	PanelSize = 9
	LabelSize = 8.5
	TickSize  = 8
	NoteSize  = 8
)

// Face is the house font, size in points.
func Face(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// Style is left-aligned text on its baseline.
func Style(f font.Font) text.Style {
	return text.Style{Color: Black, Font: f, XAlign: draw.XLeft, YAlign: draw.YBottom, Handler: plot.DefaultTextHandler}
}

// NewPlot is an empty panel in the house style: no frame, light grid lines for
// the eye, axes at the left and below.
func NewPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = Face(LabelSize)
		a.Label.TextStyle.Color = Black
		a.Label.Padding = vg.Points(2)
		a.Tick.Label.Font = Face(TickSize)
		a.Tick.Label.Color = Black
		a.Tick.Length, a.Tick.Marker = vg.Points(2.5), Ticks(8)
		a.Padding = 0
		for _, line := range []*draw.LineStyle{&a.LineStyle, &a.Tick.LineStyle} {
			line.Width, line.Color = vg.Points(0.5), DarkGrey
		}
	}
	return p
}

// FillMiddle writes text whose small letters are centred at height y; gonum's
// own centre is that of the line with its leading, which looks low.
func FillMiddle(c draw.Canvas, sty text.Style, at vg.Point, s string) {
	sty.YAlign = draw.YCenter
	at.Y += 0.11 * sty.Font.Size
	c.FillText(sty, at, s)
}

// Dashed is the line of a reference.
var Dashed = draw.LineStyle{Color: Black, Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(4), vg.Points(2)}}
