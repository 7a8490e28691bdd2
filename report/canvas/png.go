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
	// Best compression would save 7 % of the bytes and take twelve times as long.
	err := png.Encode(io.MultiWriter(w, &n), paletted(c.Image().(*image.RGBA)))
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
func paletted(m *image.RGBA) *image.Paletted {
	counts := map[color.RGBA]int{}
	eachRun(m, func(_, length int, c color.RGBA) { counts[c] += length })
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
	out := image.NewPaletted(m.Bounds(), palette)
	eachRun(m, func(from, length int, c color.RGBA) {
		place := index[c]
		for k := range length {
			out.Pix[from+k] = place
		}
	})
	return out
}

// eachRun calls do with each run of equal pixels within a row: the number of its
// first pixel, row after row, and its length.
func eachRun(m *image.RGBA, do func(from, length int, c color.RGBA)) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for y := range h {
		row := m.Pix[y*m.Stride:][:4*w]
		pixel := func(x int) [4]uint8 { return [4]uint8(row[4*x:]) }
		for from := 0; from < w; {
			p, to := pixel(from), from+1
			for to < w && pixel(to) == p {
				to++
			}
			do(y*w+from, to-from, color.RGBA{R: p[0], G: p[1], B: p[2], A: p[3]})
			from = to
		}
	}
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
