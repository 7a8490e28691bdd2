// Package figure draws results: a kind of figure is one file and one line of kinds.
package figure

import (
	"fmt"
	"maps"
	"math"
	"slices"
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

	"differences": differencePage,
	"heat":        heatPage,
	"nested":      nestedPage,
	"pareto":      paretoPage,
}

// Kinds lists the kinds of figures.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// Draw draws the pages of one figure.
func Draw(v *view.View, o Options) ([]canvas.Picture, error) {
	v = v.Comparing(o.Family)
	cells, err := v.Where(o.Where)
	if err != nil {
		return nil, err
	}
	m, err := v.Measure(o.Metric, o.Scale, cells)
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
	if o.Excess {
		if err := v.Excess(&m); err != nil {
			return nil, err
		}
		columns = slices.DeleteFunc(slices.Clone(columns), func(id string) bool { return id == m.Over })
		o.Reference = ""
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
		if o.Excess {
			p.Caption += fmt.Sprintf(" Excess: over %s on the same data.", v.Label(m.Over))
		}
		p.Name = strings.Join(append([]string{o.Name}, page.Levels.In(page.Factors)...), "-")
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
