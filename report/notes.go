package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// failureNotes adds one footnote per classifier that failed somewhere.
func (s *source) failureNotes(t *table) {
	for k := range t.IDs {
		failed, tried, rows := 0, 0, 0
		for _, row := range t.Rows {
			if f := row.Cells[k].Failed; f > 0 {
				failed, tried, rows = failed+f, tried+f+row.Cells[k].N, rows+1
			}
		}
		if failed == 0 {
			continue
		}
		number := t.note(fmt.Sprintf("%s: %d of %d fits failed in %s; the mean is over the others, tests use the %s in which both succeeded.",
			t.Columns[k], failed, tried, plural(rows, "cell, which is marked", "cells, which are marked"), s.units()))
		for i := range t.Rows {
			if t.Rows[i].Cells[k].Failed > 0 {
				t.Rows[i].Cells[k].Note = number
			}
		}
	}
}

// poolingRemark warns when rows hold more than one cell of the design.
func (s *source) poolingRemark(t *table, groups []group) {
	if words := s.pooling("Each row", groups); words != "" {
		t.remark(words)
	}
}

// pooling says in which factors the cells of one group differ; empty when every
// group is one cell.
func (s *source) pooling(what string, groups []group) string {
	most := 0
	var hidden []string
	for _, g := range groups {
		most = max(most, len(g.cells))
		for _, name := range s.varying(g.cells) {
			if label := s.factorLabel(name); !slices.Contains(hidden, label) {
				hidden = append(hidden, label)
			}
		}
	}
	if most < 2 {
		return ""
	}
	return fmt.Sprintf("%s pools up to %d cells of the design, which differ in: %s.", what, most, strings.Join(hidden, ", "))
}

// attainabilityNote marks rows with too few replicates for any significance.
func (s *source) attainabilityNote(t *table) {
	for i, row := range t.Rows {
		if row.best.Best == "" || row.best.Attainable || len(row.best.Comparisons) == 0 {
			continue
		}
		t.Rows[i].Note = t.note(fmt.Sprintf("Too few replicates: at least %d are needed before any difference can be significant at level %.3g, so nothing is distinguished and nothing printed in bold here.",
			verdicts.PairsNeeded(row.best.Level, stats.TwoSided), row.best.Level))
	}
}

// warningRemarks adds the warnings of successful fits, those that differ in
// digits alone taken together.
func (s *source) warningRemarks(t *table, groups []group) {
	type warning struct {
		example string
		count   int
	}
	for k, id := range t.IDs {
		var shapes []string
		found := make(map[string]*warning)
		for _, g := range groups {
			for _, c := range g.cells {
				for _, row := range c.Rows {
					if row.Classifier != id || row.Status != records.OK || row.Message == "" {
						continue
					}
					shape := digitless(row.Message)
					if found[shape] == nil {
						found[shape] = &warning{example: row.Message}
						shapes = append(shapes, shape)
					}
					found[shape].count++
				}
			}
		}
		for _, shape := range shapes {
			w := found[shape]
			t.remark(fmt.Sprintf("%s warned in %s: %s.", t.Columns[k], plural(w.count, "fit", "fits"), strings.TrimSuffix(w.example, ".")))
		}
	}
}

// digitless replaces each run of digits by "#".
func digitless(s string) string {
	var b strings.Builder
	inside := false
	for _, r := range s {
		digit := r >= '0' && r <= '9'
		if !digit {
			b.WriteRune(r)
		} else if !inside {
			b.WriteByte('#')
		}
		inside = digit
	}
	return b.String()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// footRows adds the rows below the table that its options ask for.
func (s *source) footRows(t *table, o Table) error {
	if o.Ranks && t.measure.perRate {
		if err := s.rankRow(t); err != nil {
			return err
		}
	}
	if o.MCSE {
		row := footRow{Label: "largest Monte-Carlo s.e.", Digits: o.Digits + 1}
		for k := range t.IDs {
			largest := math.NaN()
			for _, r := range t.Rows {
				if se := r.Cells[k].MCSE; !math.IsNaN(se) && !(largest >= se) {
					largest = se
				}
			}
			row.Values = append(row.Values, largest)
		}
		t.Foot = append(t.Foot, row)
	}
	return nil
}

// rankRow adds the mean ranks of the family over the complete rows.
func (s *source) rankRow(t *table) error {
	family := s.family(t.IDs)
	var blocks [][]float64
	for _, r := range t.Rows {
		var block []float64
		for k, id := range t.IDs {
			if slices.Contains(family, id) && r.Cells[k].N > 0 {
				mean := r.Cells[k].Mean
				if t.measure.flip {
					mean = -mean
				}
				block = append(block, mean)
			}
		}
		if len(block) == len(family) {
			blocks = append(blocks, block)
		}
	}
	if len(family) < 2 || len(blocks) == 0 {
		return nil
	}
	result, err := stats.Friedman(blocks)
	if err != nil {
		return err
	}
	row := footRow{Label: "average rank", Digits: 2}
	for _, id := range t.IDs {
		rank := math.NaN()
		if k := slices.Index(family, id); k >= 0 {
			rank = result.MeanRanks[k]
		}
		row.Values = append(row.Values, rank)
	}
	t.Foot = append(t.Foot, row)
	return nil
}
