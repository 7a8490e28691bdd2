package table

import (
	"slices"
	"strconv"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// TunedName is the name of the table of tuned values and of its files.
const TunedName = "tuned"

// A choice summarises the fits of a classifier for which tuning chose the same parameter values.
type choice struct {
	values, metric string
	fits           int
	score          float64 // mean over the fits
	failed         int     // candidates without a score, in all fits
}

// Choices returns the table of tuned values. It shows how often tuning chose each combination of values, by
// classifier and by the levels of the varying factors. It returns nil if no classifier was tuned. The other
// tables determine its printed width.
func Choices(v *view.View, others []Options) (*sheet.Sheet, error) {
	factors := v.Varying(v.FitCells)
	groups, err := v.Groups(v.FitCells, factors)
	if err != nil {
		return nil, err
	}
	s := emptyChoices(v, factors)
	s.Width = choicesWidth(others)
	for _, g := range groups {
		for _, id := range v.Records.Classifiers {
			choices, tunedFits, err := choicesIn(&g, id)
			if err != nil {
				return nil, err
			}
			for _, c := range choices {
				s.Rows = append(s.Rows, c.row(v, &g, id, tunedFits))
			}
		}
	}
	if len(s.Rows) == 0 {
		return nil, nil
	}
	return s, nil
}

// choicesWidth returns the printed width of the table of tuned values, in TeX points. It is the largest width of the
// other tables, or 0 if none has a width. If the largest width is one column of a page, the result is the width of
// both columns, because the table would not fit into one.
func choicesWidth(others []Options) float64 {
	widest := 0.0
	for _, o := range others {
		width, _ := printedWidth(o.Width) // Validate returns the error
		widest = max(widest, texPoints(width))
	}
	if widest > 0 && sheet.FitsColumn(widest) {
		return sheet.TextWidth
	}
	return widest
}

// choicesIn returns the combinations of parameter values that tuning chose for a classifier in a group of
// cells, most frequent first.
func choicesIn(g *view.Group, id string) (choices []choice, tunedFits int, err error) {
	fits, err := g.TunedFits(id)
	chosen := func(t records.Tuned) [2]string { return [2]string{t.Values, t.Metric} }
	choices = stats.Map(stats.Grouped(fits, chosen), newChoice)
	slices.SortStableFunc(choices, func(a, b choice) int { return b.fits - a.fits })
	return choices, len(fits), err
}

// newChoice summarises fits with the same parameter values and metric.
func newChoice(alike []records.Tuned) choice {
	c := choice{values: alike[0].Values, metric: alike[0].Metric}
	for _, t := range alike {
		c.fits++
		c.failed += t.Failed
		c.score += (t.Score - c.score) / float64(c.fits)
	}
	return c
}

func emptyChoices(v *view.View, factors []string) *sheet.Sheet {
	s := &sheet.Sheet{
		ID: "table-" + TunedName, Study: v.Name, Title: "Tuned values",
		Caption: "How often tuning chose each combination of parameter values in the fits of a row. The score is the " +
			"mean of the tuning metric over the folds of the training sets. Failed candidates have no score.",
	}
	s.Heads = append(sheet.TextHeads(append(heads(v, factors), "classifier", "values", "metric")...),
		sheet.NumberHeads("chosen", "of", "mean score", "failed candidates")...)
	return s
}

// row returns the table row for a choice. tuned is the number of tuned fits.
func (c *choice) row(v *view.View, g *view.Group, id string, tuned int) sheet.Row {
	whole := func(n int) sheet.Entry { return sheet.Number(float64(n), strconv.Itoa(n)) }
	labels := sheet.TextHeads(append(rowLabels(v, g.Factors, g.Levels), v.Label(id), c.values)...)
	for i := range labels {
		labels[i].SortKey = labels[i].Label
	}
	return sheet.Row{Heads: labels, Cells: []sheet.Entry{sheet.Word(c.metric), whole(c.fits), whole(tuned),
		sheet.Number(c.score, sheet.Fixed(c.score, 4)), whole(c.failed)}}
}
