package study_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/data"
	"copse/experiments/study"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/records"
)

// Cells have the same source if and only if a chain of common rows connects them, however the study file names the
// files. This also holds for stored results, if the files are missing.
func TestCellsThatShareRowsHaveOneSource(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("COPSE_DATA", "")
	writeRows(t, "a.csv", 0)
	writeRows(t, "copy.csv", 0)
	writeRows(t, "b.csv", 100)
	writeRows(t, "c.csv", 200)
	writeRows(t, "d.csv", 300)
	writeVisits(t, "visits.csv", "x", func(i int) int { return i * i % 7 }, 1)
	writeVisits(t, "later.csv", "y", func(i int) int { return i * i % 11 }, 1)
	writeVisits(t, "parts.csv", "y", func(i int) int { return i * i % 11 }, 2)
	filetest.Write(t, "iris.csv", textOfSet(t, "iris"))
	for name, c := range map[string]struct {
		want  string // equal letters: equal sources
		cells []string
	}{
		"spellings": {"aaaab", []string{"csv: a.csv, folds: 2", "csv: ./a.csv, folds: 3",
			"csv: ../" + filepath.Base(dir) + "/a.csv, drop: [row], folds: 2",
			"csv: " + filepath.ToSlash(dir) + "/a.csv, folds: 4", "csv: b.csv, folds: 2"}},
		"copies": {"aab", []string{"csv: a.csv, folds: 2", "csv: copy.csv, drop: [row], folds: 2",
			"csv: c.csv, folds: 2"}},
		"lists": {"abaa", []string{"csv: [a.csv, b.csv], folds: 2", "csv: d.csv, folds: 2",
			"csv: [c.csv, ./b.csv], folds: 2", "csv: c.csv, folds: 2"}},
		"a later list": {"aaa", []string{"csv: a.csv, folds: 2", "csv: b.csv, folds: 2",
			"csv: [copy.csv, b.csv], folds: 2"}},
		"test files": {"aaab", []string{"csv: a.csv, test: {csv: c.csv}", "csv: b.csv, test: {csv: [./c.csv]}",
			"csv: c.csv, folds: 2", "csv: d.csv, folds: 2"}},
		"disjoint rows": {"abc", []string{"csv: a.csv, rows: [site = s0], folds: 2",
			"csv: a.csv, rows: [site = s1], folds: 2", "csv: copy.csv, rows: [site = s2, row > 3], folds: 2"}},
		"overlapping rows": {"aaa", []string{"csv: a.csv, rows: [site != s0], folds: 2",
			"csv: a.csv, rows: [site != s1], folds: 2", "csv: a.csv, rows: [row > 4], folds: 2"}},
		"all rows": {"aaa", []string{"csv: a.csv, rows: [site = s0], folds: 2",
			"csv: a.csv, rows: [site = s1], folds: 2", "csv: a.csv, folds: 2"}},
		"rows of lists": {"aba", []string{"csv: [a.csv, b.csv], rows: [site = s0], folds: 2",
			"csv: [b.csv, c.csv], rows: [site = s1], folds: 2", "csv: b.csv, rows: [site = s0], folds: 2"}},
		"same units": {"abaa", []string{"csv: visits.csv, drop: [id], folds: 2", "csv: b.csv, folds: 2",
			"csv: later.csv, drop: [id], folds: 2", "csv: later.csv, drop: [id], rows: [y > 3], folds: 3"}},
		// The files number the parts in two ways.
		"same units, other conditions": {"ab", []string{"csv: visits.csv, drop: [id], rows: [part = 0], folds: 2",
			"csv: visits.csv, drop: [id], rows: [part = 1], folds: 2"}},
		"same units, other parts": {"aa", []string{"csv: visits.csv, drop: [id], rows: [part = 0], folds: 2",
			"csv: parts.csv, drop: [id], rows: [part = 1], folds: 2"}},
		"sets": {"aab", []string{"set: iris, folds: 2", "csv: iris.csv, folds: 3", "set: votes, folds: 2"}},
		"generators": {"aba", []string{"generator: toy, sample: {n: 20}, folds: 2", "csv: a.csv, folds: 2",
			"generator: toy, sample: {n: 20}, folds: 2, flip: 0.1"}},
	} {
		text := studyOf(c.cells)
		s := toys.Load(t, text)
		if got := pattern(s); got != c.want {
			t.Errorf("%s: sources %s, want %s", name, got, c.want)
		}
		t.Chdir(t.TempDir()) // without files
		stored := reparse(t, text, storedCells(s))
		t.Chdir(dir)
		for i, cell := range s.Cells {
			if stored.Cells[i].Source != cell.Source {
				t.Errorf("%s: without its files, cell %d has another source", name, i)
			}
		}
	}
}

