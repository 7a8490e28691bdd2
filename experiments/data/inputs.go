package data

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"copse/stats"
	"copse/stats/dataset"
)

// Inputs returns keys of the files with the given paths and the data sets with the given names.
// Files and data sets that have rows in common have a common key. Examples are two paths of one
// file, a file and its copy, and registered data sets that overlap.
//
// sums contains the SHA-256 of files and data sets by path or name. If files or data sets have the
// same units (see SameUnits), sameUnits maps each of them to the SHA-256 of all of them.
func Inputs(paths, sets []string, sums map[string]string, sameUnits map[string][]string) (keys []string) {
	for _, path := range paths {
		keys = append(keys, "file "+absolute(path))
	}
	for _, name := range sets {
		keys = append(keys, "set "+name)
		if set, registered := Lookup(name); registered {
			for _, other := range set.SharesRows {
				keys = append(keys, fmt.Sprintf("rows of %s and %s", min(name, other), max(name, other)))
			}
		}
	}
	for _, sum := range sums {
		keys = append(keys, "SHA-256 "+sum)
	}
	for _, list := range sameUnits {
		for _, sum := range list {
			keys = append(keys, "SHA-256 "+sum)
		}
	}
	slices.Sort(keys) // maps have no order
	return slices.Compact(keys)
}

// SameUnits returns lists of different files and data sets, by path or name, that hold the same
// units in the same order, such as a file and a later version with more columns. Their classes are
// equal, and so is another column with many distinct values (see csvfile.Table.RowKeys).
func SameUnits(files []*File) (lists [][]string) {
	sums, keys := map[string]string{}, map[string][]string{} // by path or name
	for _, f := range files {
		maps.Copy(sums, f.Sums)
		for name, list := range f.rowKeys { // which depend on the class column of f
			keys[name] = append(keys[name], list...)
		}
	}
	names := slices.Sorted(maps.Keys(sums))
	keysOf := stats.Map(names, func(name string) []string { return keys[name] })
	for _, indices := range stats.Connected(stats.Indices(len(names)), keysOf) {
		list := dataset.At(names, indices)
		differs := func(name string) bool { return sums[name] != sums[list[0]] }
		if slices.ContainsFunc(list, differs) { // Inputs recognises copies of one file by their SHA-256
			lists = append(lists, list)
		}
	}
	return lists
}

// absolute returns the cleaned absolute path of a file, or the cleaned path if there is no working
// directory.
func absolute(path string) string {
	clean := filepath.Clean(filepath.FromSlash(path))
	if full, err := filepath.Abs(clean); err == nil {
		return full
	}
	return clean
}
