package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats/records"
	"copse/stats/records/recordstest"
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

// Blocks that a study names must not have the same generator. Blocks of several generators are possible, and so are
// cells of one data set, which form one block.
func TestNamedBlocksHaveDifferentGenerators(t *testing.T) {
	v := ofProblems([][]string{{"f", "5", "1"}, {"f", "5", "2"}, {"g", "5", "1"}, {"p", "9", "1"}})
	v.Inference.Blocks = []string{"d"} // f and g; p
	if err := v.CheckBlocks(); err != nil || len(v.groupIntoBlocks(v.Cells)) != 2 {
		t.Errorf("%d blocks, %v", len(v.groupIntoBlocks(v.Cells)), err)
	}
	v.Inference.Blocks = []string{"family", "n"}
	errtest.Contains(t, v.CheckBlocks(), "inference.blocks: several blocks contain f, so they are not independent "+
		"(f, d = 5, n = 1; f, d = 5, n = 2)")
	v = ofProblems([][]string{{"f", "5", "1"}, {"f", "5", "2"}})
	v.Inference.Blocks = []string{"n"}
	for i := range v.Cells { // paired cells have the same data and would be joined
		v.Cells[i].Rows[0].Data = "same"
	}
	errtest.Contains(t, v.CheckBlocks(), "inference.blocks: several blocks contain f, so they are not independent "+
		"(f, d = 5, n = 1; f, d = 5, n = 2)")
	v = ofProblems([][]string{{"f", "5", "1"}, {"f", "5", "2"}, {"g", "5", "1"}, {"p", "9", "1"}})
	v.Inference.Blocks = []string{"family", "n"}
	v.Sampling = map[string]Sampling{}
	for _, cell := range v.Cells {
		v.Sampling[cell.ID] = Sampling{OneDataSet: true, Source: v.Problems[cell.ID]}
	}
	if err := v.CheckBlocks(); err != nil || len(v.groupIntoBlocks(v.Cells)) != 3 {
		t.Errorf("data sets: %d blocks, %v", len(v.groupIntoBlocks(v.Cells)), err)
	}
	for _, cell := range v.Cells { // disjoint rows of a file
		v.Sampling[cell.ID] = Sampling{OneDataSet: true, Source: cell.ID}
	}
	if err := v.CheckBlocks(); err != nil || len(v.groupIntoBlocks(v.Cells)) != 4 {
		t.Errorf("disjoint rows: %d blocks, %v", len(v.groupIntoBlocks(v.Cells)), err)
	}
}

