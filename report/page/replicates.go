package page

import (
	"fmt"
	"math"
	"strconv"

	"copse/report/figure"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// replicates are what the page's script shows of the classifiers: their colours in figures
// and their results, which it lists behind a mark of a figure or an entry of a table.
type replicates struct {
	Results string                        `json:"results"` // folder, as copse repro wants it
	Series  []series                      `json:"series"`
	Where   map[string]string             `json:"where"`   // the levels of a cell in words
	Columns []string                      `json:"columns"` // of the rows
	Rows    map[string]map[string][][]any `json:"rows"`    // by cell and classifier; nil: there are too many
}

// A series is a classifier.
type series struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Colour string `json:"colour"`
}

// mostRows is the most results that a page holds, about half a megabyte.
const mostRows = 20000

func newReplicates(v *view.View) *replicates {
	r := &replicates{Results: v.Results, Where: map[string]string{}, Columns: []string{"replicate"}}
	for _, id := range v.Records.Classifiers {
		c := figure.Colour(v, id)
		r.Series = append(r.Series, series{id, v.Label(id), fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)})
	}
	for _, c := range v.Trials {
		r.Where[c.ID] = v.InWords(v.FactorNames(), c.Levels)
	}
	if len(v.Records.Rows) > mostRows {
		return r
	}
	names := append([]string{"error", "ber"}, v.Records.Metrics...)
	for _, name := range names {
		if m, err := metrics.Lookup(name); err == nil {
			r.Columns = append(r.Columns, m.Label)
		}
	}
	r.Rows = map[string]map[string][][]any{}
	for i := range v.Records.Rows {
		r.add(&v.Records.Rows[i], v.Records.Metrics)
	}
	return r
}

// add adds a result; a failed fit has nulls.
func (r *replicates) add(row *records.Record, extra []string) {
	values := []any{row.Replicate, shortNumber(row.Error), shortNumber(row.BER)}
	for _, name := range extra {
		value, known := row.Metrics[name]
		if !known {
			value = math.NaN()
		}
		values = append(values, shortNumber(value))
	}
	if r.Rows[row.Cell] == nil {
		r.Rows[row.Cell] = map[string][][]any{}
	}
	r.Rows[row.Cell][row.Classifier] = append(r.Rows[row.Cell][row.Classifier], values)
}

// shortNumber returns a number with six digits; nil for NaN.
func shortNumber(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64) // it is a number
	return short
}
