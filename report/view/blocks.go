package view

import (
	"fmt"
	"math"
	"strings"

	"copse/stats/records"
)

// Blocks returns, for each part of the design with data of its own in which every
// one of the classifiers has a result, their mean losses, in excess of those of m.Over
// where there is one: what classifiers are ranked over. Cells on the same data, of one data set or of the same draws, are one
// block. The second value says of each block left out which it is and what is missing.
func (v *View) Blocks(cells []records.Cell, m *Measure, ids []string) (values [][]float64, left []string) {
	var groups []Group
	at := map[string]int{}
	for i, c := range cells {
		name := fmt.Sprint(i)
		if len(c.Rows) > 0 && c.Rows[0].Data != "" {
			name = c.Rows[0].Data
		}
		if source := v.Sampling[c.ID].Source; source != "" {
			name = source
		}
		k, known := at[name]
		if !known {
			k = len(groups)
			at[name], groups = k, append(groups, Group{})
		}
		groups[k].Cells = append(groups[k].Cells, c)
	}
	for i := range groups {
		pooled := v.Pool(&groups[i])
		row, lacking := make([]float64, len(ids)), []string(nil)
		mean := func(id string) float64 {
			loss := pooled.Summary(m.Metric, id).Mean
			if math.IsNaN(loss) {
				lacking = append(lacking, v.Label(id)+" "+v.whyNone(&pooled, m, id))
			}
			return loss
		}
		over := 0.0
		if m.Over != "" {
			over = mean(m.Over)
		}
		for k, id := range ids {
			row[k] = mean(id) - over
		}
		if lacking == nil {
			values = append(values, row)
			continue
		}
		where := v.InWords(v.FactorNames(), groups[i].Cells[0].Levels)
		left = append(left, strings.TrimSpace(fmt.Sprintf("%s (%s)", where, strings.Join(lacking, ", "))))
	}
	return values, left
}

// whyNone says why a classifier has no value of a measure in a cell.
func (v *View) whyNone(c *records.Cell, m *Measure, id string) string {
	failed, there := 0, 0
	for i := range c.Rows {
		if c.Rows[i].Classifier == id {
			there++
			if c.Rows[i].Status != records.OK {
				failed++
			}
		}
	}
	switch {
	case there == 0:
		return "did not run"
	case failed == there:
		return "failed"
	}
	return "has no " + m.Name
}

// leftShown is the number of cells left out that captions list.
const leftShown = 5

// LeftOut says which cells are left out and why, as Blocks found; "" without any.
func LeftOut(left []string) string {
	if len(left) == 0 {
		return ""
	}
	count, more := Plural(len(left), "cell is", "cells are"), ""
	if n := len(left) - leftShown; n > 0 {
		left, more = left[:leftShown], fmt.Sprintf("; and %d more", n)
	}
	return fmt.Sprintf(" %s left out, where not all have a result: %s%s.", count, strings.Join(left, "; "), more)
}
