package study_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// Aliases in conditions are replaced by their values, wherever a condition may occur.
func TestAliasesInConditions(t *testing.T) {
	const text = `study: s
seed: 1
replicates: 1
design:
  n: [&small 20, &large 40]
  family: {near: {name: toy, d: $d}, far: {name: toy, d: 9}}
nested:
  - {under: {family: near, n: *small}, design: {d: [1, 2]}}
  - {under: {family: near, n: [*large]}, design: {d: [3]}}
exclude:
  - {n: *large, family: far}
data: {generator: $family, train: {n: $n}, test: {n: 20}}
classifiers: [coin, {classifier: centroid, only: {n: [*small]}}]
`
	s := toys.Load(t, text)
	want := []string{"n=20, family=near, d=1", "n=20, family=near, d=2", "n=20, family=far", "n=40, family=near, d=3"}
	if got := describeAll(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if a, b := len(s.Cells[0].Classifiers), len(s.Cells[3].Classifiers); a != 2 || b != 1 {
		t.Errorf("%d classifiers of 20 rows, %d of 40", a, b)
	}
	// --set removes a level that an alias names
	if got := describeAll(toys.Load(t, text, "design.n=20")); !slices.Equal(got, want[:3]) {
		t.Errorf("%q, want %q", got, want[:3])
	}
}

// A condition has two equivalent forms.
func TestConditionsAsLists(t *testing.T) {
	mapping := strings.Replace(toys.Study, "data:", "exclude: [{n: 20, balance: imbalanced}]\ndata:", 1)
	list := strings.Replace(toys.Study, "data:", "exclude: [[n=20, balance=imbalanced]]\ndata:", 1)
	a, b := describeAll(toys.Load(t, mapping)), describeAll(toys.Load(t, list))
	if len(a) != 3 || !slices.Equal(a, b) {
		t.Errorf("%q and %q", a, b)
	}
	for condition, want := range map[string]string{
		"[n=30]":         `exclude[0]: unknown level "30"`,
		"[m=20]":         `exclude[0]: unknown factor "m"; choose one of: n`,
		"[n]":            "exclude[0]: want `factor=level`, got the text \"n\"",
		"{n: [[1]]}":     "exclude[0].n[0]: want a string, got a list",
		"{n: []}":        "exclude[0].n: is an empty list; give at least one item",
		"{}":             "exclude[0]: names no factor",
		"n":              "exclude[0]: want factors with their levels",
		"{n: 20, n: 40}": "exclude[0].n: given twice",
	} {
		text := strings.Replace(toys.Study, "data:", "exclude: ["+condition+"]\ndata:", 1)
		_, err := parse(text)
		errtest.Case(t, condition).Contains(err, want)
	}
}

// The order of the items under exclude does not matter, also if one item includes another. An item that matches no
// combination of the design is a mistake.
func TestExcludeInAnyOrder(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\ndesign: {n: [20, 40]}\nnested:\n" +
		"  - {under: {n: 20}, design: {d: [2, 3]}}\n  - {under: {n: 40}, design: {d: [4]}}\nexclude: [ITEMS]\n" +
		"data: {generator: {name: toy, d: $d}, train: {n: $n}, test: {n: 20}}\nclassifiers: [centroid]\n"
	for _, items := range []string{"{n: 20, d: 3}, {n: 20}", "{n: 20}, {n: 20, d: 3}"} {
		if got := describeAll(toys.Load(t, strings.Replace(text, "ITEMS", items, 1))); len(got) != 1 {
			t.Errorf("%s: cells %q, want only n=40", items, got)
		}
	}
	_, err := parse(strings.Replace(text, "ITEMS", "{n: 40, d: 3}", 1))
	errtest.Case(t, "an item that matches nothing").Contains(err, "exclude[0]: excludes no cell")
}

// A level that refers to itself is an error.
func TestReferencesEnd(t *testing.T) {
	for _, data := range []string{"$a", "{generator: {name: toy, d: $a}, train: {n: 9}, test: {n: 9}}"} {
		text := "study: s\nseed: 1\nreplicates: 1\ndesign: {a: {x: $b, y: $a}, b: {z: " +
			"$a}}\ndata: " + data + "\nclassifiers: [coin]\n"
		_, err := parse(text)
		errtest.Case(t, data).Contains(err, "refers to itself")
	}
}

// The data sets of a study are those of its data, with or without factors, on this machine or not. A
// parameter named set of a program is not a data set.
func TestSetsOf(t *testing.T) {
	const sets = "design: {a: {first: {set: [iris, glass], test: {set: wine}}, second: {set: one, folds: 3}}}\ndata: $a"
	for data, want := range map[string][]string{
		"data: {set: iris, folds: 5}": {"iris"},
		"design: {b: {x: {set: heart}, y: {set: two}}}\ndata: {set: [one, $b.set], test: {set: wine}}": {"heart", "one",
			"two", "wine"},
		sets:                            {"glass", "iris", "one", "wine"},
		"data: {set: 'openml:task/59'}": {"openml:task/59"},
		"data: {set: one, folds: {column: fold}}":                                      {"one"},
		"data: {generator: {name: toy}, train: {n: 20}, test: {n: 20}}\nreplicates: 1": nil,
	} {
		text := "study: s\nseed: 1\nclassifiers: [nb]\n" + data + "\n"
		file := filepath.Join(t.TempDir(), "s.yaml")
		filetest.Write(t, file, text)
		if got, err := study.SetsOf(file); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", data, got, err, want)
		}
	}
	if _, err := study.SetsOf("nowhere.yaml"); err == nil {
		t.Error("a file that is not there was read")
	}
}

