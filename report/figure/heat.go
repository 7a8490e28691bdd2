package figure

import (
	"math"
	"slices"
	"strconv"

	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// heatPage draws one page of heat maps: a table for each group of cells, with a column for each
// classifier. Its entries are the means or ranks of the classifiers.
func heatPage(r *request, page view.Group) (drawn, error) {
	ids := r.columns
	if r.ranks() {
		ids = r.Compared(r.measure, r.columns)
	}
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	d := gridChart{request: r, Page: r.page(), value: r.measure.Title(), format: r.heatNumber,
		percent: r.measure.Unit == "%" && !r.ranks()}
	if r.ranks() {
		d.value = "rank"
	}
	incomplete := false
	var values [][]float64   // by table
	var allRows []view.Group // of all tables
	for i := range groups {
		t, err := r.heatTable(&groups[i], ids)
		if err != nil {
			return drawn{}, err
		}
		d.tables = append(d.tables, t)
		values = append(values, t.finite())
		allRows = append(allRows, t.groups...)
		incomplete = incomplete || len(t.finite()) < len(t.groups)*len(ids)
	}
	d.spans = panels.Spans(values, r.o.free(), extremes)
	d.fit()
	about := facts{"Measure": r.measure.Title(), "Metric": r.measure.Name, "Ranks": r.ranks(),
		"Replication": r.Replication(allRows, r.measure, ids), "White": incomplete,
		"Pooling": r.Pooling("Each row", allRows), "Failed": r.FailedFits(page.Cells, ids)}
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// ranks reports whether the heat map shows ranks instead of means.
func (r *request) ranks() bool { return r.o.Shown == "rank" }

// extremes returns the range from the smallest to the largest value, or 0 to 1 if there are no
// values.
func extremes(values []float64) panels.Span {
	if len(values) == 0 {
		return panels.Span{Low: 0, High: 1}
	}
	return panels.Span{Low: slices.Min(values), High: slices.Max(values)}
}

// heatTable returns the table of one panel. In each row, a frame marks the best of the classifiers
// that are compared.
func (r *request) heatTable(panel *view.Group, ids []string) (gridTable, error) {
	factors, groups, err := r.rows(panel.Cells)
	if err != nil {
		return gridTable{}, err
	}
	var columns []gridColumn
	for _, id := range ids {
		columns = append(columns, gridColumn{name: r.Label(id), id: id})
	}
	t := r.newGridTable(r.panelTitle(panel), factors, groups, columns)
	compared := r.Compared(r.measure, ids)
	for i := range groups {
		means := r.means(&groups[i], ids)
		losses := r.losses(means)
		if r.ranks() {
			means = ranks(losses)
		}
		least := leastOf(losses, ids, compared)
		row := make([]gridEntry, len(ids))
		for k, id := range ids {
			row[k] = gridEntry{value: means[k], framed: losses[k] == least && slices.Contains(compared, id)}
		}
		t.entries = append(t.entries, row)
	}
	return t, nil
}

// means returns the mean of each classifier in the cells of g, or NaN for a classifier without
// results.
func (r *request) means(g *view.Group, ids []string) []float64 {
	pooled := r.Pool(g)
	means := make([]float64, len(ids))
	for k, id := range ids {
		means[k] = r.Summary(g, &pooled, r.measure, id).Mean
	}
	return means
}

// losses converts means to losses, of which smaller ones are better. It rounds them so that ties in
// the last digits become equal.
func (r *request) losses(means []float64) []float64 {
	losses := make([]float64, len(means))
	for k, mean := range means {
		if r.measure.LargerIsBetter() {
			mean = -mean
		}
		losses[k] = stats.Steps(mean)
	}
	return losses
}

// ranks returns the ranks of losses, where tied losses share the mean of their ranks. If any loss
// is NaN, all ranks are NaN.
func ranks(losses []float64) []float64 {
	if slices.ContainsFunc(losses, math.IsNaN) {
		return slices.Repeat([]float64{math.NaN()}, len(losses))
	}
	ranks, _ := stats.Midranks(losses)
	return ranks
}

// leastOf returns the smallest loss of those classifiers in ids that are in compared, or NaN if
// none of them has a loss. losses[k] is the loss of ids[k].
func leastOf(losses []float64, ids, compared []string) float64 {
	least := math.NaN()
	for k, loss := range losses {
		if slices.Contains(compared, ids[k]) && !math.IsNaN(loss) && !(least <= loss) {
			least = loss
		}
	}
	return least
}

// heatNumber formats a value of a heat map: a rank as it is, a percentage with one decimal and any
// other mean with three significant digits.
func (r *request) heatNumber(value float64) string {
	switch {
	case r.ranks():
		return strconv.FormatFloat(value, 'g', -1, 64)
	case r.measure.Unit == "%":
		return sheet.Fixed(value, 1)
	}
	exponent := math.Floor(math.Log10(max(math.Abs(value), 1e-300))) // of the first digit; 0 for 1 to 9.99
	return sheet.Fixed(value, int(min(max(0, 2-exponent), 6)))
}
