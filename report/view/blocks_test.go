package view

import (
	"slices"
	"testing"

	"copse/stats/records"
)

// ofProblems returns a view of cells with the given levels of family, d and n, one row of levels per cell.
// Their problems are the families.
func ofProblems(levels [][]string) *View {
	names := []string{"family", "d", "n"}
	rows := &records.Records{Classifiers: []string{"slb"}}
	for _, name := range names {
		rows.Factors = append(rows.Factors, records.Factor{Name: name})
	}
	study := Study{Problems: map[string]string{}}
	for _, l := range levels {
		r := records.Record{Cell: l[0] + l[1] + l[2], Classifier: "slb", Replicate: 1, Status: records.OK,
			Levels: records.Align(names, l)}
		rows.Rows = append(rows.Rows, r)
		study.Problems[r.Cell] = l[0]
		for k := range names {
			if !slices.Contains(rows.Factors[k].Levels, l[k]) {
				rows.Factors[k].Levels = append(rows.Factors[k].Levels, l[k])
			}
		}
	}
	return New(study, rows, DefaultInference())
}

// A block contains the cells with the same generator or data set, also if other levels of the same factor have
// another generator. If all cells have the same one, there are no independent blocks.
func TestBlocks(t *testing.T) {
	const byProblem = "generator"
	for name, c := range map[string]struct {
		levels [][]string
		key    string
		blocks int
	}{
		"crossed": {[][]string{{"f", "5", "1"}, {"f", "5", "2"}, {"p", "5", "1"}, {"p", "5", "2"}}, byProblem, 2},
		"nested":  {[][]string{{"f", "5", "1"}, {"f", "9", "1"}, {"p", "", "1"}, {"p", "", "2"}}, byProblem, 2},
		"inline":  {[][]string{{"f", "3", "1"}, {"f", "5", "1"}, {"f", "9", "1"}, {"p", "11", "1"}}, byProblem, 2},
		"one":     {[][]string{{"f", "5", "1"}, {"f", "9", "1"}, {"f", "9", "2"}}, "", 3},
	} {
		v := ofProblems(c.levels)
		if got := v.BlockKey(v.Cells); got != c.key {
			t.Errorf("%s: %q, want %q", name, got, c.key)
		}
		if got := v.groupIntoBlocks(v.Cells); len(got) != c.blocks {
			t.Errorf("%s: %d blocks, want %d", name, len(got), c.blocks)
		}
		v.Inference.Blocks = []string{"n", "d"}
		if got := v.BlockKey(v.Cells); got != "n and d" {
			t.Errorf("%s: %q, the inference names n and d", name, got)
		}
	}
}