// Cells have the same SplitID if and only if their replicates are the same folds or splits. This also holds for
// stored results, if the files are missing.
func TestCellsWithTheSameSplits(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("COPSE_DATA", "")
	var rows strings.Builder
	rows.WriteString("row,x,part,class\n")
	for i := range 72 {
		fmt.Fprintf(&rows, "%d,%d,%d,%d\n", i, 72-i, i%12, i/12%2)
	}
	filetest.Write(t, "a.csv", rows.String())
	writeVisits(t, "visits.csv", "x", func(i int) int { return i * i % 7 }, 1)
	writeVisits(t, "later.csv", "y", func(i int) int { return i * i % 11 }, 1)
	writeVisits(t, "other.csv", "y", func(i int) int { return i * i % 11 }, 5) // with other folds
	for name, c := range map[string]struct {
		want  string // equal letters: equal splits
		cells []string
	}{
		"noise": {"aaaa", []string{"csv: a.csv, folds: 3", "csv: a.csv, folds: 3, flip: 0.1",
			"csv: a.csv, folds: 3, train: {n: 12}", "csv: a.csv, folds: 3, missing: {mcar: 0.1}"}},
		"attributes": {"abc", []string{"csv: a.csv, folds: 3", "csv: a.csv, folds: 3, drop: [row]",
			"csv: ./a.csv, folds: 3, drop: [x], flip: 0.1"}},
		"rows": {"abc", []string{"csv: a.csv, folds: 3", "csv: a.csv, folds: 3, rows: [row > 2]",
			"csv: a.csv, folds: 4, rows: [row > 2]"}},
		"columns": {"aaabb", []string{"csv: a.csv, folds: {column: part}",
			"csv: ./a.csv, folds: {column: part}, drop: [row]",
			"csv: a.csv, folds: {column: part}, flip: 0.1, drop: [x]",
			"csv: a.csv, folds: {column: part}, rows: [row > 2]",
			"csv: a.csv, folds: {column: part}, rows: [row > 2], drop: [x], flip: 0.1"}},
		"same units": {"aabcd", []string{"csv: visits.csv, drop: [id], folds: {column: part}",
			"csv: later.csv, drop: [id], folds: {column: part}", "csv: other.csv, drop: [id], folds: {column: part}",
			"csv: later.csv, drop: [id], folds: {column: part}, rows: [y > 0]",
			"csv: a.csv, folds: {column: part}"}},
	} {
		text := studyOf(c.cells)
		s := toys.Load(t, text)
		if got := letters(s, (*study.Cell).SplitID); got != c.want {
			t.Errorf("%s: splits %s, want %s", name, got, c.want)
		}
		t.Chdir(t.TempDir()) // without files
		stored := reparse(t, text, storedCells(s))
		t.Chdir(dir)
		if got := letters(stored, (*study.Cell).SplitID); got != c.want {
			t.Errorf("%s: splits %s without the files, want %s", name, got, c.want)
		}
		withFiles := t.TempDir()
		for _, file := range []string{"a.csv", "visits.csv"} {
			filetest.Write(t, filepath.Join(withFiles, file), filetest.Read(t, filepath.Join(dir, file)))
		}
		t.Chdir(withFiles)
		stored = reparse(t, text, storedCells(s))
		t.Chdir(dir)
		if got := letters(stored, (*study.Cell).SplitID); got != c.want {
			t.Errorf("%s: splits %s with two of the files, want %s", name, got, c.want)
		}
	}
}

