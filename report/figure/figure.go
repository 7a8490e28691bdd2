// Package figure draws results: box plots, curves, critical-difference diagrams and
// cells won.
package figure

import (
	"fmt"
	"math"
	"strings"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// kinds draw one page each. The caller gives it its name, title and width.
var kinds = map[string]func(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error){
	"box":  boxPage,
	"line": linePage,
	"cd":   rankPage,
	"wins": winPage,
	"bars": barPage,
}

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
	drawPage, ok := kinds[o.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", o.Kind)
	}
	pages, err := v.Groups(cells, o.Page)
	if err != nil {
		return nil, err
	}
	var pictures []canvas.Picture
	for _, page := range pages {
		p, err := drawPage(v, o, &m, columns, page)
		if err != nil {
			return nil, err
		}
		p.Width, p.Titled = o.width(), o.ShowTitle
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
func measured(columns []string, reference string) (drawn []string, ref string) {
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
