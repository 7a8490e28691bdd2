package figure

import (
	"strconv"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// mark returns what the report page shows when a reader points at the results of a classifier in a
// panel: its label, the panel and values. The page links the mark to the details of the cells, if
// there are any.
func (r *request) mark(id, panel string, cells []records.Cell, values ...string) canvas.Mark {
	m := canvas.Mark{Series: id, Lines: []string{r.Label(id), panel}}
	m.Lines = append(m.Lines, values...)
	for _, c := range cells {
		m.Cells = append(m.Cells, c.ID)
	}
	return m
}

// describe returns the lines of text that describe a mean on the report page: the mean, its
// standard deviation and standard error, and the number of results.
func (r *request) describe(s stats.Summary) []string {
	lines := []string{"mean " + r.shown(r.measure, s.Mean)}
	if s.N > 1 {
		lines = append(lines, "standard deviation: "+sheet.Fixed(s.SD, r.measure.Digits()),
			"Monte-Carlo standard error: "+sheet.Fixed(s.MCSE, r.measure.Digits()+1))
	}
	return append(lines, "R: "+strconv.Itoa(s.N))
}

// shown returns the name and the value of a measure: "test error (%): 9.30".
func (r *request) shown(m *view.Measure, value float64) string {
	return m.Title() + ": " + sheet.Fixed(value, m.Digits())
}
