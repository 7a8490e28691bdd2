package figure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
	"copse/stats/records"
)

// familyStudy returns the records of eight generators with four sizes each, in which three classifiers are
// equal over all generators and differ by chance in each of them.
func familyStudy(random *rand.Rand) (view.Study, *records.Records) {
	study := view.Study{Problems: map[string]string{}}
	rows := &records.Records{Classifiers: []string{"a", "b", "c"},
		Factors: []records.Factor{{Name: "family"}, {Name: "n", Levels: []string{"1", "2", "3", "4"}}}}
	for family := range 8 {
		name := fmt.Sprint("g", family)
		rows.Factors[0].Levels = append(rows.Factors[0].Levels, name)
		effects := []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		for _, n := range rows.Factors[1].Levels {
			cell := name + "-" + n
			study.Problems[cell] = name
			for k, id := range rows.Classifiers {
				rows.Rows = append(rows.Rows, records.Record{
					Cell: cell, Replicate: 1, Classifier: id, Status: records.OK,
					NTest: 1000, Levels: records.Align([]string{"family", "n"}, []string{name, n}), Data: cell,
					Error: 0.3 + 0.02*effects[k] + 0.005*random.NormFloat64(),
				})
			}
		}
	}
	return study, rows
}

// Tests over generators respect their level if classifiers suit some generators better than others. Tests
// over cells, as for a study with unknown generators, reject far more often.
func TestRankTestsHoldTheirLevel(t *testing.T) {
	const studies = 300
	random := rand.New(rand.NewPCG(1, 2))
	measure := errorIn("fraction")
	rejected := map[string]int{}
	for range studies {
		study, rows := familyStudy(random)
		for blocks, factors := range map[string][]string{"default": nil, "cells": {"family", "n"}} {
			inference := view.PapersInference()
			inference.Blocks = factors
			v := view.New(study, rows, inference)
			d := rankChart{request: &request{View: v, measure: &measure}, ids: rows.Classifiers}
			g := view.Group{Cells: v.Cells}
			panel, err := d.newPanel(&g)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[string]int{"default": 8, "cells": 32}[blocks]; panel.blockCount != want {
				t.Fatalf("%s: %d blocks, want %d", blocks, panel.blockCount, want)
			}
			if len(panel.cliques) != 1 || len(panel.cliques[0]) != 3 {
				rejected[blocks]++
			}
		}
	}
	// 0.05 and three standard errors
	if share := float64(rejected["default"]) / studies; share > 0.05+3*0.0126 {
		t.Errorf("over generators %v of the tests reject", share)
	}
	if share := float64(rejected["cells"]) / studies; share < 0.3 {
		t.Errorf("over cells %v of the tests reject: this study does not tell blocks apart", share)
	}
}

// Without a factor that changes the generator, a table of ranks replaces the diagram and states the reason.
// It contains no test.
func TestRanksWithoutBlocks(t *testing.T) {
	study, rows := fixture.Sample(12)
	for cell := range study.Problems {
		study.Problems[cell] = "forest"
	}
	v := fixture.PapersView(study, rows)
	o := Defaults()
	o.Kind = "cd"
	pictures := pagesOf(t, v, o)
	words := fixture.Texts(t, pictures[0])
	if !slices.Contains(words, "average rank") || strings.Contains(strings.Join(words, " "), "Friedman") {
		t.Errorf("%q", words)
	}
	caption := pictures[0].Caption
	texttest.Contains(t, caption, "The ranks are not tested, because", "over 6 cells")
	texttest.Lacks(t, caption, "Wilcoxon")
	if _, families, err := DrawAndName(v, o, "ranks"); len(families) > 0 || err != nil {
		t.Errorf("%+v, %v", families, err)
	}
}

// The caption names the tests of ranks that the diagram shows.
func TestRanksNameTheirTests(t *testing.T) {
	study, rows := fixture.Sample(12)
	nemenyi := func(o *Options) { o.Kind, o.Cliques = "cd", "nemenyi" }
	texttest.Contains(t, captionOf(t, study, rows, nemenyi), "the critical difference CD of Nemenyi's test",
		"Friedman p: Friedman's chi-square test of equal ranks, corrected for ties.")
}

// The caption states each number of blocks once, and the names of factors keep their case.
func TestRanksOfSeveralPanels(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range 12 {
		fixture.Fail(rows, "c00", "slb", r+1, "no") // at n = 200
	}
	caption := captionOf(t, study, rows, func(o *Options) { o.Kind, o.Panel = "cd", []string{"n"} })
	texttest.Contains(t, caption, "over 1 block or 2 blocks of the design per panel;", " n = 200: 1 block is left out")
}

// The caption names the classifiers that are not ranked because of failed fits, and counts the omitted blocks
// as the heading does.
func TestRanksNameWhatIsMissing(t *testing.T) {
	study, rows := fixture.Sample(12)
	for r := range 12 {
		fixture.Fail(rows, "c00", "slb", r+1, "no")
		fixture.Fail(rows, "c11", "slb", r+1, "no")
		fixture.Fail(rows, "c02", "nb", r+1, "no")
	}
	picture := figures(t, study, rows, func(o *Options) { o.Kind = "cd" })[0]
	texttest.Contains(t, picture.Caption, "over 5 blocks of the design;",
		"1 block is left out, since a result is missing",
		"Not ranked, because their failed or undefined results would remove more than a fifth of the blocks: SLB.")
	words := strings.Join(fixture.Texts(t, picture), " ")
	texttest.Contains(t, words, "5 blocks", "(1 left out)")
}
