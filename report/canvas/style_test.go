package canvas

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The samples of two series with the same mark differ without colour, although the mark covers their middle.
func TestSamplesDifferWithoutColour(t *testing.T) {
	const step, covered = 0.1, 2.6 // points; half of the part below a mark with its border
	for a := range len(Palette) {
		b := a + len(Marks)
		if b >= len(Palette) {
			break
		}
		lineA, _ := Curve(a, color.NRGBA{})
		lineB, _ := Curve(b, color.NRGBA{})
		lineA, lineB = CentreDash(lineA, NameSketchWidth), CentreDash(lineB, NameSketchWidth)
		different := 0.0 // points
		for x := step / 2; x < float64(NameSketchWidth); x += step {
			fromMiddle := math.Abs(x - float64(NameSketchWidth)/2)
			if fromMiddle > covered && isInked(lineA, x) != isInked(lineB, x) {
				different += step
			}
		}
		if different < 1.5 {
			t.Errorf("the samples of series %d and %d differ on %.1f points of their length", a+1, b+1, different)
		}
	}
}

// isInked reports whether a dash of the line covers the distance x from its start.
func isInked(line draw.LineStyle, x float64) bool {
	if len(line.Dashes) == 0 {
		return true
	}
	at := vg.Length(x) + line.DashOffs
	for k := 0; ; k = (k + 1) % len(line.Dashes) {
		if at < line.Dashes[k] {
			return k%2 == 0
		}
		at -= line.Dashes[k]
	}
}
