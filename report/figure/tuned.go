package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// tunedPage draws a table for each tuned parameter of each classifier: a column for each value that tuning
// chose, whose entries are the shares of the fits with that value.
func tunedPage(r *request, page view.Group) (drawn, error) {
	trials := r.trialsOf(page.Cells)
	groups, err := r.Groups(trials, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	d := gridChart{request: r, Page: r.page(), value: "% of fits", percent: true,
		format: func(v float64) string { return sheet.Fixed(v, 0) }, spans: []panels.Span{{Low: 0, High: 100}}}
	var allRows []view.Group
	for i := range groups {
		for _, id := range r.columns {
			tables, err := r.tunedTables(&groups[i], id)
			if err != nil {
				return drawn{}, err
			}
			d.tables = append(d.tables, tables...)
		}
	}
	if len(d.tables) == 0 {
		return drawn{}, view.Mistaken([]string{"columns", "kind"}, "", "a figure of kind tuned needs "+
			"tuned classifiers: none of these has tune: %s", r.Labels(r.columns))
	}
	for _, t := range d.tables {
		allRows = append(allRows, t.groups...)
	}
	d.fit()
	about := facts{"Pooling": r.Pooling("Each row", allRows)}
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// trialsOf returns the cells with the results of single fits, with the choices of tuning, which means over
// folds lack.
func (r *request) trialsOf(cells []records.Cell) []records.Cell {
	wanted := map[string]bool{}
	for i := range cells {
		wanted[cells[i].ID] = true
	}
	return slices.DeleteFunc(slices.Clone(r.Trials), func(c records.Cell) bool { return !wanted[c.ID] })
}

// tunedTables returns a table for each tuned parameter of a classifier; nil if it is not tuned.
func (r *request) tunedTables(panel *view.Group, id string) ([]gridTable, error) {
	factors, groups, err := r.rows(panel.Cells)
	if err != nil {
		return nil, err
	}
	rows := make([][]setting, len(groups)) // by row, the settings of all its fits
	for i := range groups {
		if rows[i], err = chosenSettings(&groups[i], id); err != nil {
			return nil, err
		}
	}
	var names []string // of the parameters
	for _, s := range slices.Concat(rows...) {
		names = addOnce(names, s.name)
	}
	var tables []gridTable
	for _, name := range names {
		values := valuesOf(name, slices.Concat(rows...))
		var columns []gridColumn
		for _, value := range values {
			columns = append(columns, gridColumn{name: value, id: id})
		}
		title := strings.TrimPrefix(r.panelTitle(panel)+", "+r.Label(id)+": "+name, ", ")
		t := r.newGridTable(title, factors, groups, columns)
		for _, settings := range rows {
			t.entries = append(t.entries, shares(name, values, settings))
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// A setting is a value that tuning chose for a parameter.
type setting struct{ name, value string }

// chosenSettings returns the settings that tuning chose in all fits of a classifier: one for each fit and
// parameter.
func chosenSettings(g *view.Group, id string) (settings []setting, err error) {
	for _, c := range g.Cells {
		for i := range c.Rows {
			row := &c.Rows[i]
			if row.Classifier != id || row.Tuned == "" {
				continue // another classifier, or a fit without a choice
			}
			tuned, err := records.ParseTuned(row.Tuned)
			if err != nil {
				return nil, err
			}
			for _, word := range strings.Fields(tuned.Values) { // c=10 gamma=0.1
				if name, value, ok := strings.Cut(word, "="); ok {
					settings = append(settings, setting{name, value})
				}
			}
		}
	}
	return settings, nil
}

// valuesOf returns the values of a parameter, each once: numbers in ascending order, or texts in
// alphabetical order.
func valuesOf(name string, settings []setting) (values []string) {
	for _, s := range settings {
		if s.name == name {
			values = addOnce(values, s.value)
		}
	}
	slices.SortFunc(values, func(a, b string) int {
		x, notX := strconv.ParseFloat(a, 64)
		y, notY := strconv.ParseFloat(b, 64)
		if notX != nil || notY != nil {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(x, y)
	})
	return values
}

// shares returns the percentage of the fits with each value of a parameter. Frames mark the most frequent
// values.
func shares(name string, values []string, settings []setting) []gridEntry {
	counts := make([]int, len(values))
	fits := 0
	for _, s := range settings {
		if s.name == name {
			counts[slices.Index(values, s.value)]++
			fits++
		}
	}
	row := make([]gridEntry, len(values))
	for k, n := range counts {
		row[k] = gridEntry{value: 100 * float64(n) / float64(fits), framed: fits > 0 && n == slices.Max(counts)}
	}
	return row
}
