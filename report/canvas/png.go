package canvas

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// DPI is the resolution of PNG files in dots per inch.
const DPI = 220

// A pngCanvas draws to PNG. Unlike gonum's PNG canvas, it writes the resolution to the file, so that programs
// show the picture at its printed width.
type pngCanvas struct{ vgimg.PngCanvas }

func newPNG(w, h vg.Length) pngCanvas {
	return pngCanvas{vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(DPI))}}
}

func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	const headSize = 8 + 25 // the signature and the chunk IHDR, which begin every PNG file
	var b bytes.Buffer
	if _, err := c.PngCanvas.WriteTo(&b); err != nil {
		return 0, err
	}
	file := slices.Concat(b.Bytes()[:headSize], resolution(), b.Bytes()[headSize:])
	n, err := w.Write(file)
	return int64(n), err
}

// resolution returns the chunk pHYs of a PNG file, which states the pixels per metre (PNG, section 11.3.5.3).
func resolution() []byte {
	const perMetre = DPI * 10000 / 254 // rounded down to an integer
	const inMetres = 1                 // code of the unit
	size := []byte{0, 0, 0, 9}         // of the data
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre) // horizontally
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre) // vertically
	chunk = append(chunk, inMetres)
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
	return append(append(size, chunk...), sum...)
}
