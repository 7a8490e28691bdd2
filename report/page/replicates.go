package page

import (
	"math"
	"slices"
	"strconv"

	"copse/report/canvas"
	"copse/report/figure"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// replicates contains individual results. A script on the page shows the results behind a mean.
type replicates struct {
	Results string                        `json:"results"` // results folder, for the command copse repro
	Series  []series                      `json:"series"`  // the classifiers
	Where   map[string]string             `json:"where"`   // factor levels of each cell in words, by cell id
	Columns []string                      `json:"columns"` // heads of the rows
	Rows    map[string]map[string][][]any `json:"rows"`    // results by cell and classifier; nil if too many
}

type series struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Colour string `json:"colour"` // #rrggbb
}

// mostRows is the maximum number of results on a page, about half a megabyte.
const mostRows = 20000

// newReplicates returns the data for the script on the page, without results if there are more than mostRows.
func newReplicates(v *view.View) *replicates {
	r := &replicates{Results: v.ResultsDir, Where: map[string]string{}, Columns: []string{"replicate"}}
	for _, id := range v.Records.Classifiers {
		colour := canvas.Hex(figure.Colour(v, id))
		r.Series = append(r.Series, series{ID: id, Label: v.Label(id), Colour: colour})
	}
	for _, c := range v.FitCells {
		r.Where[c.ID] = v.InWords(v.FactorNames(), c.Levels)
	}
	if len(v.Records.Rows) > mostRows {
		return r
	}
	// All records have these two metrics.
	for _, name := range slices.Concat([]string{"error", "ber"}, v.Records.Metrics) {
		label := name // this version of copse may lack the metric
		if m, err := metrics.Lookup(name); err == nil {
			label = v.ScoredName(m, v.FitCells)
		}
		r.Columns = append(r.Columns, label)
	}
	r.Rows = map[string]map[string][][]any{} // by cell and classifier
	for i := range v.Records.Rows {
		r.add(&v.Records.Rows[i], v.Records.Metrics)
	}
	return r
}

// add adds a result. Unknown values, such as the error of a failed fit, become null.
func (r *replicates) add(row *records.Record, extra []string) {
	values := []any{row.Replicate, shortNumber(row.Error), shortNumber(row.BER)}
	for _, name := range extra {
		values = append(values, shortNumber(row.Metric(name)))
	}
	if r.Rows[row.Cell] == nil {
		r.Rows[row.Cell] = map[string][][]any{}
	}
	r.Rows[row.Cell][row.Classifier] = append(r.Rows[row.Cell][row.Classifier], values)
}

// shortNumber rounds v to six significant digits. It returns nil for NaN and infinities.
func shortNumber(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return short
}
