package view

import (
	"fmt"

	"copse/stats/records"
)

const pooledID = "pooled"

// Pool combines a group of cells into one cell with independent results. It replaces results that
// depend on each other by their mean:
//   - All results on one data set become one result, so that tests compare data sets (Demsar 2006).
//     They include the folds of the data set and all cells with its rows.
//   - Results on the same draw in several cells become one result. Such cells add different noise,
//     or differ only in their classifiers.
//
// If the group contains a single cell, Pool returns this cell. It treats failed fits as On does.
func (v *View) Pool(g *Group) records.Cell {
	cells := v.On(g)
	if len(cells) == 1 {
		return cells[0]
	}
	var results []unitResult
	for i := range cells {
		for _, rows := range v.unitsOf(&cells[i]) {
			data := seen(rows, i)
			unit := v.source(&cells[i], rows[0].Replicate, data)
			for _, row := range rows {
				results = append(results, unitResult{row, unit, data})
			}
		}
	}
	pooled := records.Cell{ID: pooledID, Classifiers: cells[0].Classifiers}
	return pooled.With(unitMeans(results))
}

// A unitResult is a result of a cell. unit is the data set or the draw that counts as one pooled
// result. data is the name of the data of this result.
type unitResult struct {
	*records.Record
	unit, data string
}

// unitMeans returns the mean result of each classifier in each unit. It omits a classifier that lacks
// results on some data of the unit, because its mean would be over other data than the other means.
func unitMeans(results []unitResult) (means []records.Record) {
	number, data := map[string]int{}, map[string]int{} // by unit: its replicate number, its number of data
	for i, ofUnit := range Grouped(results, func(r unitResult) string { return r.unit }) {
		unit := ofUnit[0].unit
		number[unit], data[unit] = i+1, countData(ofUnit)
	}
	type part struct{ unit, classifier string }
	for _, ofPart := range Grouped(results, func(r unitResult) part { return part{r.unit, r.Classifier} }) {
		unit := ofPart[0].unit
		if countData(ofPart) < data[unit] {
			continue
		}
		row := *ofPart[0].Record
		if len(ofPart) > 1 {
			var rows []*records.Record
			for _, r := range ofPart {
				rows = append(rows, r.Record)
			}
			row = records.Mean(rows)
		}
		row.Cell, row.Replicate, row.Data = pooledID, number[unit], unit
		row.Fit, row.Predict, row.Peak = 0, 0, 0 // costs are not pooled (Values)
		means = append(means, row)
	}
	return means
}

func countData(results []unitResult) int {
	return len(Grouped(results, func(r unitResult) string { return r.data }))
}

// unitsOf groups the results of a cell into units. Each replicate is a unit. However, all folds or
// splits of one data set together are a single unit, with the mean result of each classifier.
func (v *View) unitsOf(c *records.Cell) [][]*records.Record {
	if len(c.Replicates) > 0 && v.Sampling[c.ID].OneSet {
		return [][]*records.Record{meanResults(c)}
	}
	byReplicate := c.ByReplicate()
	units := make([][]*records.Record, len(c.Replicates))
	for i, replicate := range c.Replicates {
		units[i] = byReplicate[replicate]
	}
	return units
}

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

// source returns the data set or the draw of a replicate. If it is unknown, it returns the fingerprint
// of the data.
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

// seen returns the fingerprint of the data of the given results. If the draw failed, it returns a
// unique name.
func seen(rows []*records.Record, cell int) string {
	for _, row := range rows {
		if row.Data != "" {
			return row.Data
		}
	}
	return fmt.Sprintf("cell %d, replicate %d", cell, rows[0].Replicate)
}
