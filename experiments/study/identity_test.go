package study_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/toys"
	"copse/stats/recipe"
)

// Sections "data" to which changesOfData adds a key. toys.RowsStudy replaces FILE and OTHER with files
// that have the same rows.
const (
	drawn   = "generator: toy, test: {n: 30}, train: "
	tested  = "generator: toy, train: {n: 20}, test: "
	sampled = "generator: toy, folds: 5, sample: "
	folds   = "csv: FILE, folds: 5"
	split   = "csv: FILE, "
	marFrom = folds + ", missing: {mar: 0.2, on: row}"
	iris    = "csv: ../data/small/iris.csv, "
)

// changesOfData contains, for each key of the section "data", a section without and with a change to this key.
var changesOfData = map[string][2]string{
	"generator":       {tested + "{n: 30}", "generator: {name: toy, shift: 2}, train: {n: 20}, test: {n: 30}"},
	"train.n":         {drawn + "{n: 20}", drawn + "{n: 22}"},
	"train.majority":  {drawn + "{n: 20}", drawn + "{n: 20, majority: 0.7}"},
	"train.counts":    {drawn + "{n: 20}", drawn + "{counts: [8, 12]}"},
	"test.n":          {tested + "{n: 30}", tested + "{n: 32}"},
	"test.majority":   {tested + "{n: 30}", tested + "{n: 30, majority: 0.7}"},
	"test.counts":     {tested + "{n: 30}", tested + "{counts: [8, 22]}"},
	"test.csv":        {split + "test: {csv: OTHER}", split + "test: {csv: [OTHER, OTHER]}"},
	"test.set":        {iris + "test: {set: iris}", iris + "test: {set: [iris, iris]}"},
	"sample.n":        {sampled + "{n: 40}", sampled + "{n: 50}"},
	"sample.majority": {sampled + "{n: 40}", sampled + "{n: 40, majority: 0.7}"},
	"sample.counts":   {sampled + "{n: 40}", sampled + "{counts: [10, 30]}"},
	"csv":             {folds, iris + "folds: 5"},
	"set":             {"set: iris, folds: 5", "set: vertebral_2c, folds: 5"},
	"class":           {folds, folds + ", class: site"},
	"keep":            {folds, folds + ", keep: [row]"},
	"drop":            {folds, folds + ", drop: [row]"},
	"discrete":        {folds, folds + ", discrete: [row]"},
	"numeric":         {folds, folds + ", numeric: [row]"},
	"missing_marks":   {folds, folds + ", missing_marks: [red]"},
	"rows":            {folds, folds + ", rows: [row >= 5]"},
	"merge":           {folds, folds + ", merge: {low: [0, 1], high: [2, 3]}"},
	"drop_missing":    {folds, folds + ", drop_missing: true"},
	"missing_level":   {folds, folds + ", missing_level: true"},
	"folds.count":     {folds, "csv: FILE, folds: 3"},
	"folds.column":    {"csv: FILE, folds: 3, repeats: 5", "csv: FILE, folds: {column: part}"},
	"repeats":         {folds, folds + ", repeats: 3"},
	"holdout":         {split + "holdout: 0.2", split + "holdout: 0.3"},
	"split":           {split + "holdout: 0.2", split + "split: part"},
	"groups":          {folds, folds + ", groups: site"},
	"random":          {folds, folds + ", random: true"},
	"subsample":       {folds, folds + ", subsample: 50"},
	"scored":          {folds, folds + ", scored: training"},
	"missing.per_row": {folds, folds + ", missing: {per_row: 0.5}"},
	"missing.mcar":    {folds, folds + ", missing: {mcar: 0.2}"},
	"missing.mar":     {marFrom, folds + ", missing: {mar: 0.3, on: row}"},
	"missing.on":      {marFrom, folds + ", missing: {mar: 0.2, on: colour}"},
	"missing.where":   {marFrom, folds + ", missing: {mar: 0.2, on: row, where: test}"},
	"irrelevant":      {tested + "{n: 30}", tested + "{n: 30}, irrelevant: 3"},
	"flip":            {folds, folds + ", flip: 0.1"},
}

// notInIdentity lists the keys of data that need not enter Cell.Key, each with the reason.
var notInIdentity = map[string]string{
	"repeats": "only the number of replicates depends on it: the data of each replicate stay the same",
}

// If a key changes the data, it changes Cell.Key, because stored results of a cell with the same key are reported
// without being computed again.
func TestKeysOfDataAreInTheIdentity(t *testing.T) {
	for _, key := range parameterPaths("", reflect.TypeFor[study.Data]()) {
		change, ok := changesOfData[key]
		if !ok {
			t.Errorf("changesOfData has no entry for data.%s", key)
			continue
		}
		before, after := cellWithData(t, change[0]).Key, cellWithData(t, change[1]).Key
		if reason := notInIdentity[key]; (before == after) != (reason != "") {
			t.Errorf("data.%s: the keys of the cells are %s and %s, exception %q: see identity.go",
				key, before, after, reason)
		}
	}
}

// notInWords lists the keys of data that words.go need not describe. The protocol shows their values elsewhere.
var notInWords = []string{"generator", "train", "test", "sample", "csv", "set", "repeats"}

// If a key describes the data, the words of the protocol depend on it.
func TestKeysOfDataAreInWords(t *testing.T) {
	words := func(section string) string {
		d := cellWithData(t, section).Data
		return strings.Join(append(d.NoiseInWords(), d.SplitInWords(), d.SelectionInWords()), "\n")
	}
	for key, change := range changesOfData {
		section, _, _ := strings.Cut(key, ".")
		if !slices.Contains(notInWords, section) && words(change[0]) == words(change[1]) {
			t.Errorf("data.%s: words.go does not describe this key", key)
		}
	}
}

// cellWithData returns the cell of a study with the given section "data".
func cellWithData(t *testing.T, section string) *study.Cell {
	t.Helper()
	text := toys.RowsStudy(t, section)
	if strings.Contains(section, "column:") { // the folds of a column determine the number of replicates
		text = strings.Replace(text, "replicates: 15\n", "", 1)
	}
	return toys.Load(t, text).Cells[0]
}

// parameterPaths returns the paths of the parameters of a struct type. The parameters of a nested struct have paths
// such as train.n.
func parameterPaths(prefix string, structure reflect.Type) (paths []string) {
	for _, f := range recipe.Fields(structure) {
		path := prefix + f.Tag.Get("param")
		if f.Type.Kind() == reflect.Struct && len(recipe.Fields(f.Type)) > 0 {
			paths = append(paths, parameterPaths(path+".", f.Type)...)
		} else {
			paths = append(paths, path)
		}
	}
	return paths
}
