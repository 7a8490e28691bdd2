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

// heatPage draws a heat map for each group of cells, with a column for each classifier. The entries
// are means or ranks.
func heatPage(r *request, page view.Group, groups []view.Group) (drawn, error) {
	ids := r.columns
	d := gridChart{request: r, Page: r.page(), colours: panels.Scale{Title: r.measure.Title()}, format: r.heatNumber,
		percent: r.measure.Unit == "%" && !r.showsRanks()}
	if r.showsRanks() {
		ids = r.Compared(r.measure, r.columns)
		d.colours.Title = "rank"
	}
	incomplete := false
	var values [][]float64   // by table
	var allRows []view.Group // of all tables
	for i := range groups {
		rows, err := r.rows(groups[i].Cells)
		if err != nil {
			return drawn{}, err
		}
		t := r.heatTable(r.panelTitle(&groups[i]), rows, ids)
		d.tables = append(d.tables, t)
		values = append(values, t.finite())
		allRows = append(allRows, rows...)
		incomplete = incomplete || len(t.finite()) < len(rows)*len(ids)
	}
	d.colours.Spans = panels.Spans(values, r.o.free(), extremes)
	d.fit()
	return drawn{Picture: d.Picture(r.caption(&d.Page, facts{"Measure": r.measure.Title(), "Metric": r.measure.Name,
		"Ranks": r.showsRanks(), "Replication": r.Replication(allRows, r.measure, ids), "White": incomplete,
		"Pooling": r.Pooling("Each row", allRows), "Failed": r.FailedFits(page.Cells, ids)}))}, nil
}

func (r *request) showsRanks() bool { return r.o.Shown == "rank" }

// extremes returns the range of the values. Without values, it returns the range from 0 to 1.
func extremes(values []float64) panels.Span {
	if len(values) == 0 {
		return panels.Span{Low: 0, High: 1}
	}
	return panels.Span{Low: slices.Min(values), High: slices.Max(values)}
}

// heatTable returns a coloured table with the given rows and a column for each classifier. In each
// row, a frame marks the best of the compared classifiers.
func (r *request) heatTable(title string, rows []view.Group, ids []string) gridTable {
	var columns []gridColumn
	for _, id := range ids {
		columns = append(columns, gridColumn{name: r.Label(id), id: id})
	}
	t := r.newGridTable(title, rows, columns)
	compared := r.Compared(r.measure, ids)
	for i := range rows {
		means := make([]float64, len(ids))
		for k, s := range r.summaries(&rows[i], r.measure, ids) {
			means[k] = s.Mean
		}
		losses := r.losses(means)
		if r.showsRanks() {
			means = ranks(losses)
		}
		least := leastOf(losses, ids, compared)
		entries := make([]gridEntry, len(ids))
		for k, id := range ids {
			entries[k] = gridEntry{value: means[k], framed: losses[k] == least && slices.Contains(compared, id)}
		}
		t.entries = append(t.entries, entries)
	}
	return t
}

// losses converts means to losses. It rounds them, so that means that differ only by rounding errors
// are tied.
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

// ranks returns the ranks of the losses, where ties get the mean of their ranks. If any loss is NaN,
// all ranks are NaN.
func ranks(losses []float64) []float64 {
	if slices.ContainsFunc(losses, math.IsNaN) {
		return slices.Repeat([]float64{math.NaN()}, len(losses))
	}
	ranks, _ := stats.Midranks(losses)
	return ranks
}

// leastOf returns the smallest loss of the compared classifiers, or NaN if none of them has a loss.
// losses[k] is the loss of ids[k].
func leastOf(losses []float64, ids, compared []string) float64 {
	least := math.NaN()
	for k, loss := range losses {
		if slices.Contains(compared, ids[k]) && !math.IsNaN(loss) && !(least <= loss) {
			least = loss
		}
	}
	return least
}

// heatNumber formats a value of a heat map: percentages with one decimal, and other means with three
// significant digits. Ranks keep all their digits.
func (r *request) heatNumber(value float64) string {
	switch {
	case r.showsRanks():
		return strconv.FormatFloat(value, 'g', -1, 64)
	case r.measure.Unit == "%":
		return sheet.Fixed(value, 1)
	}
	exponent := math.Floor(math.Log10(max(math.Abs(value), 1e-300))) // of the first digit; 0 for 1 to 9.99
	return sheet.Fixed(value, int(min(max(0, 2-exponent), 6)))
}
