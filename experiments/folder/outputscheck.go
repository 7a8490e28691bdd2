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
	"strings"
)

// An OutputsCheck is the result of CheckOutputs.
type OutputsCheck struct {
	Listed   []string // sorted names of the last report's outputs
	Sources  []string // checksums of the files from which the report was made; nil if they are unknown
	Problems []string // a message for each output that differs, and for each unlisted file
	NotKept  []string // missing figures and pages, which copse report draws again
}

// CheckOutputs compares the output files in dir with the checksums that the last report stored.
func CheckOutputs(dir string) (OutputsCheck, error) {
	sums, sources, err := readChecksums(dir) // an output has two checksums after an interruption
	if err != nil {
		return OutputsCheck{}, err
	}
	c := OutputsCheck{Listed: slices.Sorted(maps.Keys(sums)), Sources: sources}
	for _, name := range c.Listed {
		sum, err := Digest(filepath.Join(dir, name))
		absent := errors.Is(err, fs.ErrNotExist)
		switch {
		case absent && isDrawn(name): // copse report can draw it again
			c.NotKept = append(c.NotKept, name)
		case absent:
			c.problem("%s is missing, but %s lists it", name, Outputs)
		case err != nil:
			c.problem("%v", err)
		case !slices.Contains(sums[name], sum):
			c.problem("%s has changed since it was written with the report: its SHA-256 is %s, not %s", name, sum,
				sums[name][0])
		case len(sums[name]) > 1: // the checksums of two reports
			c.problem("%s: the last report was interrupted; run `copse report` again", name)
		}
	}
	for _, name := range unlisted(dir, sums) {
		c.problem("%s was not written by copse: %s does not list it; move it out of the folder", name, Outputs)
	}
	return c, nil
}

func (c *OutputsCheck) problem(format string, args ...any) {
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}

// isDrawn reports whether an output is a figure or the report page.
func isDrawn(name string) bool { return name == Page || strings.HasPrefix(name, Figures+"/") }

// unlisted returns the names of outputs in dir that have no checksum in o, except edited files that
// copse renamed.
func unlisted(dir string, o checksums) (names []string) {
	if Exists(filepath.Join(dir, Page)) && o[Page] == nil {
		names = append(names, Page)
	}
	for _, sub := range []string{Tables, Figures} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub))
		for _, e := range entries {
			if name := sub + "/" + e.Name(); o[name] == nil && !e.IsDir() && !renamedFile.MatchString(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// renamedFile matches the names of renamed user files, such as error.md.kept2.
var renamedFile = regexp.MustCompile(`\.kept[0-9]*$`)
