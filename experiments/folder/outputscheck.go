package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// CheckOutputs lists what is not as the last report wrote it, and counts what it
// wrote.
func CheckOutputs(dir string) (problems []string, n int, err error) {
	o, err := readOutputs(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		sum, err := Digest(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, fmt.Sprintf("%s is in %s and not here", name, Outputs))
		case err != nil:
			problems = append(problems, err.Error())
		case !slices.Contains(o[name], sum):
			problems = append(problems, fmt.Sprintf("%s is not as the report wrote it: its SHA-256 is %s, not %s", name, sum, o[name][0]))
		case len(o[name]) > 1:
			problems = append(problems, name+": the report that wrote it was interrupted")
		}
	}
	for _, name := range unlisted(dir, o) {
		problems = append(problems, fmt.Sprintf("%s is not in %s: no report vouches for it", name, Outputs))
	}
	return problems, len(o), nil
}

// ListOutputs returns the names of what the last report wrote, in order.
func ListOutputs(dir string) ([]string, error) {
	o, err := readOutputs(dir)
	return slices.Sorted(maps.Keys(o)), err
}

// unlisted are the files in the places of outputs that the list does not hold.
func unlisted(dir string, o outputs) (names []string) {
	if _, err := os.Stat(filepath.Join(dir, Page)); err == nil && o[Page] == nil {
		names = append(names, Page)
	}
	for _, sub := range []string{Tables, Figures} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub))
		for _, e := range entries {
			if name := sub + "/" + e.Name(); o[name] == nil && !e.IsDir() && !keptAside.MatchString(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

var keptAside = regexp.MustCompile(`\.kept[0-9]*$`)
