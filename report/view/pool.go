package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/stats"
	"copse/stats/records"
)

// pooledID is the identity of a cell that stands for several.
const pooledID = "pooled"

// Pool returns a group as one cell whose results are independent of one another:
//
//   - the results of one data set, its folds and all cells that have its rows, count
//     once, with their mean, so that data sets are what is compared (Demsar 2006), and
//     so do the cells of one draw with different noise;
//   - results on the same data, in cells that differ in classifiers alone, count
//     once, with their mean: a classifier without the factor has the same result in
//     each of these cells.
//
// A group of one cell is that cell.
func (v *View) Pool(g *Group) records.Cell {
	if len(g.Cells) == 1 {
		return g.Cells[0]
	}
	all := records.Records{Classifiers: g.Cells[0].Classifiers}
	units := map[string]int{}
	type part struct {
		data       string
		classifier string
	}
	parts := map[part][]*records.Record{}
	saw := map[part]map[string]bool{} // the data of a part; of a unit under the name of no classifier
	var order []part
	for i := range g.Cells {
		for _, rows := range v.unitsOf(&g.Cells[i]) {
			data := seen(rows, i)
			name := v.source(&g.Cells[i], rows[0].Replicate, data)
			if _, known := units[name]; !known {
				units[name] = len(units) + 1
				saw[part{name, ""}] = map[string]bool{}
			}
			saw[part{name, ""}][data] = true
			for _, row := range rows {
				p := part{name, row.Classifier}
				if parts[p] == nil {
					order = append(order, p)
					saw[p] = map[string]bool{}
				}
				parts[p], saw[p][data] = append(parts[p], row), true
			}
		}
	}
	for _, p := range order {
		if len(saw[p]) < len(saw[part{p.data, ""}]) {
			continue // its mean would be over other data than those of the rest
		}
		row := *parts[p][0]
		if len(parts[p]) > 1 {
			row = records.Mean(parts[p])
		}
		row.Cell, row.Replicate, row.Data = pooledID, units[p.data], p.data
		row.Fit, row.Predict, row.Peak = 0, 0, 0 // every fit took its own (Summary)
		all.Rows = append(all.Rows, row)
	}
	return all.Cells()[0]
}

// unitsOf returns the rows of each replicate, or of a data set all as one, which
// then bear one replicate.
func (v *View) unitsOf(c *records.Cell) [][]*records.Record {
	at := make(map[int]int, len(c.Replicates))
	for i, r := range c.Replicates {
		at[r] = i
	}
	list := make([][]*records.Record, len(c.Replicates))
	for i := range c.Rows {
		k := at[c.Rows[i].Replicate]
		list[k] = append(list[k], &c.Rows[i])
	}
	if !v.Sampling[c.ID].OneSet {
		return list
	}
	byClassifier := map[string][]*records.Record{}
	for _, rows := range list {
		for _, row := range rows {
			byClassifier[row.Classifier] = append(byClassifier[row.Classifier], row)
		}
	}
	var means []*records.Record
	for _, id := range c.Classifiers {
		if rows := byClassifier[id]; rows != nil {
			mean := records.Mean(rows)
			means = append(means, &mean)
		}
	}
	return [][]*records.Record{means}
}

// source names what the results on some data of a cell count for: the data set, the
// draw or, where that is not known, these data.
func (v *View) source(c *records.Cell, replicate int, data string) string {
	switch s := v.Sampling[c.ID]; {
	case s.Source == "":
		return data
	case s.OneSet:
		return s.Source
	default:
		return fmt.Sprintf("%s/%d", s.Source, replicate)
	}
}

// seen names the data that rows saw; rows without, whose draw failed, stand alone.
func seen(rows []*records.Record, cell int) string {
	for _, row := range rows {
		if row.Data != "" {
			return row.Data
		}
	}
	return fmt.Sprintf("cell %d, replicate %d", cell, rows[0].Replicate)
}

