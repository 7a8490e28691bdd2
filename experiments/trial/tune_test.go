package trial_test

import (
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/toys"
	"copse/stats/records"
)

const tunedStudy = `study: tuned
seed: 3
replicates: 3
metrics: [brier]
data: {generator: {name: forest, d: 4}, train: {n: 60}, test: {n: 80}}
classifiers:
  - {id: tuned, classifier: 5nn, tune: {k: [60, 3, 9, 15]}, by: {metric: brier, folds: 3}}
  - {id: alone, classifier: rf, tune: {trees: [7]}}
  - {id: fixed, classifier: rf, trees: 7}
`

// fitAll returns the results of a replicate by classifier.
func fitAll(t *testing.T, s *study.Study, replicate int) map[string]records.Record {
	t.Helper()
	byID := map[string]records.Record{}
	for _, r := range runTrial(t, s, replicate).Results {
		if r.Status != records.OK {
			t.Fatalf("%s: %s", r.Classifier, r.Message)
		}
		byID[r.Classifier] = r
	}
	return byID
}

// A tuned fit is the fit with the chosen value, the same every time. Candidates that
// cannot be fitted are counted and named.
func TestTunedFitIsThatOfTheChosenValue(t *testing.T) {
	s := toys.Load(t, tunedStudy)
	for replicate := 1; replicate <= 3; replicate++ {
		first, again := fitAll(t, s, replicate)["tuned"], fitAll(t, s, replicate)["tuned"]
		if first.Tuned != again.Tuned || first.Confusion.String() != again.Confusion.String() {
			t.Errorf("%+v and %+v", first, again)
		}
		choice, err := records.ParseTuned(first.Tuned)
		if err != nil {
			t.Fatal(err)
		}
		if choice.Metric != "brier" || choice.Candidates != 4 || choice.Failed != 1 {
			t.Errorf("%+v", choice)
		}
		const want = "tuning candidates failed; the first of them was k=60: fold 1 of 3: 5nn: " +
			"k is 60, but the training set has only 40 rows"
		if !strings.HasPrefix(first.Message, want) {
			t.Errorf("message %q", first.Message)
		}
		k := strings.TrimPrefix(choice.Values, "k=")
		text := strings.Replace(tunedStudy, "tune: {k: [60, 3, 9, 15]}, by: {metric: brier, folds: 3}", "k: "+k, 1)
		fixed := fitAll(t, toys.Load(t, text), replicate)["tuned"]
		if fixed.Confusion.String() != first.Confusion.String() || fixed.Metrics["brier"] != first.Metrics["brier"] {
			t.Errorf("tuned to k=%s: %v, fixed: %v", k, first.Confusion, fixed.Confusion)
		}
	}
}

// The score of a choice comes from a cross-validation inside the training set, so another test set does not
// change it.
func TestTuningSeesNoTestRows(t *testing.T) {
	s := toys.Load(t, tunedStudy)
	w := trial.NewWorker(s)
	defer w.Close()
	c := s.Cells[0]
	d, err := w.Draw(t.Context(), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	whole := w.Fit(t.Context(), c, 1, c.Classifiers[0], d)
	d.Test = d.Test.Subset([]int{0, 79})
	few := w.Fit(t.Context(), c, 1, c.Classifiers[0], d)
	if whole.Tuned == "" || few.Tuned != whole.Tuned {
		t.Errorf("%q with two test rows, %q with all", few.Tuned, whole.Tuned)
	}
}

// With one candidate, the fit to the training set draws the same random numbers as without tuning.
func TestTuningLeavesTheDrawsOfTheFitAlone(t *testing.T) {
	text := strings.ReplaceAll(tunedStudy, "id: alone", "id: same")
	alone := fitAll(t, toys.Load(t, strings.Replace(text, "id: fixed", "id: other", 1)), 1)["same"]
	text = strings.Replace(text, "id: same", "id: other", 1)
	fixed := fitAll(t, toys.Load(t, strings.Replace(text, "id: fixed", "id: same", 1)), 1)["same"]
	if alone.Confusion.String() != fixed.Confusion.String() {
		t.Errorf("tuned %v, fixed %v", alone.Confusion, fixed.Confusion)
	}
}
