package study_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// groupedFile writes a file with groups of the given sizes, and returns its path.
func groupedFile(t *testing.T, sizes ...int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("x,g,class\n")
	row := 0
	for g, size := range sizes {
		for range size {
			fmt.Fprintf(&text, "%d.5,g%d,%d\n", row*row, g, row%2)
			row++
		}
	}
	path := filepath.Join(t.TempDir(), "grouped.csv")
	filetest.Write(t, path, text.String())
	return filepath.ToSlash(path)
}

// drawnTests returns the test rows of the first replicates that a run draws.
func drawnTests(t *testing.T, s *study.Study, replicates int) (tests []string) {
	t.Helper()
	for replicate := 1; replicate <= replicates; replicate++ {
		d, err := trial.NewDraw(s.Cells[0], s.Seed, replicate)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, fmt.Sprint(d.Test.X.RawMatrix().Data))
	}
	return tests
}

// distinctOf returns the number of different elements, and the number of elements before the first
// one that equals an earlier one.
func distinctOf(list []string) (distinct, before int) {
	seen := map[string]bool{}
	before = len(list)
	for i, item := range list {
		if seen[item] {
			before = min(before, i)
		}
		seen[item] = true
	}
	return len(seen), before
}

// A study is refused if a run would draw the same folds of groups twice. If a run draws few distinct
// test sets, a remark counts them.
func TestRepeatsOfGroupsAreDistinct(t *testing.T) {
	const refused, remarked, accepted = "refused", "remarked", "accepted"
	equal := slices.Repeat([]int{5}, 24)
	for _, c := range []struct {
		sizes          []int
		split          string // without the number of replicates
		folds, repeats int
		outcome        string
	}{
		{[]int{40, 30, 20, 12, 9}, "folds: 4", 4, 20, refused}, // all repeats are identical
		{[]int{40, 30, 20, 12, 9}, "folds: 4", 4, 1, accepted},
		{[]int{40, 30, 20, 12, 9}, "folds: 4, train: {n: 20}", 4, 20, remarked}, // other training rows
		{[]int{9, 9, 9, 9, 9, 9}, "folds: 3", 3, 100, refused},
		{[]int{50, 9, 9, 9, 9, 9, 9, 9, 9}, "folds: 4", 4, 3, remarked}, // one group is always a fold
		{[]int{9, 9, 9, 9}, "holdout: 0.25", 1, 60, remarked},
		{[]int{40, 30, 20, 12, 9}, "folds: 4, subsample: 60", 4, 20, accepted},
		{equal, "folds: 5", 5, 4, accepted},
		{equal, "holdout: 0.25", 1, 20, accepted},
	} {
		name := fmt.Sprint(c.sizes, c.split, c.repeats)
		header := fmt.Sprintf("study: s\nseed: 3\nclassifiers: [centroid]\ndata: {csv: %s, groups: g, %s}\n",
			groupedFile(t, c.sizes...), c.split)
		tests := drawnTests(t, toys.Load(t, header+fmt.Sprintf("replicates: %d\n", c.folds)), c.folds*c.repeats)
		var repeats []string
		for folds := range slices.Chunk(tests, c.folds) {
			repeats = append(repeats, fmt.Sprint(slices.Sorted(slices.Values(folds))))
		}
		splits, before := distinctOf(repeats)
		testSets, _ := distinctOf(tests)

		text := header + fmt.Sprintf("replicates: %d\n", len(tests))
		s, err := parse(text)
		if c.outcome == refused {
			want := fmt.Sprintf("replicates: %s: repeat %d divides the %d groups into the same folds as an earlier "+
				"repeat (distinct splits in %d repeats: %d); give `replicates: %d`",
				pathIn(text), before+1, len(c.sizes), c.repeats, splits, before*c.folds)
			errtest.Case(t, name).Contains(err, want)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := fmt.Sprintf("%d replicates have only %d distinct test sets", len(tests), testSets)
		remarks := strings.Join(s.DataRemarks(), "\n")
		if c.outcome == remarked && !strings.Contains(remarks, want) || c.outcome == accepted && remarks != "" {
			t.Errorf("%s: %q, want %s with %q", name, remarks, c.outcome, want)
		}
		if again := reparse(t, text, storedCells(s)).DataRemarks(); strings.Join(again, "\n") != remarks {
			t.Errorf("%s: with stored results: %q, want %q", name, again, remarks)
		}
	}
}

// pathIn returns the path of the CSV file in the text of a study.
func pathIn(text string) string {
	_, path, _ := strings.Cut(text, "csv: ")
	path, _, _ = strings.Cut(path, ",")
	return path
}

// The error on equal repeats names the key that requests them.
func TestEqualRepeatsNameTheirKey(t *testing.T) {
	for _, c := range []struct{ data, replicates, want string }{
		{"groups: g, folds: 3, repeats: 2", "", "data.repeats: each of the 3 groups forms one fold, so all repeats " +
			"are identical; give `repeats: 1`"},
		{"groups: g, folds: 3", "6", "replicates: each of the 3 groups forms one fold, so all repeats are " +
			"identical; give `replicates: 3`"},
		{"keep: [x], folds: 27, repeats: 2", "", "data.repeats: each of the 27 rows forms one fold"},
		{"keep: [x], folds: 27", "54", "replicates: each of the 27 rows forms one fold"},
		{"keep: [x], folds: 27, repeats: 2, train: {n: 20}", "", ""}, // the repeats have other training rows
		{"groups: g, folds: 2, repeats: 9", "", "give `repeats: "},
	} {
		text := fmt.Sprintf("study: s\nseed: 3\nclassifiers: [centroid]\ndata: {csv: %s, %s}\n",
			groupedFile(t, 9, 9, 9), c.data)
		if c.replicates != "" {
			text += "replicates: " + c.replicates + "\n"
		}
		_, err := parse(text)
		errtest.Case(t, c.data+", "+c.replicates+" replicates").Match(err, c.want)
	}
}