// Blocks returns, for each part of the design with data of its own in which every
// one of the classifiers has a result, their mean losses: what classifiers are
// ranked over. Cells on the same data, of one data set or of the same draws, are one
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
		for k, id := range ids {
			row[k] = pooled.Summary(m.Metric, id).Mean
			if math.IsNaN(row[k]) {
				lacking = append(lacking, v.Label(id)+" "+v.whyNone(&pooled, m, id))
			}
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

// Summary summarises a classifier over a group in the measure's unit. The
// Monte-Carlo standard error of folds of one data set is that of correlated
// results (Nadeau and Bengio 2003), that over several cells the one of a stratified
// sample: the cells are those of the design and no draws, so that what lies between
// them is no Monte-Carlo error (Cochran 1977, section 5.4).
func (v *View) Summary(g *Group, pooled *records.Cell, m *Measure, classifier string) stats.Summary {
	var values []float64
	failed := 0
	if m.Cost == nil {
		values, failed = v.Values(pooled, m, classifier)
	} else {
		for i := range g.Cells { // every fit took its time
			some, without := v.Values(&g.Cells[i], m, classifier)
			values, failed = append(values, some...), failed+without
		}
	}
	s := stats.Summarize(values)
	s.Failed = failed
	if share := v.Sampling[pooled.ID].Share; share > 0 && s.N > 1 {
		s.MCSE = s.SD * math.Sqrt(1/float64(s.N)+share)
	}
	if len(g.Cells) > 1 {
		s.MCSE = v.pooledError(g, pooled, m, classifier, s)
	}
	return s
}

// pooledError is the standard error of a mean over several cells; where a cell has one
// result, as data sets have, that of results which are all alike.
func (v *View) pooledError(g *Group, pooled *records.Cell, m *Measure, classifier string, s stats.Summary) float64 {
	cells := g.Cells
	if m.Cost == nil {
		cells = strata(pooled)
	}
	sum := 0.0
	for i := range cells {
		values, _ := v.Values(&cells[i], m, classifier)
		switch part := stats.Summarize(values); part.N {
		case 0:
		case 1:
			return s.MCSE
		default:
			sum += math.Pow(float64(part.N)*part.MCSE, 2)
		}
	}
	return math.Sqrt(sum) / float64(s.N)
}

// strata are the results of a pooled cell by the cells that they are of.
func strata(pooled *records.Cell) []records.Cell {
	at := map[string]int{}
	var parts []records.Records
	for _, row := range pooled.Rows {
		key := fmt.Sprint(row.Levels)
		k, known := at[key]
		if !known {
			k = len(parts)
			at[key], parts = k, append(parts, records.Records{Classifiers: pooled.Classifiers})
		}
		parts[k].Rows = append(parts[k].Rows, row)
	}
	cells := make([]records.Cell, len(parts))
	for k := range parts {
		cells[k] = parts[k].Cells()[0]
	}
	return cells
}

// Units names what the inference counts in the groups: replicates, tasks, folds, splits,
// fits of one split or data sets.
func (v *View) Units(groups []Group) string {
	var words []string
	add := func(word string) {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	for _, g := range groups {
		for _, c := range g.Cells {
			switch s := v.Sampling[c.ID]; {
			case s.OneSet && len(g.Cells) > 1:
				add("data sets")
			case s.Refits:
				add("fits of one split")
			case s.OneSet && s.Folds == 0:
				add("splits")
			case s.OneSet:
				add("folds")
			case v.overFolds(s):
				add("tasks")
			default:
				add("replicates")
			}
		}
	}
	if len(words) == 0 {
		return "replicates"
	}
	return strings.Join(words, " or ")
}

// Refits tells whether a group is one cell of one split: its replicates say nothing
// of other rows, so that no test can tell its classifiers apart.
func (v *View) Refits(g *Group) bool { return len(g.Cells) == 1 && v.Sampling[g.Cells[0].ID].Refits }

// Singles are the cells as groups of one.
func Singles(cells []records.Cell) []Group {
	var groups []Group
	for i := range cells {
		groups = append(groups, Group{Cells: cells[i : i+1]})
	}
	return groups
}

// TestLabels names the tests behind groups, as captions do; what the design rules
// out has none.
func (v *View) TestLabels(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { return t.Label })
}

// Estimates names what those tests estimate.
func (v *View) Estimates(groups []Group) string {
	return v.testWords(groups, func(t *stats.Test) string { return t.Estimate })
}

func (v *View) testWords(groups []Group, word func(*stats.Test) string) string {
	var labels []string
	for i := range groups {
		c := records.Cell{ID: pooledID}
		if len(groups[i].Cells) == 1 {
			c.ID = groups[i].Cells[0].ID
		}
		if paired, err := v.Paired(&c); err == nil && !slices.Contains(labels, word(&paired.Test)) {
			labels = append(labels, word(&paired.Test))
		}
	}
	return strings.Join(labels, " or ")
}
