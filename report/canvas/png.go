package canvas

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas draws to PNG with a palette of 256 colours: a drawing has few colours of its
// own, the others are the shades of its edges. A third of the bytes of full colours.
type pngCanvas struct{ *vgimg.Canvas }

func newPNG(w, h vg.Length) pngCanvas {
	return pngCanvas{vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(DPI))}
}

func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	var n byteCount
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err := encoder.Encode(io.MultiWriter(w, &n), paletted(c.Image()))
	return int64(n), err
}

type byteCount int64

func (n *byteCount) Write(p []byte) (int, error) { *n += byteCount(len(p)); return len(p), nil }

// Of the palette's colours so many are the most frequent ones; each other one is the
// colour that is then farthest from all before it.
const (
	paletteSize    = 256
	frequentColors = 192
)

// paletted maps an opaque image to its palette. Equal images have equal palettes.
func paletted(m image.Image) *image.Paletted {
	bounds := m.Bounds()
	counts := map[color.RGBA]int{}
	each := func(do func(x, y int, c color.RGBA)) {
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				do(x, y, color.RGBAModel.Convert(m.At(x, y)).(color.RGBA))
			}
		}
	}
	each(func(_, _ int, c color.RGBA) { counts[c]++ })
	var colors []color.RGBA
	for c := range counts {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(number(a), number(b)))
	})
	palette, nearest := choose(colors)
	index := map[color.RGBA]uint8{}
	for i, c := range colors {
		index[c] = nearest[i]
	}
	out := image.NewPaletted(bounds, palette)
	each(func(x, y int, c color.RGBA) { out.SetColorIndex(x, y, index[c]) })
	return out
}

// choose returns a palette and, for each colour, the place of the nearest one in it.
func choose(colors []color.RGBA) (palette color.Palette, nearest []uint8) {
	nearest, off := make([]uint8, len(colors)), make([]int, len(colors))
	for len(palette) < min(paletteSize, len(colors)) {
		next := len(palette)
		if next >= frequentColors {
			for i := range off {
				if off[i] > off[next] {
					next = i
				}
			}
		}
		for i, c := range colors {
			if d := distance(c, colors[next]); len(palette) == 0 || d < off[i] {
				nearest[i], off[i] = uint8(len(palette)), d
			}
		}
		palette = append(palette, colors[next])
	}
	return palette, nearest
}

func number(c color.RGBA) int {
	return int(c.A)<<24 | int(c.R)<<16 | int(c.G)<<8 | int(c.B)
}

func distance(a, b color.RGBA) int {
	square := func(x, y uint8) int { d := int(x) - int(y); return d * d }
	return square(a.R, b.R) + square(a.G, b.G) + square(a.B, b.B) + square(a.A, b.A)
}
