package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// A tunedParameter contains the values that tuning chose for one parameter of a classifier in the
// fits of one panel. The page shows it as a table.
type tunedParameter struct {
	panel       string // title of the panel
	id          string // of the classifier
	name        string
	rows        []view.Group // cells of each row of the table
	values      []string     // the distinct values: ascending numbers, or texts in alphabetical order
	chosenByRow [][]string   // chosenByRow[i]: the value chosen in each fit of row i
}

// tunedPage draws a table for each tuned parameter of each classifier. It shows how often tuning
// chose each value, in percent of the fits. Without tuned fits, the page is empty.
func tunedPage(r *request) (*drawnPage, error) {
	fitCells := r.fitCellsOf(r.pageCells) // tuning chooses a value in each fit
	parameters, err := r.tunedIn(fitCells)
	if err != nil || len(parameters) == 0 {
		return nil, err
	}
	extremeChoices, err := r.extremeChoices(fitCells)
	if err != nil {
		return nil, err
	}
	d := gridChart{request: r, Page: r.emptyPage(), format: func(v float64) string { return sheet.Fixed(v, 0) },
		leastRowHeight: maxGridRow, // has room for the percentages
		colours:        panels.Scale{Title: "% of fits", Ranges: panels.OneRange(0, 100)}}
	var fits view.Range // numbers of fits per row
	for _, p := range parameters {
		d.tables = append(d.tables, r.tunedTable(&p))
		for _, chosen := range p.chosenByRow { // one value for each fit
			fits.Add(len(chosen))
		}
	}
	d.layOut()
	facts := captionFacts{"ExtremeChoices": extremeChoices, "Fits": fits,
		"Pooling": r.PooledCellsSentence("Each row", r.inPanels(d.rows()))} // no weights, because every fit counts
	return r.captioned(&d.Page, facts), nil
}

// whyUntuned returns an error that states why a figure shows no tuned values.
func (r *request) whyUntuned() error {
	isTuned := func(id string) bool { return r.Component(id).Candidates != nil }
	if slices.ContainsFunc(r.classifiers, isTuned) {
		return view.OptionError("where kind", "no fit of a tuned classifier succeeded in these cells: "+
			"choose other cells with `where`, or see the failed fits in the report")
	}
	return view.OptionError("columns kind", "a figure of kind `tuned` needs "+
		"a classifier with the key `tune`, but its classifiers (%s) do not have this key", r.Labels(r.classifiers))
}

