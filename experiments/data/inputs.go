package data

import (
	"fmt"
	"path/filepath"
	"slices"
)

// Inputs returns keys of the files with the given paths and the data sets with the given names.
// Files and data sets that have rows in common have a common key. Examples are two paths of one
// file, a file and its copy, and registered data sets that overlap. sums contains the SHA-256 of
// files and data sets by path or name.
func Inputs(paths, sets []string, sums map[string]string) (keys []string) {
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
	slices.Sort(keys) // maps have no order
	return slices.Compact(keys)
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
