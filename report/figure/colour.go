package figure

import (
	"image/color"

	"copse/report/canvas"
	"copse/report/view"
)

// Colour returns the colour of a classifier, the same in every figure of a study. The oracle, which
// is not a classifier of the study, is dark grey.
func Colour(v *view.View, id string) color.NRGBA {
	if k := v.Index(id); k >= 0 {
		return canvas.Palette[k%len(canvas.Palette)]
	}
	return canvas.DarkGrey
}
