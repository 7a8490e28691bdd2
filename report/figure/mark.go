package figure

import (
	"image/color"
	"strconv"
	"strings"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// annotation returns the text that the HTML report shows when the pointer is on a mark. The mark
// shows results of classifier id in the given cells.
func (r *request) annotation(id, panel string, cells []records.Cell, values ...string) canvas.Annotation {
	m := canvas.Annotation{Series: id, Lines: []string{r.Label(id), panel}}
	m.Lines = append(m.Lines, values...)
	for _, c := range cells {
		m.Cells = append(m.Cells, c.ID)
	}
	return m
}

// describe returns lines about a mean over the cells of g. The HTML report shows them when the
// pointer is on the mark of the mean.
func (r *request) describe(g *view.Group, s stats.Summary) []string {
	digits := r.measure.Digits(s.Mean)
	lines := []string{"mean " + r.measure.Title() + ": " + sheet.Fixed(s.Mean, digits)}
	if s.N > 1 {
		standardError := strings.ReplaceAll(r.errorNoun([]view.Group{*g}, r.measure), "errors", "error")
		lines = append(lines, "standard deviation: "+sheet.Fixed(s.SD, digits),
			standardError+": "+sheet.Fixed(s.MCSE, digits+1))
	}
	return append(lines, "R: "+strconv.Itoa(s.N))
}

// Colour returns the colour of a classifier. It is the same in every figure of a study. The oracle is
// dark grey, because it is not a classifier of the study.
func Colour(v *view.View, id string) color.NRGBA {
	if k := v.Index(id); k >= 0 {
		return canvas.Palette[k%len(canvas.Palette)]
	}
	return canvas.DarkGrey
}
