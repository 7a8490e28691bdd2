package view

import (
	"fmt"

	"copse/stats/records"
)

// pooledID is the id of every pooled cell.
const pooledID = "pooled"

// Pool returns a group as one cell whose results are independent of one another. It replaces
// results that depend on each other by their mean.
//
// All results on one data set, i.e. its folds and all cells with its rows, become one result, so
// that tests compare data sets (Demsar 2006). The same applies to cells that add different noise
// to one draw.
//
// Results on the same data in cells that differ only in their classifiers become one result. A
// classifier that does not depend on the varied factor has the same result in each such cell.
//
// Pool returns a group of one cell as it is. It treats failed fits as On does.
func (v *View) Pool(g *Group) records.Cell {
	cells := v.On(g)
	if len(cells) == 1 {
		return cells[0]
	}
	p := pooling{units: map[string]*unit{}, rows: map[part][]*records.Record{}, data: map[part]map[string]bool{}}
	for i := range cells {
		for _, rows := range v.unitsOf(&cells[i]) {
			data := seen(rows, i)
			p.add(v.source(&cells[i], rows[0].Replicate, data), data, rows)
		}
	}
	pooled := records.Cell{ID: pooledID, Classifiers: cells[0].Classifiers}
	return pooled.With(p.means())
}

// A unit is a data set or a draw, which counts as one pooled result.
type unit struct {
	replicate int             // its number in the pooled cell
	data      map[string]bool // names of the data of its results
}

// A part identifies the results of one classifier in one unit.
type part struct{ unit, classifier string }

// A pooling collects the results of several cells, by unit and classifier.
type pooling struct {
	units map[string]*unit
	order []part // in order of first appearance
	rows  map[part][]*records.Record
	data  map[part]map[string]bool // names of the data of the results of a part
}

// add adds results to the unit with this name. data names the data of these results.
func (p *pooling) add(name, data string, rows []*records.Record) {
	if p.units[name] == nil {
		p.units[name] = &unit{replicate: len(p.units) + 1, data: map[string]bool{}}
	}
	p.units[name].data[data] = true
	for _, row := range rows {
		k := part{name, row.Classifier}
		if p.rows[k] == nil {
			p.order = append(p.order, k)
			p.data[k] = map[string]bool{}
		}
		p.rows[k] = append(p.rows[k], row)
		p.data[k][data] = true
	}
}

// means returns the mean result of each part. It leaves out a part that lacks some data of its
// unit, because its mean would be over other data than the means of other classifiers.
func (p *pooling) means() (list []records.Record) {
	for _, k := range p.order {
		u, rows := p.units[k.unit], p.rows[k]
		if len(p.data[k]) < len(u.data) {
			continue
		}
		row := *rows[0]
		if len(rows) > 1 {
			row = records.Mean(rows)
		}
		row.Cell, row.Replicate, row.Data = pooledID, u.replicate, k.unit
		row.Fit, row.Predict, row.Peak = 0, 0, 0 // costs are not pooled (Values)
		list = append(list, row)
	}
	return list
}

// unitsOf returns the results of a cell by unit. Each replicate is a unit. The folds or splits of
// one data set together are one unit, with the mean result of each classifier.
func (v *View) unitsOf(c *records.Cell) [][]*records.Record {
	if len(c.Replicates) > 0 && v.Sampling[c.ID].OneSet {
		return [][]*records.Record{meanResults(c)}
	}
	at := make(map[int]int, len(c.Replicates)) // index by replicate
	for i, r := range c.Replicates {
		at[r] = i
	}
	units := make([][]*records.Record, len(c.Replicates))
	for i := range c.Rows {
		k := at[c.Rows[i].Replicate]
		units[k] = append(units[k], &c.Rows[i])
	}
	return units
}

// meanResults returns the mean result of each classifier over the replicates of a cell.
func meanResults(c *records.Cell) []*records.Record {
	byClassifier := map[string][]*records.Record{}
	for i := range c.Rows {
		id := c.Rows[i].Classifier
		byClassifier[id] = append(byClassifier[id], &c.Rows[i])
	}
	var means []*records.Record
	for _, id := range c.Classifiers {
		if rows := byClassifier[id]; rows != nil {
			mean := records.Mean(rows)
			means = append(means, &mean)
		}
	}
	return means
}

// source returns the name of the unit of a replicate: the data set or the draw. If the source of
// the data is unknown, it returns data, the fingerprint of the data.
func (v *View) source(c *records.Cell, replicate int, data string) string {
	s := v.Sampling[c.ID]
	switch {
	case s.Source == "":
		return data
	case s.OneSet:
		return s.Source
	}
	return fmt.Sprintf("%s/%d", s.Source, replicate)
}

// seen returns the fingerprint of the data of rows. If the draw failed, the rows have no
// fingerprint, and seen returns a name that no other data has.
func seen(rows []*records.Record, cell int) string {
	for _, row := range rows {
		if row.Data != "" {
			return row.Data
		}
	}
	return fmt.Sprintf("cell %d, replicate %d", cell, rows[0].Replicate)
}
