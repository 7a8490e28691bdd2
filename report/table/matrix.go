package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// A Matrix is the multi-comparison matrix of a table's classifiers (Ismail-Fawaz et al.
// 2023). It compares every pair over all cells; no number depends on a third classifier.
type Matrix struct {
	*sheet.Sheet
	ids     []string // in the order of the entries
	entries stats.ComparisonMatrix
	scale   float64 // factor from losses to printed values
}

// newMatrix compares the family of the table over the cells behind its rows. It returns an
// error if these are not independent blocks or too few classifiers can be compared.
func (t *Table) newMatrix() (*Matrix, error) {
	v := t.view
	ids := t.Family
	if len(ids) < 2 || !t.Measure.IsRate {
		return nil, view.Mistaken([]string{"matrix"}, "", "matrix needs a metric that results keep and at least two "+
			"classifiers in the family, there are %d", len(ids))
	}
	cells := t.cells()
	if v.BlockFactors(cells) == nil {
		return nil, view.Mistaken([]string{"matrix"}, "", "matrix compares over independent blocks, and no factor "+
			"changes "+
			"the generator or data set of these cells: name the factors whose levels are independent in "+
			"inference.blocks")
	}
	ids, _ = v.Ranked(cells, ids)
	if len(ids) < 2 {
		return nil, fmt.Errorf("matrix: fewer than two of %s are compared in every cell, since others fail too often",
			v.Labels(t.Family))
	}
	blocks, left := v.Blocks(cells, &t.Measure, ids)
	if len(blocks) == 0 {
		return nil, fmt.Errorf("matrix: in no cell have all of %s a result", v.Labels(ids))
	}
	entries, err := stats.MultiComparison(blocks)
	if err != nil {
		return nil, err
	}
	m := &Matrix{ids: ids, entries: entries, scale: t.Measure.Scale}
	m.Sheet = m.print(v, t, left)
	m.Caption = view.Caption("", m.Caption, v.FailedRanks(cells, &t.Measure, ids))
	return m, nil
}

// print returns the matrix as a sheet; left names the blocks that are left out.
func (m *Matrix) print(v *view.View, t *Table, left []string) *sheet.Sheet {
	of := t.Measure.Title()
	if t.Measure.LargerIsBetter() {
		of = "1 - " + of
	}
	s := &sheet.Sheet{ID: "table-" + sheet.SafeName(t.Name) + "-matrix", Title: "Every pair: " + t.Title,
		Width: t.Width / 25.4 * 72.27,
		Heads: []sheet.Head{{Label: "classifier", Text: true}, {Label: "mean"}}}
	but := ""
	if len(left) > 0 {
		but = " but by the cells that are left out"
	}
	s.Caption = fmt.Sprintf("Rows against columns over %s with data of their own, best mean first: mean difference "+
		"in %s (negative: the row is better); cells won, tied and lost by the row; p: two-sided Wilcoxon "+
		"signed-rank test over the cells, uncorrected, so that no number depends on a third classifier%s. Bold: "+
		"p at most %s.",
		view.Plural(m.entries.N, "cell", "cells"), of, but, view.Number(v.Alpha))
	s.Caption += view.LeftOut(left)
	for _, j := range m.entries.Order {
		s.Heads = append(s.Heads, sheet.Head{Label: v.Label(m.ids[j])})
	}
	for place, i := range m.entries.Order {
		mean := m.entries.Means[i] * m.scale
		row := sheet.Row{Heads: []sheet.Head{{Label: v.Label(m.ids[i]), Value: strconv.Itoa(place), Text: true}},
			Cells: []sheet.Entry{sheet.Number(mean, sheet.Fixed(mean, t.Digits))}}
		for _, j := range m.entries.Order {
			row.Cells = append(row.Cells, m.entry(i, j, t.Digits, v.Alpha))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// entry returns the printed comparison of classifiers i and j; a dash on the diagonal.
func (m *Matrix) entry(i, j, digits int, alpha float64) sheet.Entry {
	e := m.entries.Entries[i][j]
	if i == j {
		return sheet.Entry{Main: "–"}
	}
	difference := e.Difference * m.scale
	return sheet.Entry{Main: sheet.Signed(difference, digits), Value: sheet.Sortable(difference), Bold: e.P <= alpha,
		Lines: []string{fmt.Sprintf("%d/%d/%d", e.Win, e.Tie, e.Loss), "p " + sheet.PValue(e.P)}}
}

// CSV writes one line per ordered pair.
func (m *Matrix) CSV(w io.Writer) error {
	lines := [][]string{{"classifier", "other", "cells", "mean", "other_mean", "difference", "won", "tied", "lost",
		"p"}}
	for _, i := range m.entries.Order {
		for _, j := range m.entries.Order {
			if i == j {
				continue
			}
			e := m.entries.Entries[i][j]
			lines = append(lines, []string{m.ids[i], m.ids[j], strconv.Itoa(m.entries.N),
				sheet.Full(m.entries.Means[i] * m.scale), sheet.Full(m.entries.Means[j] * m.scale),
				sheet.Full(e.Difference * m.scale),
				strconv.Itoa(e.Win), strconv.Itoa(e.Tie), strconv.Itoa(e.Loss), sheet.Full(e.P)})
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}
