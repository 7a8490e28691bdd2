// Package figure draws results: box plots, curves, critical-difference diagrams and
// cells won.
package figure

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// Draw draws the pages of one figure.
func Draw(v *view.View, o Options) ([]canvas.Picture, error) {
	m, err := view.NewMeasure(o.Metric, o.Scale)
	if err != nil {
		return nil, err
	}
	if o.Title == "" {
		o.Title = v.Title
	}
	columns, err := v.Columns(o.Columns)
	if err != nil {
		return nil, err
	}
	cells, err := v.Where(o.Where)
	if err != nil {
		return nil, err
	}
	pages, err := v.Groups(cells, o.Page)
	if err != nil {
		return nil, err
	}
	var pictures []canvas.Picture
	for _, page := range pages {
		var p canvas.Picture
		switch o.Kind {
		case "box":
			p, err = boxPage(v, o, &m, columns, page)
		case "line":
			p, err = linePage(v, o, &m, columns, page)
		case "cd":
			p, err = rankPage(v, o, &m, columns, page)
		case "wins":
			p, err = winPage(v, o, &m, columns, page)
		default:
			err = fmt.Errorf("unknown kind %q", o.Kind)
		}
		if err != nil {
			return nil, err
		}
		p.Name = strings.Join(append([]string{o.Name}, page.Levels...), "-")
		p.Title = o.Title
		if where := v.InWords(page.Factors, page.Levels); where != "" {
			p.Title += " – " + where
		}
		pictures = append(pictures, p)
	}
	return pictures, nil
}

// measured returns the columns without the reference, and the reference where
// the records have it.
func measured(v *view.View, columns []string, reference string) (drawn []string, ref string) {
	for _, id := range columns {
		if id == reference {
			ref = id
		} else {
			drawn = append(drawn, id)
		}
	}
	if len(drawn) == 0 {
		return columns, ""
	}
	return drawn, ref
}

// referenceMean is the mean of the reference classifier; NaN without one.
func referenceMean(v *view.View, c *records.Cell, m *view.Measure, reference string) float64 {
	if reference == "" {
		return math.NaN()
	}
	values, _ := v.Values(c, m, reference)
	return stats.Summarize(values).Mean
}

// bodyHeight is the height of the panels of a figure, each taller by extra than
// the options ask.
func (o *Options) bodyHeight(panels int, extra vg.Length) vg.Length {
	perRow := min(o.PerRow, max(panels, 1))
	rows := (max(panels, 1) + perRow - 1) / perRow
	return (canvas.MM(o.Height) + extra) * vg.Length(rows)
}
