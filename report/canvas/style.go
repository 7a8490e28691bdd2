package canvas

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Palette contains the colours of classifiers, for readers with common colour vision deficiencies.
// Their contrast with white is at least 3 (WCAG 2). Three are from Okabe and Ito (2008).
var Palette = []color.NRGBA{
	{0x00, 0x72, 0xb2, 255}, // blue
	{0x69, 0x36, 0x09, 255}, // brown
	{0x00, 0x9e, 0x73, 255}, // bluish green
	{0xd5, 0x5e, 0x00, 255}, // vermillion
	{0x91, 0x84, 0xfc, 255}, // periwinkle
	{0xae, 0x01, 0x52, 255}, // crimson
	{0x99, 0x8d, 0x9d, 255}, // grey
	{0x32, 0x2b, 0xc2, 255}, // ultramarine
	{0x62, 0x92, 0x46, 255}, // leaf green
	{0x8c, 0x11, 0x7a, 255}, // purple
	{0x90, 0x87, 0xbd, 255}, // lavender
	{0x91, 0x57, 0x28, 255}, // sienna
}

// FillColour returns a lighter shade of c for areas behind black lines and marks.
func FillColour(c color.NRGBA) color.NRGBA { return Tint(c, 0.65) }

// Black is used for text and main lines, DarkGrey for secondary lines and GridGrey for grid lines.
var (
	Black    = color.NRGBA{0x11, 0x11, 0x11, 255}
	DarkGrey = color.NRGBA{0x55, 0x55, 0x55, 255}
	GridGrey = color.NRGBA{0xe2, 0xe2, 0xe2, 255}
)

// Tint mixes c with white. share is the proportion of c, from 0 to 1.
func Tint(c color.NRGBA, share float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(255 - share*float64(255-v))) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// luminance returns the relative luminance of a colour as defined by WCAG 2.
func luminance(c color.NRGBA) float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// linear converts an sRGB value to linear light, from 0 to 1.
func linear(v uint8) float64 {
	s := float64(v) / 255
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

// TextColour returns black or white, whichever has the higher contrast with the background.
func TextColour(background color.NRGBA) color.NRGBA {
	white, l := Tint(Black, 0), luminance(background)+0.05
	if (luminance(white)+0.05)/l > l/(luminance(Black)+0.05) {
		return white
	}
	return Black
}

// Font sizes in points at the printed width of a figure. Journals require at least 8 points.
const (
	PanelSize = 9
	LabelSize = 8.5
	TickSize  = 8
	NoteSize  = 8
)

func face(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// MissingGlyphs returns the distinct characters of s that the font of the figures lacks. PNG and PDF files do
// not show them.
func MissingGlyphs(s string) (missing string) {
	font := font.DefaultCache.Lookup(face(TickSize), TickSize).Face
	for _, char := range s {
		glyph, err := font.GlyphIndex(nil, char)
		if (glyph == 0 || err != nil) && !strings.ContainsRune(missing, char) {
			missing += string(char)
		}
	}
	return missing
}

// Text returns a text style with the given size in points. FillText then puts the left end of the baseline at
// the given point.
func Text(size float64) text.Style {
	return text.Style{Color: Black, Font: face(size), XAlign: draw.XLeft, YAlign: draw.YBottom,
		Handler: plot.DefaultTextHandler}
}

// TickText returns the text style of tick labels.
func TickText() text.Style { return Text(TickSize) }

// NewPlot returns an empty plot in the common style of all figures.
func NewPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font = face(LabelSize)
		a.Label.TextStyle.Color = Black
		a.Label.Padding = 2
		a.Tick.Label.Font = face(TickSize)
		a.Tick.Label.Color = Black
		a.Tick.Length, a.Tick.Marker = 2.5, Ticks(8)
		a.Padding = 0
		for _, line := range []*draw.LineStyle{&a.LineStyle, &a.Tick.LineStyle} {
			line.Width, line.Color = 0.5, DarkGrey
		}
	}
	return p
}

// WriteText writes s so that its lowercase letters are vertically centred on the point (x, y).
func WriteText(c draw.Canvas, sty text.Style, x, y vg.Length, s string) {
	const lowered = 0.11 // YCenter is too low by this share of the font size
	sty.YAlign = draw.YCenter
	c.FillText(sty, vg.Point{X: x, Y: y + lowered*sty.Font.Size}, s)
}

// Line returns the style of a solid line with the given colour and width in points.
func Line(clr color.Color, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: clr, Width: width}
}

// CentreDash moves the dashes of a line with the given length so that its middle is the middle of
// the first dash. If it were the middle of a gap, a mark there would make the line look solid.
func CentreDash(line draw.LineStyle, length vg.Length) draw.LineStyle {
	if len(line.Dashes) == 0 {
		return line
	}
	period := vg.Length(0)
	for _, d := range line.Dashes {
		period += d
	}
	start := (line.Dashes[0] - length) / 2 // of the line, relative to the first dash
	line.DashOffs = start - period*vg.Length(math.Floor(float64(start/period)))
	return line
}

// Dashed is the style of reference lines.
var Dashed = draw.LineStyle{Color: Black, Width: 0.8, Dashes: []vg.Length{4, 2}}

// Dashes and Marks distinguish curves without colour.
var (
	Dashes = [][]vg.Length{nil, {6, 2}, {2, 2}, {6, 2, 1.5, 2}, {9, 3}, {4, 1.5, 1.5, 1.5, 1.5, 1.5}, {1.5, 1.5}}
	Marks  = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
		draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}}
)

// Curve returns the line style and the marker of series k, counting from 0. The first 56 series have different
// combinations of dash pattern and marker.
func Curve(k int, clr color.NRGBA) (draw.LineStyle, draw.GlyphStyle) {
	return draw.LineStyle{Color: clr, Width: 1.1, Dashes: Dashes[k%len(Dashes)]},
		draw.GlyphStyle{Color: clr, Radius: 2, Shape: Marks[k%len(Marks)]}
}
