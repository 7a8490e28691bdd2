package view

import (
	"fmt"

	"copse/stats"
	"copse/stats/records"
)

const pooledID = "pooled"

// Pool combines the cells of a group into one cell with independent results, after failed fits have
// been treated (see TreatFailures). Each result is the mean over all results of a classifier in a
// unit. A unit is a data set (Demsar 2006) or a draw of new data, and several cells can use it.
//
// If the group has a single cell, its results are not averaged.
func (v *View) Pool(g *Group) records.Cell {
	cells := v.TreatFailures(g)
	if len(cells) == 1 {
		return cells[0]
	}
	var results []unitResult
	for i, c := range cells {
		for _, ofUnit := range v.unitsOf(&c) { // the results of all classifiers
			data := fingerprint(ofUnit, i)
			// Cells with the same data set, or with the same draw, have the same unit, even if their data
			// differ, for example in noise.
			unit := v.drawName(&c, ofUnit[0].Replicate, data)
			for _, result := range ofUnit {
				results = append(results, unitResult{Record: result, unit: unit, data: data})
			}
		}
	}
	pooled := records.Cell{ID: pooledID, Classifiers: cells[0].Classifiers}
	return pooled.With(unitMeans(results))
}

// A unitResult is a result with the name of its unit (see Pool).
type unitResult struct {
	*records.Record
	unit string // shared by cells with the same data set or draw
	data string // hash of the data; data of a unit can differ, for example in folds or noise
}

// unitMeans returns the mean result of each classifier in each unit. The field Data of a mean contains the name
// of the unit.
//
// unitMeans omits classifiers that lack results on some data of the unit, because their means would not be
// comparable.
func unitMeans(results []unitResult) (means []records.Record) {
	numbers, dataSets := countUnits(results) // by unit: its number, and how many data sets it has
	type key struct{ unit, classifier string }
	for _, alike := range stats.Grouped(results, func(r unitResult) key { return key{r.unit, r.Classifier} }) {
		unit := alike[0].unit
		if countData(alike) < dataSets[unit] {
			continue // the classifier lacks results on some data of the unit
		}
		mean := *alike[0].Record
		if len(alike) > 1 {
			mean = records.MeanOfCells(stats.Map(alike, func(r unitResult) *records.Record { return r.Record }))
		}
		mean.Cell, mean.Replicate, mean.Data = pooledID, numbers[unit], unit
		mean.Fit, mean.Predict, mean.Peak = 0, 0, 0 // times and memory are not pooled
		means = append(means, mean)
	}
	return means
}

// countUnits numbers the units from 1, in the order of the results. dataSets[unit] is the number of
// different data sets in the unit, for example one for each fold.
func countUnits(results []unitResult) (numbers, dataSets map[string]int) {
	numbers, dataSets = map[string]int{}, map[string]int{}
	for i, ofUnit := range stats.Grouped(results, func(r unitResult) string { return r.unit }) {
		unit := ofUnit[0].unit
		numbers[unit] = i + 1
		dataSets[unit] = countData(ofUnit)
	}
	return numbers, dataSets
}

func countData(results []unitResult) int {
	return len(stats.Grouped(results, func(r unitResult) string { return r.data }))
}

// unitsOf groups the results of all classifiers in a cell into units. Each replicate is a unit, but all folds or
// splits of one data set form a single unit.
func (v *View) unitsOf(c *records.Cell) [][]*records.Record {
	if len(c.Replicates) > 0 && v.Sampling[c.ID].OneDataSet {
		return [][]*records.Record{meanResults(c, v.Sampling[c.ID].Folds)}
	}
	byReplicate := c.ByReplicate()
	return stats.Map(c.Replicates, func(replicate int) []*records.Record { return byReplicate[replicate] })
}

// meanResults returns the mean result of each classifier over all replicates of a cell. It omits classifiers
// that lack a replicate, because their means would not be comparable. See meanOfDataSet for folds.
func meanResults(c *records.Cell, folds int) []*records.Record {
	var means []*records.Record
	for _, id := range c.Classifiers {
		if rows := c.RowsOf(id); len(rows) == len(c.Replicates) {
			means = append(means, meanOfDataSet(rows, folds))
		}
	}
	return means
}

// meanOfDataSet returns the mean result of a classifier on a data set. It first combines the folds of each
// cross-validation. The argument folds is their number, or 0 without cross-validation.
func meanOfDataSet(rows []*records.Record, folds int) *records.Record {
	var repeats []*records.Record
	repeat := func(r *records.Record) int { return records.FoldTask(r.Replicate, max(folds, 1)) }
	for _, ofRepeat := range stats.Grouped(rows, repeat) {
		repeats = append(repeats, new(records.Mean(ofRepeat)))
	}
	if len(repeats) == 1 {
		return repeats[0]
	}
	return new(records.MeanOfRepeats(repeats))
}

// drawName returns the name of the data set or draw that a replicate uses. If the source of the
// cell is unknown, it returns the fingerprint of the data.
func (v *View) drawName(c *records.Cell, replicate int, fingerprint string) string {
	s := v.Sampling[c.ID]
	switch {
	case s.Source == "":
		return fingerprint
	case s.OneDataSet:
		return s.Source
	}
	return fmt.Sprintf("%s/%d", s.Source, replicate)
}

// fingerprint returns the fingerprint (hash) of the training and test rows of the given results.
//
// If the draw of the data failed, there is no fingerprint, and the function returns a name that is unique among
// cells with different indices.
func fingerprint(rows []*records.Record, cellIndex int) string {
	for _, row := range rows {
		if row.Data != "" {
			return row.Data
		}
	}
	return fmt.Sprintf("cell %d, replicate %d", cellIndex, rows[0].Replicate)
}
