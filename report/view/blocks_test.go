package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
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

// No two blocks share data, in whatever order the cells come. If shared data connect all problems, no blocks are
// independent.
func TestBlocksShareNoData(t *testing.T) {
	for name, c := range map[string]struct {
		families, sources string // of the cells, a letter each
		key               string
		blocks            string // a letter for the block of each cell
	}{
		"other names of a file": {"fgp", "aab", "data set", "aab"},
		"a later link":          {"fgfp", "abbc", "data set", "aaab"},
		"one file":              {"fgp", "aaa", "", "aaa"},
		"a chain":               {"ffgg", "abbc", "", "abbc"},
	} {
		var levels [][]string
		for i, family := range strings.Split(c.families, "") {
			levels = append(levels, []string{family, "", fmt.Sprint(i)})
		}
		v := ofProblems(levels)
		v.Sampling = map[string]Sampling{}
		for i, cell := range v.Cells {
			v.Sampling[cell.ID] = Sampling{OneDataSet: true, Source: c.sources[i : i+1]}
		}
		if got := v.BlockKey(v.Cells); got != c.key {
			t.Errorf("%s: %q, want %q", name, got, c.key)
		}
		blocks := map[string]string{} // by cell
		for b, block := range v.groupIntoBlocks(v.Cells) {
			for _, cell := range block.Cells {
				blocks[cell.ID] = string(rune('a' + b))
			}
		}
		got := ""
		for _, cell := range v.Cells {
			got += blocks[cell.ID]
		}
		if got != c.blocks {
			t.Errorf("%s: blocks %s, want %s", name, got, c.blocks)
		}
	}
}

// rankedStudy returns a view of two easy and two hard cells, one of each for every generator. Classifier small
// runs only in the cells that are named.
func rankedStudy(smallRunsIn ...string) *View {
	rows := &records.Records{Factors: []records.Factor{{Name: "src", Levels: []string{"f-easy", "f-hard", "b-easy",
		"b-hard"}}}, Classifiers: []string{"all", "small"}}
	study := Study{Problems: map[string]string{}}
	for _, cell := range rows.Factors[0].Levels {
		study.Problems[cell] = cell[:1]
		loss := 0.1
		if strings.HasSuffix(cell, "hard") {
			loss = 0.4
		}
		for replicate := 1; replicate <= 2; replicate++ {
			for _, id := range rows.Classifiers {
				if id == "all" || slices.Contains(smallRunsIn, cell) {
					rows.Rows = append(rows.Rows, records.Record{Cell: cell, Classifier: id, Replicate: replicate,
						Status: records.OK, Error: loss, Data: fmt.Sprint(cell, replicate),
						Levels: records.Align([]string{"src"}, []string{cell})})
				}
			}
		}
	}
	return New(study, rows, DefaultInference())
}

// Ranks use only cells in which all classifiers ran. A classifier that ran only in the easy cells of a block has no
// advantage over an equal one that ran in all of them.
func TestRanksUseSharedCells(t *testing.T) {
	m := measure(t, "error", "fraction")
	ids := []string{"all", "small"}
	v := rankedStudy("f-easy", "b-easy")
	v.Random = func(string) *rand.Rand { return randtest.New(1) }
	losses, leftOut, unshared := v.BlockLosses(v.Cells, &m, ids)
	if len(losses) != 2 || leftOut != nil || !slices.Equal(unshared, []string{"f-hard", "b-hard"}) {
		t.Fatalf("%d blocks, left out: %q and %q", len(losses), leftOut, unshared)
	}
	for _, block := range losses {
		if block[0] != block[1] {
			t.Errorf("equal classifiers have the losses %v", block)
		}
	}
	shares, err := v.FirstOverBlocks(v.Cells, &m, ids)
	if err != nil || shares[0] != shares[1] {
		t.Errorf("equal classifiers are first in %v of the resamples, error %v", shares, err)
	}
	v = rankedStudy("f-hard")
	v.Cells[1] = v.Cells[1].With(slices.DeleteFunc(slices.Clone(v.Cells[1].Rows), func(r records.Record) bool {
		return r.Classifier == "all"
	}))
	_, leftOut, _ = v.BlockLosses(v.Cells, &m, ids)
	want := []string{"f (the classifiers ran in different cells)", "b (small did not run)"}
	if !slices.Equal(leftOut, want) {
		t.Errorf("left out: %q, want %q", leftOut, want)
	}
}

// The losses of a block are means over cells on the same fold, even if different folds failed in its cells.
func TestBlocksAverageTheSameFolds(t *testing.T) {
	rows := twoSettings(4)
	for i := range rows.Rows {
		r := &rows.Rows[i]
		failed := r.Cell == "ca" && r.Replicate == 1 || r.Cell == "cb" && r.Replicate == 2
		if failed && r.Classifier == "slb" {
			r.Status = records.Failed
		}
	}
	folds := Sampling{Folds: 4, OneDataSet: true, Source: "set"}
	v := New(Study{Sampling: map[string]Sampling{"ca": folds, "cb": folds}}, rows, noneAside())
	m := measure(t, "error", "fraction")
	got, err := v.replicateLosses(&Group{Cells: v.Cells}, &m, rows.Classifiers)
	// Folds 3 and 4: slb has the errors 0.13 and 0.17, then 0.14 and 0.18; nb has equal errors in both cells.
	want := [][]float64{{0.15, 0.23}, {0.16, 0.24}}
	if err != nil || fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", want) {
		t.Errorf("%.3f, want %.3f, error %v", got, want, err)
	}
}
