package trial_test

import (
	"slices"
	"testing"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/toys"
	"copse/stats/dataset"
)

const pairedStudy = `study: paired
seed: 3
replicates: 2
pair: [n, gaps]
design:
  n: [40, 300]
  gaps: [0, 0.2]
  share: [0.5, 0.75]
data:
  generator: {name: forest, d: 4}
  train: {n: $n, majority: $share}
  test: {n: 50}
  missing: {mcar: $gaps}
classifiers: [centroid]
`

func drawOf(t *testing.T, s *study.Study, n, gaps, share string) *trial.Draw {
	t.Helper()
	for _, c := range s.Cells {
		if c.Levels.Of("n") == n && c.Levels.Of("gaps") == gaps && c.Levels.Of("share") == share {
			d, err := trial.NewDraw(c, s.Seed, 1)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatalf("no cell n=%s gaps=%s share=%s", n, gaps, share)
	return nil
}

// Paired cells have the same test rows, and the smaller training set consists of the first rows of the larger
// one, including missing values. Cells that differ in other factors have different data.
func TestPairedCellsShareTheirData(t *testing.T) {
	s := toys.Load(t, pairedStudy)
	few, many := drawOf(t, s, "40", "0", "0.5"), drawOf(t, s, "300", "0", "0.5")
	if dataset.Fingerprint(few.Test) != dataset.Fingerprint(many.Test) {
		t.Error("the test sets differ")
	}
	if few.Train.N() != 40 || many.Train.N() != 300 || !slices.Equal(many.Train.Counts(), []int{150, 150}) {
		t.Fatalf("%d and %d training rows, %v", few.Train.N(), many.Train.N(), many.Train.Counts())
	}
	checkBeginning(t, few.Train, many.Train)
	fewGaps, manyGaps := drawOf(t, s, "40", "0.2", "0.5"), drawOf(t, s, "300", "0.2", "0.5")
	checkBeginning(t, fewGaps.Train, manyGaps.Train)
	if !fewGaps.Train.HasMissing() || dataset.Fingerprint(fewGaps.Test) != dataset.Fingerprint(few.Test) {
		t.Error("the cells with missing values are not paired with the others")
	}
	if other := drawOf(t, s, "40", "0", "0.75"); dataset.Fingerprint(other.Test) == dataset.Fingerprint(few.Test) {
		t.Error("cells of a factor that is not paired share their test rows")
	}
	checkBeginning(t, drawOf(t, s, "40", "0", "0.75").Train, drawOf(t, s, "300", "0", "0.75").Train)
}

func checkBeginning(t *testing.T, few, many *dataset.Set) {
	t.Helper()
	rows := make([]int, few.N())
	for i := range rows {
		rows[i] = i
	}
	if dataset.Fingerprint(many.Subset(rows)) != dataset.Fingerprint(few) {
		t.Errorf("the %d rows are not the first of the %d", few.N(), many.N())
	}
}

// The rows of a training set differ, also between the drawn blocks.
func TestNestedRowsAreDistinct(t *testing.T) {
	train := drawOf(t, toys.Load(t, pairedStudy), "300", "0", "0.5").Train
	seen := map[float64]bool{}
	for i := range train.N() {
		seen[train.X.At(i, 0)] = true
	}
	if len(seen) != train.N() {
		t.Errorf("%d different rows of %d", len(seen), train.N())
	}
}
