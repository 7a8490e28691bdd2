package trial_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/audit"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// A factor may set classifier parameters: the cells then draw the same data
// and still have identities of their own.
func TestClassifierFactor(t *testing.T) {
	s := toys.Load(t, strings.NewReplacer("classifiers: [centroid", "classifiers: [{classifier: centroid, axis: $axis}",
		"design:", "design:\n  axis: [0, 1, 2]").Replace(toys.Study))
	byKey, ids := map[string]int{}, map[string]bool{}
	for _, c := range s.Cells {
		byKey[c.Key]++
		ids[c.ID] = true
	}
	if len(s.Cells) != 12 || len(ids) != 12 || len(byKey) != 4 {
		t.Errorf("%d cells, %d identities, %d data", len(s.Cells), len(ids), len(byKey))
	}
	a, _ := trial.NewDraw(s.Cells[0], s.Seed, 1)
	b, _ := trial.NewDraw(s.Cells[4], s.Seed, 1)
	if a.Fingerprint != b.Fingerprint {
		t.Error("cells that differ in a classifier's parameter saw different data")
	}
}

// Adding levels, replicates or classifiers does not change the data of the existing cells.
func TestDataAreStable(t *testing.T) {
	fingerprints := func(assignments ...string) map[string]string {
		s := toys.Load(t, toys.Study, assignments...)
		m := map[string]string{}
		for _, c := range s.Cells {
			d, err := trial.NewDraw(c, s.Seed, 2)
			if err != nil {
				t.Fatal(err)
			}
			m[s.Describe(c)] = d.Fingerprint
		}
		return m
	}
	old, extended := fingerprints(), fingerprints("design.n=10,20,30,40", "replicates=99")
	seen := map[string]bool{}
	for cell, f := range old {
		if extended[cell] != f {
			t.Errorf("%s: data changed", cell)
		}
		if seen[f] {
			t.Errorf("%s: data of another cell", cell)
		}
		seen[f] = true
	}
}

// With data.missing, every training row lacks that share of its values, rounded
// down, and no test row lacks any; a share of 0 changes nothing.
func TestMissingValues(t *testing.T) {
	draw := func(assignments ...string) *trial.Draw {
		return drawn(t, toys.Load(t, strings.Replace(toys.Study, "d: 3", "d: 5", 1), assignments...), 1)
	}
	d := draw("data.missing=0.5")
	for i := range d.Train.N() {
		if got := missingIn(d.Train.X.RawRowView(i)); got != 2 {
			t.Errorf("training row %d lacks %d of 5 values, want 2", i, got)
		}
	}
	if got := missingIn(d.Test.X.RawMatrix().Data); got != 0 {
		t.Errorf("the test set lacks %d values", got)
	}
	many := draw("data.missing=0.58", "data.generator.d=50")
	if got := missingIn(many.Train.X.RawRowView(0)); got != 29 { // 0.58 * 50 is 28.999999999999996
		t.Errorf("a training row lacks %d of 50 values, want 29", got)
	}
	if again := draw("data.missing=0.5"); again.Fingerprint != d.Fingerprint {
		t.Error("two draws differ")
	}
	if draw("data.missing=0").Fingerprint != draw().Fingerprint {
		t.Error("missing: 0 changes the data")
	}
}

// A study on CSV files: the folds of a repeat are one partition, and the results can be reported without the
// file.
func TestFoldsOfFile(t *testing.T) {
	dir := t.TempDir()
	csv := filepath.Join(dir, "data.csv")
	rows := "a,b,class\n"
	for i := range 30 {
		rows += fmt.Sprintf("%d,%d,%c\n", i, i*i, 'x'+rune(i%3/2))
	}
	filetest.Write(t, csv, rows)
	text := func(more string) string {
		return "study: s\nseed: 1\nreplicates: 10\nclassifiers: [centroid]\n" +
			"data: {csv: " + csv + ", folds: 5" + more + "}\n"
	}
	s := toys.Load(t, text(""))
	for repeat := range 2 {
		seen := map[float64]int{}
		for fold := range 5 {
			d := drawn(t, s, 1+5*repeat+fold)
			if d.Train.N() != 24 || d.Test.N() != 6 || d.Test.Counts()[1] != 2 {
				t.Errorf("fold %d: %d and %d rows, test counts %v", fold, d.Train.N(), d.Test.N(), d.Test.Counts())
			}
			for i := range d.Test.N() {
				seen[d.Test.X.At(i, 0)]++
			}
		}
		if len(seen) != 30 {
			t.Errorf("repeat %d tests %d of 30 rows", repeat, len(seen))
		}
	}
	without := toys.Load(t, text(", drop: [a]"))
	if train := drawn(t, without, 1).Train; train.D() != 1 || train.Attributes[0].Name != "b" ||
		without.Cells[0].ID == s.Cells[0].ID {
		t.Errorf("without column a: %+v", train)
	}
	cost := func(s *study.Study) float64 {
		return run.NewPlan(toys.OpenFor(t, filepath.Join(dir, "none"), s)).Tasks[0].Cost
	}
	if ratio := cost(s) / cost(without); math.Abs(ratio-math.Pow(2, 1.5)) > 1e-12 {
		t.Errorf("two columns count %v times as much as one", ratio)
	}
	for column, want := range map[string]string{
		"bb":    `data.drop: ` + csv + `: no column "bb" to drop; did you mean "b"?`,
		"\"*\"": `data.drop: ` + csv + `: no column "*" to drop`,
	} {
		_, err := study.Parse("study.yaml", []byte(text(", drop: ["+column+"]")), nil, nil)
		errtest.Case(t, "dropping "+column).Contains(err, want)
	}
	out := filepath.Join(dir, "results")
	toys.Run(t, s, run.Options{Dir: out})
	filetest.Remove(t, csv)
	back := toys.Open(t, out)
	if back.Study.Cells[0].ID != s.Cells[0].ID {
		t.Error("the cell's identity was lost with the file")
	}
	if _, err := trial.NewDraw(back.Study.Cells[0], 1, 1); err == nil {
		t.Error("a file that is not here was drawn from")
	}
	replay, err := audit.NewArchive(back).Replay(t.Context(), audit.Key{Cell: s.Cells[0].ID, Replicate: 1})
	if err != nil || len(replay.Results) != 0 || replay.Differs() || replay.Identical() ||
		!strings.Contains(replay.NotDrawn, "data.csv is not available") {
		t.Errorf("replayed without the file: %+v, %v", replay, err)
	}
}
