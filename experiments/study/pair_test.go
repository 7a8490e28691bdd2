package study_test

import (
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/toys"
)

const pairText = "study: s\nseed: 1\nreplicates: 2\npair: [n]\ndesign: {n: [20, 40], shift: [1, 2]}\n" +
	"data: {generator: {name: toy, shift: $shift}, train: {n: $n}, test: {n: 20}}\nclassifiers: [centroid]\n"

// Paired cells have the same source and different identities. Another size changes neither.
func TestPairedCellsHaveOneSource(t *testing.T) {
	cells := func(text string) map[string]*study.Cell {
		byLevels := map[string]*study.Cell{}
		for _, c := range toys.Load(t, text).Cells {
			byLevels[c.Levels.Of("n")+" "+c.Levels.Of("shift")] = c
		}
		return byLevels
	}
	pairs := cells(pairText)
	if pairs["20 1"].Source != pairs["40 1"].Source || pairs["20 1"].Source == pairs["20 2"].Source {
		t.Error("cells that differ in n alone have other sources, or others have the same")
	}
	if pairs["20 1"].ID == pairs["40 1"].ID || pairs["20 1"].Key == pairs["40 1"].Key {
		t.Error("paired cells have one identity")
	}
	more := cells(strings.Replace(pairText, "[20, 40]", "[10, 20, 40]", 1))
	if more["40 1"].ID != pairs["40 1"].ID || more["40 1"].SplitKey != pairs["40 1"].SplitKey {
		t.Error("another size changes the other cells")
	}
	alone := cells(strings.Replace(pairText, "pair: [n]\n", "", 1))
	if alone["20 1"].ID == pairs["20 1"].ID || alone["20 1"].Source == alone["40 1"].Source {
		t.Error("without pair the cells are the same or share a source")
	}
}

// Cells with different training sizes share draws only if a paired factor varies the size, directly or through
// the level of another factor.
func TestPairSharesOnlyAcrossPairedFactors(t *testing.T) {
	direct := strings.Replace(pairText, "train:", "flip: $noise, train:", 1)
	direct = strings.Replace(direct, "design: {", "design: {noise: [0, 0.1], ", 1)
	indirect := strings.Replace(direct, "design: {", "design: {size: {same: {rows: $n}}, ", 1)
	indirect = strings.Replace(indirect, "{n: $n}", "{n: $size.rows}", 1)
	for _, text := range []string{direct, indirect} {
		for paired, want := range map[string]bool{"noise": false, "n": true, "n, noise": true} {
			sources := map[string]string{} // by n
			for _, c := range toys.Load(t, strings.Replace(text, "pair: [n]", "pair: ["+paired+"]", 1)).Cells {
				if c.Levels.Of("noise") == "0" && c.Levels.Of("shift") == "1" {
					sources[c.Levels.Of("n")] = c.Source
				}
			}
			if shared := sources["20"] == sources["40"]; len(sources) != 2 || shared != want {
				t.Errorf("pair: [%s]: sizes share draws: %v", paired, shared)
			}
		}
	}
}

// If the whole section data is a level of a paired factor, the factor varies the size, and a new level does not
// change existing cells.
func TestPairOfWholeData(t *testing.T) {
	keys := func(levels string) map[string]string {
		byLevel := map[string]string{}
		for _, c := range toys.Load(t, "study: s\nseed: 1\nreplicates: 2\npair: [setup]\ndesign:\n  setup:\n"+levels+
			"data: $setup\nclassifiers: [nb]\n").Cells {
			byLevel[c.Levels.Of("setup")] = c.SplitKey
		}
		return byLevel
	}
	level := func(name, n string) string {
		return "    " + name + ": {generator: {name: forest, d: 3}, train: {n: " + n + "}, test: {n: 50}}\n"
	}
	two := keys(level("mid", "40") + level("big", "80"))
	three := keys(level("small", "20") + level("mid", "40") + level("big", "80"))
	if two["mid"] != two["big"] || two["mid"] != three["mid"] {
		t.Errorf("two levels %q, three levels %q", two, three)
	}
}

func TestPairRefuses(t *testing.T) {
	for change, want := range map[string]string{
		"pair: [m]":                       `s.yaml:4:8: pair[0]: the study has no factor "m"; choose one of: n`,
		"pair: [n, n]":                    "s.yaml:4:11: pair[1]: n is listed twice",
		"pair: n":                         "s.yaml:4:7: pair: want a list such as `[n]`, got the text \"n\"",
		"pair: [n]\nexclude: [{n: [30]}]": `unknown level "30"`,
	} {
		text := strings.Replace(pairText, "pair: [n]", change, 1)
		_, err := parse(text)
		errtest.Case(t, change).Contains(err, want)
	}
	normalised := strings.Replace(pairText, "toy, shift:", "polybeta, normalise: sample, p_max:", 1)
	want := "s.yaml:6:47: data.generator.normalise: `sample` cannot be combined with `pair`"
	_, err := parse(normalised)
	errtest.Case(t, "normalise: sample").Contains(err, want)
	text := strings.Replace(toys.RowsStudy(t, "csv: FILE, folds: 5, keep: [row], train: {n: $n}"), "replicates: 15\n",
		"replicates: 15\npair: [n]\ndesign: {n: [20, 30]}\n", 1)
	_, err = parse(text)
	errtest.Case(t, "folds of a file").Contains(err, "pair: needs a generator with `train` and `test`:",
		"another key differs, `folds: {column: NAME}` gives them the same")
	// The statements of this message hold.
	for data, isShared := range map[string]bool{
		"train: {n: $x}": true, "missing: {mcar: $x}": true, "drop: $x": false,
	} {
		levels := map[bool]string{true: "[0.2, 0.3]", false: "{one: [part], two: [part, colour]}"}[isShared]
		if strings.HasPrefix(data, "train") {
			levels = "[20, 30]"
		}
		s := toys.Load(t, strings.Replace(toys.RowsStudy(t, "csv: FILE, folds: 5, "+data, "nb"), "replicates: 15\n",
			"replicates: 15\ndesign: {x: "+levels+"}\n", 1))
		if isEqual := s.Cells[0].SplitKey == s.Cells[1].SplitKey; isEqual != isShared {
			t.Errorf("%s: equal splits: %t", data, isEqual)
		}
	}
}
