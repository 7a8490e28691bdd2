package report

import (
	"fmt"
	"slices"

	"copse/stats"
	"copse/stats/verdicts"
)

// A table is the content that every layout (Markdown, LaTeX, CSV, HTML) prints.
type table struct {
	Name    string
	Title   string
	Caption string
	Digits  int
	Spread  string

	measure measure
	Factors []string // names of the row factors
	Heads   []string // their labels
	IDs     []string // classifiers
	Columns []string // their labels
	Rows    []tableRow
	Foot    []footRow
	Notes   []string // footnote i+1
	Remarks []string // on the whole table
}

type tableRow struct {
	Levels []string // names
	Labels []string
	Cells  []tableCell
	Note   int // number of the row's footnote; 0: none
	best   verdicts.BestSet
}

type tableCell struct {
	stats.Summary // in the table's unit; N is 0 where there is no result
	Bold          bool
	Best          bool // the smallest mean of the family
	Note          int  // number of the cell's footnote; 0: none
	Compared      *verdicts.Comparison
}

// A footRow is an extra row below the cells; empty values are not applicable.
type footRow struct {
	Label  string
	Values []float64 // NaN: not applicable
	Digits int
}

// table computes the content of one table.
func (s *source) table(o Table) (*table, error) {
	t := &table{Name: o.Name, Title: o.Title, Digits: o.Digits, Spread: o.Spread}
	if t.Title == "" {
		t.Title = s.Title
	}
	var err error
	if t.measure, err = newMeasure(o.Metric, o.Scale); err != nil {
		return nil, err
	}
	if t.IDs, err = s.columns(o.Columns); err != nil {
		return nil, err
	}
	for _, id := range t.IDs {
		t.Columns = append(t.Columns, s.label(id))
	}
	cells, err := s.where(o.Where)
	if err != nil {
		return nil, err
	}
	t.Factors = o.Rows
	if len(t.Factors) == 0 {
		t.Factors = s.varying(cells)
	}
	t.Heads = s.heads(t.Factors)
	groups, err := s.groups(cells, t.Factors)
	if err != nil {
		return nil, err
	}
	family := s.family(t.IDs)
	if !o.Bold || !t.measure.perRate || len(family) < 2 {
		family = nil
	}
	for i := range groups {
		row, err := s.tableRow(t, &groups[i], family)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	if err := s.footRows(t, o); err != nil {
		return nil, err
	}
	s.failureNotes(t)
	s.poolingRemark(t, groups)
	s.attainabilityNote(t)
	s.foldRemark(t)
	s.warningRemarks(t, groups)
	t.Caption = caption(o.Caption, s.tableCaption(t, family), "")
	return t, nil
}

// tableRow summarises one group of cells and finds its best classifiers.
func (s *source) tableRow(t *table, g *group, family []string) (tableRow, error) {
	row := tableRow{Levels: g.levels, Labels: s.rowLabels(t.Factors, g.levels), Cells: make([]tableCell, len(t.IDs))}
	pooled := g.pooled()
	for k, id := range t.IDs {
		values, failed := s.values(&pooled, &t.measure, id)
		row.Cells[k].Summary = stats.Summarize(values)
		row.Cells[k].Failed = failed
	}
	if family == nil {
		return row, nil
	}
	var err error
	row.best, err = verdicts.Best(&pooled, verdicts.BestOptions{Metric: t.measure.rate, Family: family, Alpha: s.Alpha,
		Correction: s.correction(), Exact: s.Exact})
	if err != nil {
		return row, err
	}
	for k, id := range t.IDs {
		row.Cells[k].Bold = row.best.Attainable && row.best.Contains(id)
		row.Cells[k].Best = row.best.Best == id
		if i := slices.IndexFunc(row.best.Comparisons, func(c verdicts.Comparison) bool { return c.Other == id }); i >= 0 {
			row.Cells[k].Compared = &row.best.Comparisons[i]
		}
	}
	return row, nil
}

// replicates says how many were run per row: "R = 100" or "R = 98 to 100".
func (t *table) replicates() string {
	low, high := 0, 0
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			if n := c.N + c.Failed; n > 0 {
				if low == 0 || n < low {
					low = n
				}
				high = max(high, n)
			}
		}
	}
	if low == high {
		return fmt.Sprintf("R = %d", high)
	}
	return fmt.Sprintf("R = %d to %d", low, high)
}

// remark adds a remark on the whole table.
func (t *table) remark(text string) { t.Remarks = append(t.Remarks, text) }

// note adds a footnote and returns its number; equal notes are one.
func (t *table) note(text string) int {
	if i := slices.Index(t.Notes, text); i >= 0 {
		return i + 1
	}
	t.Notes = append(t.Notes, text)
	return len(t.Notes)
}

// frame makes a sheet without cells whose rows are levels of factors: heads,
// sorting keys and blocks as tables of results have them.
func (s *source) frame(id, title string, factors []string, rows [][]string) *sheet {
	t := &table{Factors: factors, Heads: s.heads(factors)}
	for _, levels := range rows {
		t.Rows = append(t.Rows, tableRow{Levels: levels, Labels: s.rowLabels(factors, levels)})
	}
	v := &sheet{ID: id, Title: title, Heads: t.columnHeads()}
	for i := range t.Rows {
		v.Rows = append(v.Rows, sheetRow{Block: i > 0 && t.newBlock(i), Heads: t.rowHeads(i, id)})
	}
	return v
}

// heads are the labels of the row factors; a single row has a head as well.
func (s *source) heads(factors []string) []string {
	if len(factors) == 0 {
		return []string{"cells"}
	}
	var labels []string
	for _, name := range factors {
		labels = append(labels, s.factorLabel(name))
	}
	return labels
}

// rowLabels are the levels of a row as readers see them.
func (s *source) rowLabels(factors, levels []string) []string {
	if len(factors) == 0 {
		return []string{"all"}
	}
	var labels []string
	for i, name := range factors {
		labels = append(labels, s.levelLabel(name, levels[i]))
	}
	return labels
}
