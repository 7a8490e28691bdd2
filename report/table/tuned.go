package table

import (
	"slices"
	"strconv"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// TunedName is the name of the table of tuned values, and of its files.
const TunedName = "tuned"

// A choice is a combination of values that tuning chose for a classifier, with the number of fits.
type choice struct {
	values, metric string
	fits           int
	score          float64 // mean over the fits
	failed         int     // candidates without a score, over the fits
}

// Choices returns the table of tuned values. It shows how often tuning chose each combination of
// values, by the levels of the varying factors and by classifier. It returns nil if nothing was
// tuned.
func Choices(v *view.View) (*sheet.Sheet, error) {
	factors := v.Varying(v.Trials)
	groups, err := v.Groups(v.Trials, factors)
	if err != nil {
		return nil, err
	}
	s := emptyChoices(v, factors)
	for _, g := range groups {
		for _, id := range v.Records.Classifiers {
			list, tuned, err := choicesIn(&g, id)
			if err != nil {
				return nil, err
			}
			for _, c := range list {
				s.Rows = append(s.Rows, c.row(v, &g, id, tuned))
			}
		}
	}
	if len(s.Rows) == 0 {
		return nil, nil
	}
	return s, nil
}

// choicesIn returns the choices of a classifier in a group of cells, the most frequent one first,
// and the number of tuned fits.
func choicesIn(g *view.Group, id string) (list []choice, tuned int, err error) {
	for _, cell := range g.Cells {
		for i := range cell.Rows {
			r := &cell.Rows[i]
			if r.Classifier != id || r.Tuned == "" {
				continue
			}
			t, err := records.ParseTuned(r.Tuned)
			if err != nil {
				return nil, 0, err
			}
			list = counted(list, t)
			tuned++
		}
	}
	slices.SortStableFunc(list, func(a, b choice) int { return b.fits - a.fits })
	return list, tuned, nil
}

// counted adds one fit to its choice in the list. A new choice is appended.
func counted(list []choice, t records.Tuned) []choice {
	at := slices.IndexFunc(list, func(c choice) bool { return c.values == t.Values && c.metric == t.Metric })
	if at < 0 {
		at = len(list)
		list = append(list, choice{values: t.Values, metric: t.Metric})
	}
	c := &list[at]
	c.fits++
	c.failed += t.Failed
	c.score += (t.Score - c.score) / float64(c.fits)
	return list
}

// emptyChoices returns the table of tuned values without rows.
func emptyChoices(v *view.View, factors []string) *sheet.Sheet {
	s := &sheet.Sheet{
		ID: "table-" + TunedName, Study: v.Name, Title: "Tuned values",
		Caption: "How often tuning chose each combination of values, among the tuned fits of a row. The score is the " +
			"mean of the tuning metric over the folds of the training sets. Failed candidates have no score.",
	}
	for _, label := range append(heads(v, factors), "classifier", "values", "metric") {
		s.Heads = append(s.Heads, sheet.Head{Label: label, Text: true})
	}
	for _, label := range []string{"chosen", "of", "mean score", "failed candidates"} {
		s.Heads = append(s.Heads, sheet.Head{Label: label})
	}
	return s
}

// row returns the printed row of a choice. tuned is the number of tuned fits of the classifier in
// the group.
func (c *choice) row(v *view.View, g *view.Group, id string, tuned int) sheet.Row {
	whole := func(n int) sheet.Entry { return sheet.Number(float64(n), strconv.Itoa(n)) }
	text := func(s string) sheet.Entry { return sheet.Entry{Main: s, Value: s, Text: true} }
	row := sheet.Row{Cells: []sheet.Entry{text(c.values), text(c.metric), whole(c.fits), whole(tuned),
		sheet.Number(c.score, sheet.Fixed(c.score, 4)), whole(c.failed)}}
	for _, label := range append(rowLabels(v, g.Factors, g.Levels), v.Label(id)) {
		row.Heads = append(row.Heads, sheet.Head{Label: label, Text: true})
	}
	return row
}
