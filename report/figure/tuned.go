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

// tunedPage draws one page of this kind of figure: a table for each tuned parameter of each
// classifier. A table has a column for each value that tuning chose, and its entries are the
// percentages of the fits with that value.
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
		return drawn{}, view.Mistaken([]string{"columns", "kind"}, "", "a figure of kind tuned needs classifiers "+
			"with the key tune; none of these has it: %s", r.Labels(r.columns))
	}
	for _, t := range d.tables {
		allRows = append(allRows, t.groups...)
	}
	d.fit()
	about := facts{"Pooling": r.Pooling("Each row", allRows)}
	return drawn{Picture: d.Picture(r.caption(&d.Page, about))}, nil
}

// trialsOf returns the cells with the records of single fits. These contain the choices of tuning;
// the means over folds, which other figures show, do not.
func (r *request) trialsOf(cells []records.Cell) []records.Cell {
	wanted := map[string]bool{}
	for i := range cells {
		wanted[cells[i].ID] = true
	}
	return slices.DeleteFunc(slices.Clone(r.Trials), func(c records.Cell) bool { return !wanted[c.ID] })
}

// tunedTables returns a table for each tuned parameter of classifier id, or nil if it is not tuned.
func (r *request) tunedTables(panel *view.Group, id string) ([]gridTable, error) {
	factors, groups, err := r.rows(panel.Cells)
	if err != nil {
		return nil, err
	}
	rows := make([][]setting, len(groups)) // rows[i] has the settings of all fits of groups[i]
	for i := range groups {
		if rows[i], err = chosenSettings(&groups[i], id); err != nil {
			return nil, err
		}
	}
	var parameters []string
	for _, s := range slices.Concat(rows...) {
		parameters = addOnce(parameters, s.name)
	}
	var tables []gridTable
	for _, name := range parameters {
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

// A setting is a value that tuning chose for a parameter in one fit.
type setting struct{ name, value string }

// chosenSettings returns the settings that tuning chose for classifier id in the cells of g: one
// for each fit and tuned parameter.
func chosenSettings(g *view.Group, id string) (settings []setting, err error) {
	for _, c := range g.Cells {
		for i := range c.Rows {
			row := &c.Rows[i]
			if row.Classifier != id || row.Tuned == "" {
				continue // another classifier, or a failed fit
			}
			tuned, err := records.ParseTuned(row.Tuned)
			if err != nil {
				return nil, err
			}
			for _, word := range strings.Fields(tuned.Values) { // such as "c=10 gamma=0.1"
				if name, value, ok := strings.Cut(word, "="); ok {
					settings = append(settings, setting{name, value})
				}
			}
		}
	}
	return settings, nil
}

// valuesOf returns the distinct values of a parameter: numbers in ascending order, or texts in
// alphabetical order.
func valuesOf(name string, settings []setting) (values []string) {
	for _, s := range settings {
		if s.name == name {
			values = addOnce(values, s.value)
		}
	}
	slices.SortFunc(values, compareValues)
	return values
}

// compareValues compares two values as numbers or, if one is not a number, as texts.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(x, y)
}

// shares returns, for each of the values, the percentage of fits for which tuning chose it as the
// value of the parameter name. A frame marks the most frequent value, or several if they are
// equally frequent.
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
