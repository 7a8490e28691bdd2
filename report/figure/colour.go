package figure

import (
	"image/color"

	"copse/report/canvas"
	"copse/report/view"
)

// Colour returns the colour of a classifier: the oracle is dark grey.
func Colour(v *view.View, id string) color.NRGBA {
	if k := v.Index(id); k >= 0 {
		return canvas.Palette[k%len(canvas.Palette)]
	}
	return canvas.DarkGrey
}