// tunedIn returns the tuned parameters in all panels of a page, by panel and classifier. The cells of
// the page have one result for each fit.
func (r *request) tunedIn(fitCells []records.Cell) (list []tunedParameter, err error) {
	groups, err := r.Groups(fitCells, r.options.Panel)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		rows, err := r.groupIntoRows(groups[i].Cells)
		if err != nil {
			return nil, err
		}
		for _, id := range r.classifiers {
			parameters, err := tunedParameters(rows, id)
			if err != nil {
				return nil, err
			}
			for _, p := range parameters {
				p.panel = r.panelTitle(&groups[i])
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// fitCellsOf returns the given cells with one result for each fit.
//
// The given cells can contain means over folds instead. Such a mean lacks the values that tuning
// chose.
func (r *request) fitCellsOf(cells []records.Cell) []records.Cell {
	wanted := map[string]bool{}
	for i := range cells {
		wanted[cells[i].ID] = true
	}
	return view.Without(r.FitCells, func(c records.Cell) bool { return !wanted[c.ID] })
}

// tunedParameters returns the tuned parameters of a classifier, with the values that tuning chose
// in the fits of each row. It leaves the title of the panel empty.
func tunedParameters(rows []view.Group, id string) (list []tunedParameter, err error) {
	type choice struct {
		row int
		view.Setting
	}
	var choices []choice // in all fits, for all parameters
	for i := range rows {
		fits, err := rows[i].TunedFits(id)
		if err != nil {
			return nil, err
		}
		for _, tuned := range fits {
			for _, s := range parseSettings(tuned.Values) {
				choices = append(choices, choice{i, s})
			}
		}
	}
	for _, ofParameter := range stats.Grouped(choices, func(c choice) string { return c.Name }) {
		p := tunedParameter{id: id, name: ofParameter[0].Name, rows: rows, chosenByRow: make([][]string, len(rows))}
		for _, c := range ofParameter {
			p.values = view.AddNew(p.values, c.Value)
			p.chosenByRow[c.row] = append(p.chosenByRow[c.row], c.Value)
		}
		slices.SortFunc(p.values, compareValues)
		list = append(list, p)
	}
	return list, nil
}

// parseSettings parses settings such as "c=10 gamma=0.1".
func parseSettings(text string) (settings []view.Setting) {
	for _, word := range strings.Fields(text) {
		if name, value, ok := strings.Cut(word, "="); ok {
			settings = append(settings, view.Setting{Name: name, Value: value})
		}
	}
	return settings
}

// compareValues compares two values as numbers. If either is not a number, it compares them as text.
func compareValues(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(x, y)
}

// tunedTable returns the table for one parameter of a classifier. A frame marks the most frequent
// value in each row. If several values are most frequent, each has a frame.
func (r *request) tunedTable(p *tunedParameter) gridTable {
	var columns []gridColumn
	for _, value := range p.values {
		columns = append(columns, gridColumn{name: shortNumber(value), id: p.id})
	}
	title := joinNonEmpty(", ", p.panel, r.Label(p.id)+": "+p.name)
	t := gridTable{title: title, groupLabels: r.labelsOf(p.rows), groups: p.rows, columns: columns}
	for _, chosen := range p.chosenByRow { // one value for each fit
		counts := make([]int, len(p.values))
		for _, value := range chosen {
			counts[slices.Index(p.values, value)]++
		}
		entries := make([]gridEntry, len(counts))
		for k, n := range counts {
			share := 100 * float64(n) / float64(len(chosen)) // NaN without fits
			entries[k] = gridEntry{value: share, framed: len(chosen) > 0 && n == slices.Max(counts)}
		}
		t.entries = append(t.entries, entries)
	}
	return t
}

// shortNumber rounds a number of more than seven characters to three significant digits. It returns any other text
// unchanged.
func shortNumber(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) <= 7 {
		return text
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// extremeChoices returns a sentence for each parameter for which tuning chose the smallest or
// the largest candidate. Better values may exist beyond that candidate.
func (r *request) extremeChoices(fitCells []records.Cell) (sentences []string, err error) {
	for _, id := range r.classifiers {
		parameters, err := tunedParameters([]view.Group{{Cells: fitCells}}, id)
		if err != nil {
			return nil, err
		}
		for _, p := range parameters {
			chosen := p.chosenByRow[0] // the only row contains all fits
			ends := extremesChosen(chosen, r.candidates(id, p.name))
			if len(ends) > 0 {
				sentence := fmt.Sprintf("The chosen %s of %s is %s.", p.name, r.Label(id), view.And(ends))
				sentences = append(sentences, sentence)
			}
		}
	}
	return sentences, nil
}

// candidates returns the candidate values of a parameter in ascending order, or nil if they are not
// numbers.
func (r *request) candidates(id, parameter string) (list []string) {
	// A candidate is a list of settings such as "c=10 gamma=0.1".
	for _, s := range parseSettings(strings.Join(r.Component(id).Candidates, " ")) {
		if s.Name != parameter {
			continue
		}
		if !view.Numeric(s.Value) {
			return nil
		}
		list = view.AddNew(list, s.Value)
	}
	slices.SortFunc(list, compareValues)
	return list
}

// extremesChosen counts how often tuning chose the first and the last candidate: "the smallest
// candidate (1) in 34 of 72 fits". The candidates are in ascending order. Each fit has one value in
// chosen. It returns nil for fewer than three candidates.
func extremesChosen(chosen, candidates []string) (ends []string) {
	if len(candidates) < 3 {
		return nil
	}
	type extreme struct{ word, value string }
	for _, end := range []extreme{{"smallest", candidates[0]}, {"largest", candidates[len(candidates)-1]}} {
		n := 0
		for _, value := range chosen {
			if value == end.value {
				n++
			}
		}
		if n > 0 {
			text := fmt.Sprintf("the %s candidate (%s) in %d of %d fits", end.word, end.value, n, len(chosen))
			ends = append(ends, text)
		}
	}
	return ends
}
