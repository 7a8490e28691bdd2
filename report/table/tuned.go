package table

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// TunedName is the name of the table of choices and of its files.
const TunedName = "tuned"

// Choices is the table of what tuning chose: how often each combination of values, by
// the levels of the varying factors and by classifier.
type Choices struct {
	*sheet.Sheet
	factors []string
	rows    []choice
}

// A choice is a combination of values in the fits of one classifier in one row.
type choice struct {
	levels     records.Levels
	classifier string
	values     string
	metric     string
	fits       int // in which it was chosen
	tuned      int // fits of the classifier in the row that were tuned
	score      float64
	failed     int // candidates without a score, over its fits
}

// NewChoices returns the table of the records of a view; nil where nothing was tuned.
func NewChoices(v *view.View) (*Choices, error) {
	c := &Choices{factors: v.Varying(v.Trials)}
	groups, err := v.Groups(v.Trials, c.factors)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		for _, id := range v.Records.Classifiers {
			rows, err := choicesIn(&g, id)
			if err != nil {
				return nil, err
			}
			c.rows = append(c.rows, rows...)
		}
	}
	if len(c.rows) == 0 {
		return nil, nil
	}
	c.Sheet = c.print(v)
	return c, nil
}

// choicesIn counts the choices of a classifier in a group of cells, the most frequent
// first.
func choicesIn(g *view.Group, id string) ([]choice, error) {
	var list []choice
	tuned := 0
	for _, cell := range g.Cells {
		for i := range cell.Rows {
			r := &cell.Rows[i]
			if r.Classifier != id || r.Tuned == "" {
				continue
			}
			t, err := records.ParseTuned(r.Tuned)
			if err != nil {
				return nil, err
			}
			tuned++
			at := slices.IndexFunc(list, func(c choice) bool { return c.values == t.Values && c.metric == t.Metric })
			if at < 0 {
				at = len(list)
				list = append(list, choice{levels: g.Levels, classifier: id, values: t.Values, metric: t.Metric})
			}
			list[at].add(t)
		}
	}
	slices.SortStableFunc(list, func(a, b choice) int { return b.fits - a.fits })
	for i := range list {
		list[i].tuned = tuned
	}
	return list, nil
}

// add counts one fit and updates the mean of the scores.
func (c *choice) add(t records.Tuned) {
	c.fits++
	c.failed += t.Failed
	c.score += (t.Score - c.score) / float64(c.fits)
}

func (c *Choices) print(v *view.View) *sheet.Sheet {
	s := &sheet.Sheet{
		ID: "table-" + TunedName, Study: v.Name, Title: "Tuned values",
		Caption: "How often tuning chose each combination of values, of the tuned fits of a row; the mean of the " +
			"metric that tuning used, over its folds inside the training sets; and the candidates that failed.",
	}
	for _, label := range append(heads(v, c.factors), "classifier", "values", "metric") {
		s.Heads = append(s.Heads, sheet.Head{Label: label, Text: true})
	}
	for _, label := range []string{"chosen", "of", "mean score", "failed candidates"} {
		s.Heads = append(s.Heads, sheet.Head{Label: label})
	}
	for _, row := range c.rows {
		line := sheet.Row{}
		for _, label := range append(rowLabels(v, c.factors, row.levels), v.Label(row.classifier)) {
			line.Heads = append(line.Heads, sheet.Head{Label: label, Text: true})
		}
		line.Cells = []sheet.Entry{
			{Main: row.values, Value: row.values, Text: true}, {Main: row.metric, Value: row.metric, Text: true},
			whole(row.fits), whole(row.tuned), sheet.Number(row.score, sheet.Fixed(row.score, 4)), whole(row.failed),
		}
		s.Rows = append(s.Rows, line)
	}
	return s
}

func whole(n int) sheet.Entry { return sheet.Number(float64(n), strconv.Itoa(n)) }

// CSV writes one line per row of the table, for other programs.
func (c *Choices) CSV(w io.Writer) error {
	columns := []string{"classifier", "values", "metric", "chosen", "fits", "mean_score", "failed_candidates"}
	lines := [][]string{append(slices.Clone(c.factors), distinctFrom(c.factors, columns)...)}
	for _, row := range c.rows {
		var line []string
		for _, level := range row.levels.In(c.factors) {
			line = append(line, sheet.OrNA(level))
		}
		lines = append(lines, append(line, sheet.CSVText(row.classifier), sheet.CSVText(row.values), row.metric,
			strconv.Itoa(row.fits), strconv.Itoa(row.tuned), sheet.Full(row.score), strconv.Itoa(row.failed)))
	}
	return csv.NewWriter(w).WriteAll(lines)
}