// Registered data sets that share rows have one source, also if they are not on this machine.
func TestSetsThatShareRowsHaveOneSource(t *testing.T) {
	t.Setenv("COPSE_DATA", t.TempDir())
	text := studyOf([]string{"set: ctg, folds: 2", "set: spectf_train, folds: 2", "set: ctg21, folds: 2",
		"set: sonar, folds: 2", "set: glass, test: {set: spectf_full}"})
	unknown := func(l records.Levels) (study.StoredCell, bool) { return study.StoredCell{ID: l.String()}, true }
	if got, want := pattern(reparse(t, text, unknown)), "abacb"; got != want {
		t.Errorf("sources %s, want %s", got, want)
	}
}

// writeRows writes a file of rows of three sites and two classes. Files with other first numbers have other rows.
func writeRows(t *testing.T, file string, first int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("row,x,site,class\n")
	for i := range 36 {
		fmt.Fprintf(&text, "%d,%d,s%d,%d\n", i, first+i, i%3, i%2)
	}
	filetest.Write(t, file, text.String())
}

// writeVisits writes a file with two visits of each of 30 persons. All such files have the same ids and classes.
// The column "part" has 12 folds of consecutive rows; rowsOfPart is the number of rows before the next fold.
func writeVisits(t *testing.T, file, attribute string, value func(i int) int, rowsOfPart int) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "id,%s,part,class\n", attribute)
	for i := range 60 {
		fmt.Fprintf(&text, "p%d,%d,%d,%d\n", i/2, value(i), i/rowsOfPart%12, i%7%2)
	}
	filetest.Write(t, file, text.String())
}

// textOfSet returns the CSV file of a data set.
func textOfSet(t *testing.T, name string) string {
	t.Helper()
	store, err := data.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	c, err := store.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(c.Text)
}

// studyOf returns a study with a cell for each data section.
func studyOf(sections []string) string {
	var text strings.Builder
	text.WriteString("study: s\nseed: 1\nreplicates: 12\nclassifiers: [centroid]\ndata: $source\ndesign:\n  source:\n")
	for i, section := range sections {
		fmt.Fprintf(&text, "    k%d: {%s}\n", i, section)
	}
	return text.String()
}

// pattern returns a letter for each cell. Cells with the same source have the same letter.
func pattern(s *study.Study) string {
	return letters(s, func(c *study.Cell) string { return c.Source })
}

// letters returns a letter for each cell. Cells with the same name have the same letter.
func letters(s *study.Study, name func(*study.Cell) string) (list string) {
	var names []string
	for _, c := range s.Cells {
		if !slices.Contains(names, name(c)) {
			names = append(names, name(c))
		}
		list += string(rune('a' + slices.Index(names, name(c))))
	}
	return list
}

// storedCells returns what a results folder stores about the cells of s.
func storedCells(s *study.Study) study.CellLookup {
	return func(l records.Levels) (study.StoredCell, bool) {
		i := slices.IndexFunc(s.Cells, func(c *study.Cell) bool { return c.Levels == l })
		stored := study.StoredCell{ID: s.Cells[i].ID, Key: s.Cells[i].Key}
		if file := s.Cells[i].Data.File; file != nil {
			stored.Sums, stored.SameUnits = file.Sums, s.Cells[i].Data.SameUnits()
			stored.GivenFolds = s.Cells[i].Data.GivenFolds()
		}
		return stored, true
	}
}

// nothingStored is the lookup of a results folder without cells.
func nothingStored(records.Levels) (study.StoredCell, bool) { return study.StoredCell{}, false }

// reparse reads a study with stored results.
func reparse(t *testing.T, text string, stored study.CellLookup) *study.Study {
	t.Helper()
	s, err := study.Parse("s.yaml", []byte(text), nil, stored)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
