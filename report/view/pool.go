package view

import (
	"fmt"

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
// A group of one cell is that cell. Failed fits are treated as the inference wants (On).
func (v *View) Pool(g *Group) records.Cell {
	cells := v.On(g)
	if len(cells) == 1 {
		return cells[0]
	}
	var rows []records.Record
	units := map[string]int{}
	type part struct {
		data       string
		classifier string
	}
	parts := map[part][]*records.Record{}
	saw := map[part]map[string]bool{} // the data of a part; of a unit under the name of no classifier
	var order []part
	for i := range cells {
		for _, rows := range v.unitsOf(&cells[i]) {
			data := seen(rows, i)
			name := v.source(&cells[i], rows[0].Replicate, data)
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
		rows = append(rows, row)
	}
	pooled := records.Cell{ID: pooledID, Classifiers: cells[0].Classifiers}
	return pooled.With(rows)
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
	if !v.Sampling[c.ID].OneSet || len(list) == 0 {
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