// A classifier without a $factor is decoded once: its mistakes are reported once, and all
// cells have the same one.
func TestClassifiersAreDecodedOnce(t *testing.T) {
	s := toys.Load(t, toys.Study)
	if first, last := s.Cells[0].Classifiers[0], s.Cells[3].Classifiers[0]; first.Classifier != last.Classifier {
		t.Error("cells have copies of a classifier that does not vary")
	}
	s = toys.Load(t, strings.Replace(toys.Study, "[centroid,", "[{classifier: centroid, axis: $n},", 1))
	if first, last := s.Cells[0].Classifiers[0].Spec, s.Cells[3].Classifiers[0].Spec; first == last {
		t.Errorf("%s in cells of other levels", first)
	}
	bad := strings.Replace(toys.Study, "[centroid,", "[{classifier: centroid, axis: -1},", 1)
	_, err := parse(bad)
	if err == nil || strings.Count(err.Error(), "s.yaml:") != 1 {
		t.Errorf("one mistake: %v", err)
	}
}

// An entry needs the levels of its references only in the cells in which it runs. An unknown factor is a single error.
func TestReferencesWhereAnEntryRuns(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\ndesign: {n: [20, 40]}\n" +
		"nested: [{under: {n: 20}, design: {axis: [0, 1]}}]\n" +
		"data: {generator: {name: toy, d: 5}, train: {n: $n}, test: {n: 20}}\n" +
		"classifiers: [coin, {classifier: centroid, axis: $axis, only: {n: 20}}]\n"
	s := toys.Load(t, text)
	if a, b := len(s.Cells[1].Classifiers), len(s.Cells[2].Classifiers); a != 2 || b != 1 {
		t.Errorf("%d classifiers of 20 rows, %d of 40", a, b)
	}
	for old, mistake := range map[string][2]string{
		"{n: 20}}]\n": {"{n: 30}}]\n", `only.n: unknown level "30"`},
		"axis: $axis": {"axis: $nope", `axis: this cell has no factor "nope"`},
	} {
		_, err := parse(strings.Replace(text, old, mistake[0], 1))
		if err == nil || !strings.Contains(err.Error(), mistake[1]) || strings.Count(err.Error(), "s.yaml:") != 1 {
			t.Errorf("%s: %v", mistake[0], err)
		}
	}
}

// The oracle of a generator in another language needs complete test rows, too.
func TestOracleOfAProgram(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\nclassifiers: [oracle]\n" +
		"data: {generator: {name: external, density: true, command: [draw]}, train: {n: 9}, test: {n: 9}%s}\n"
	if _, err := parse(fmt.Sprintf(text, "")); err != nil {
		t.Error(err)
	}
	for missing, want := range map[string]string{
		", missing: {mcar: 0.1, where: test}":  "classifiers.oracle: the oracle needs complete test rows",
		", missing: {mcar: 0.1, where: train}": "",
	} {
		_, err := parse(fmt.Sprintf(text, missing))
		errtest.Case(t, missing).Match(err, want)
	}
}
