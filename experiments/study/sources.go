package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/data"
	"copse/stats"
	"copse/stats/dataset/csvfile"
)

// nameSources sets the Source of each cell. Cells whose files have rows in common, directly or
// through other cells, get the same source, because their results are dependent.
func (r *reader) nameSources() {
	var fromFiles []*Cell
	for _, c := range r.cells {
		if c.Data.FromFiles() {
			c.Source = digest(fmt.Sprintf("%q %q", c.Data.Source(), c.Data.Where), sourceBytes)
			fromFiles = append(fromFiles, c)
		} else {
			c.Source = digest(c.SplitKey, sourceBytes)
		}
	}
	findSameUnits(fromFiles)
	if r.onlyReports() {
		r.useStoredUnits(fromFiles)
	}
	joinSources(fromFiles)
}

// findSameUnits finds files with the same units, such as two versions of a file with the same patients. It sets
// sameUnits and unitsRemark of the data that use them. It ignores files that were not read.
func findSameUnits(cells []*Cell) {
	sums := map[string]string{} // SHA-256 of each file, by its path or the name of its data set
	var files []*data.File
	for _, c := range cells {
		if c.Data.File != nil {
			files = append(files, c.Data.File)
			maps.Copy(sums, c.Data.sums)
		}
	}
	for _, names := range data.SameUnits(files) {
		sumsOfNames := stats.Map(names, func(name string) string { return sums[name] })
		slices.Sort(sumsOfNames)
		sumsOfNames = slices.Compact(sumsOfNames)
		for _, c := range cells {
			if c.Data.File != nil {
				c.Data.addSameUnits(names, sumsOfNames)
			}
		}
	}
}

// useStoredUnits sets Data.sameUnits from the stored results for cells whose files have not changed.
// This includes files that are not on this machine.
func (r *reader) useStoredUnits(cells []*Cell) {
	for _, c := range cells {
		stored, ok := r.findStored(c.Levels)
		if ok && stored.SameUnits != nil && maps.Equal(stored.Sums, c.Data.sums) {
			c.Data.sameUnits = stored.SameUnits
		}
	}
}

// addSameUnits updates d.sameUnits and d.unitsRemark for files with the same units. sums lists the
// SHA-256 of all files in names.
func (d *Data) addSameUnits(names, sums []string) {
	for _, name := range names {
		if _, isRead := d.sums[name]; !isRead {
			continue
		}
		if d.sameUnits == nil {
			d.sameUnits = map[string][]string{}
		}
		d.sameUnits[name] = sums
		others := slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
		d.unitsRemark = fmt.Sprintf("has the same units as %s (the classes and another column are equal): the files "+
			"count as one data set", strings.Join(others, ", "))
	}
}

const sourceBytes = 8

// joinSources gives connected cells the Source of the first one. Two cells are connected if they
// share rows, directly or through other cells.
func joinSources(cells []*Cell) {
	rows := func(c *Cell) string { return c.Data.rowsRead() }
	groups := stats.Grouped(cells, rows) // the cells of a group read the same rows
	connected := stats.NewPartition(len(groups))
	readers := map[string][]int{}                         // from each input to the indices of the groups that read it
	conditions := make([][]csvfile.Equality, len(groups)) // on the rows that each group reads
	files := make([][]string, len(groups))                // inputs of each group, without files of the same units
	for i, group := range groups {
		d := group[0].Data
		conditions[i], files[i] = csvfile.EqualitiesOf(d.Where), d.inputsFrom(nil)
		for _, input := range d.inputs() {
			for _, k := range readers[input] {
				isInBoth := func(file string) bool { return slices.Contains(files[k], file) }
				shareFile := slices.ContainsFunc(files[i], isInBoth)
				// Two files with the same units may have different columns, so different conditions on their
				// columns can still select the same units.
				if !shareFile || !csvfile.Disjoint(conditions[i], conditions[k]) {
					connected.Join(i, k)
				}
			}
			readers[input] = append(readers[input], i)
		}
	}
	for i, group := range groups {
		first := groups[connected.Smallest(i)][0]
		for _, c := range group {
			c.Source = first.Source
		}
	}
}

// rowsRead returns a key of the rows that a cell selects from its files. Cells with the same rows
// have the same key.
func (d *Data) rowsRead() string { return fmt.Sprintf("%q %q", d.inputs(), d.Where) }

// inputs returns keys that identify the files and data sets of d (see data.Inputs).
func (d *Data) inputs() []string { return d.inputsFrom(d.sameUnits) }

func (d *Data) inputsFrom(sameUnits map[string][]string) []string {
	return data.Inputs(slices.Concat(d.CSV, d.Test.CSV), slices.Concat(d.Set, d.Test.Set), d.sums, sameUnits)
}

// SameUnits returns lists of files with the same units (see data.SameUnits): by path or by name of
// the data set, the SHA-256 of all files that have the units of this file. It is nil if each file
// has its own units.
func (d *Data) SameUnits() map[string][]string { return d.sameUnits }

// GivenFolds returns a digest of the rows and their given folds. It returns "" if no folds are given
// or SameUnits is nil.
func (d *Data) GivenFolds() string {
	if d.File == nil || d.File.Folds == nil || d.sameUnits == nil {
		return d.storedFolds
	}
	rows := stats.Map(d.File.Places, func(p csvfile.RowPlace) int { return p.Row })
	return digest(fmt.Sprint(rows, d.File.Folds), sourceBytes)
}

// givenSplit returns a key of the given folds. Cells whose files give the same folds of the same rows
// have the same key. The argument key is the part of the SplitKey that describes these folds.
func (d *Data) givenSplit(key string) string {
	folds := d.GivenFolds()
	if folds == "" {
		return d.rowsRead() + key
	}
	var units []string // a file for each list of files with the same units
	for _, name := range slices.Concat(d.CSV, d.Set) {
		units = append(units, slices.Concat(d.sameUnits[name], []string{d.sums[name]})[0])
	}
	return fmt.Sprintf("%q %s", units, folds)
}