// No two blocks share data, in whatever order the cells come. If shared data connect all problems, no blocks are
// independent.
func TestBlocksShareNoData(t *testing.T) {
	for name, c := range map[string]struct {
		families, sources string // of the cells, a letter each
		key               string
		blocks            string // a letter for the block of each cell
		joined            bool   // the sentence on blocks states that cells on the same data count as one
	}{
		"other names of a file": {"fgp", "aab", "data set", "aab", true},
		"other data":            {"fgp", "abc", "data set", "abc", false},
		"names alone":           {"fgf", "abc", "data set", "aba", false},
		"a later link":          {"fgfp", "abbc", "data set", "aaab", true},
		"one file":              {"fgp", "aaa", "", "aaa", false},
		"a chain":               {"ffgg", "abbc", "", "abbc", false},
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
		words := v.BlocksSentence(v.Cells, 2)
		if strings.HasSuffix(words, ". Cells on the same data count as one.") != c.joined {
			t.Errorf("%s: %s", name, words)
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
	v.Random = randtest.Same
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
	want := []string{"f (the classifiers ran on different data)", "b (small did not run)"}
	if !slices.Equal(leftOut, want) {
		t.Errorf("left out: %q, want %q", leftOut, want)
	}
}

// The losses of a block are means over cells on the same fold, even if different folds failed in its cells.
func TestBlocksAverageTheSameFolds(t *testing.T) {
	rows := twoSettings(4)
	for r := range recordstest.Each(rows) {
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

// unfinished returns a view of three data sets with eight folds each. For each classifier, it contains the folds that
// ran returns true for.
func unfinished(ran func(cell, fold int, id string) bool, ids ...string) *View {
	rows := &records.Records{Factors: []records.Factor{{Name: "set"}}, Classifiers: ids}
	study := Study{Problems: map[string]string{}, Sampling: map[string]Sampling{}}
	for c := range 3 {
		cell := fmt.Sprint("set", c)
		rows.Factors[0].Levels = append(rows.Factors[0].Levels, cell)
		study.Problems[cell] = cell
		study.Sampling[cell] = Sampling{Folds: 8, OneDataSet: true, Source: cell, TestRatio: 1. / 7}
		for fold := 1; fold <= 8; fold++ {
			for k, id := range ids {
				if ran(c, fold, id) {
					loss := float64((fold*(k+3)+c)%7) / 10 // differs between folds, classifiers and cells
					rows.Rows = append(rows.Rows, records.Record{Cell: cell, Classifier: id, Replicate: fold,
						Status: records.OK, Error: loss, Data: fmt.Sprint(cell, "/", fold),
						Levels: records.Align([]string{"set"}, []string{cell})})
				}
			}
		}
	}
	return New(study, rows, DefaultInference())
}

// A classifier that ran on only some of the folds is not ranked and does not change the ranks of the others.
func TestUnfinishedClassifiersAreNotRanked(t *testing.T) {
	m := measure(t, "error", "fraction")
	everywhere := func(cell, fold int, id string) bool { return true }
	two := unfinished(everywhere, "a", "b")
	want, _, _ := two.BlockLosses(two.Cells, &m, []string{"a", "b"})
	for name, ran := range map[string]func(cell, fold int) bool{
		"a part of each": func(cell, fold int) bool { return fold <= cell+1 },
		"a part of one":  func(cell, fold int) bool { return cell == 0 && fold == 5 },
		"all except one": func(cell, fold int) bool { return cell > 0 || fold != 5 },
	} {
		v := unfinished(func(cell, fold int, id string) bool { return id != "c" || ran(cell, fold) }, "a", "b", "c")
		ranked, unranked, partial := v.SelectRanked(v.Cells, &m, []string{"a", "b", "c"})
		if !slices.Equal(ranked, []string{"a", "b"}) || len(unranked) > 0 || !slices.Equal(partial, []string{"c"}) {
			t.Errorf("%s: ranked %q, unranked %q, partial %q", name, ranked, unranked, partial)
		}
		losses, leftOut, _ := v.BlockLosses(v.Cells, &m, ranked)
		if fmt.Sprint(losses) != fmt.Sprint(want) || leftOut != nil {
			t.Errorf("%s: losses %v, left out %q; without c: %v", name, losses, leftOut, want)
		}
		sentences := v.NotRankedSentences(unranked, partial)
		if !slices.Equal(sentences, []string{"Not ranked, since they were not run on all data: c."}) {
			t.Errorf("%s: %q", name, sentences)
		}
	}
	// The study is equally unfinished for all classifiers, or a classifier does not run in some cells.
	for name, ran := range map[string]func(cell, fold int, id string) bool{
		"half of the folds": func(cell, fold int, id string) bool { return fold <= 4 },
		"only some cells":   func(cell, fold int, id string) bool { return id != "c" || cell > 0 },
	} {
		v := unfinished(ran, "a", "b", "c")
		if ranked, _, _ := v.SelectRanked(v.Cells, &m, []string{"a", "b", "c"}); len(ranked) < 3 {
			t.Errorf("%s: ranked only %q", name, ranked)
		}
	}
}

// If fewer than two classifiers ran on all data, ranks use the folds on which all of them ran.
func TestRanksUseCommonReplicates(t *testing.T) {
	m := measure(t, "error", "fraction")
	isCommon := func(cell, fold int) bool { return fold%3 == cell }
	ids := []string{"a", "b"}
	v := unfinished(func(cell, fold int, id string) bool { return id == "a" || isCommon(cell, fold) }, ids...)
	common := unfinished(func(cell, fold int, _ string) bool { return isCommon(cell, fold) }, ids...)
	ranked, _, partial := v.SelectRanked(v.Cells, &m, ids)
	if len(ranked) < 2 || partial != nil {
		t.Fatalf("ranked %q, partial %q", ranked, partial)
	}
	got, _, _ := v.BlockLosses(v.Cells, &m, ids)
	want, _, _ := common.BlockLosses(common.Cells, &m, ids)
	if len(got) != 3 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("losses %v; of the common folds: %v", got, want)
	}
}

// The results of a classifier on a few folds of a data set are not compared with results of others on all folds.
func TestPoolOmitsUnfinishedDataSets(t *testing.T) {
	v := unfinished(func(cell, fold int, id string) bool { return id != "b" || cell > 0 || fold < 8 }, "a", "b")
	pooled := v.Pool(&Group{Cells: v.Cells})
	tried := func(id string) int { n, _ := pooled.Attempts(id); return n }
	if tried("a") != 3 || tried("b") != 2 {
		t.Errorf("a has %d and b %d of 3 data sets; b has one fold less in one of them", tried("a"), tried("b"))
	}
	if partial := RanOnPart(&pooled, []string{"a", "b"}); !slices.Equal(partial, []string{"b"}) {
		t.Errorf("%q ran on part of the data", partial)
	}
}
