package study_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/classifiers/classics"
	"copse/experiments/study"
	"copse/internal/toys"
)

// entryText is a study of one classifier, whose entry begins on line 7.
func entryText(entry string) string {
	return "study: s\nseed: 1\nreplicates: 2\n" +
		"data: {generator: {name: toy}, train: {n: 20}, test: {n: 20}}\nclassifiers:\n\n  - " + entry + "\n"
}

// entryOf returns the classifier of a study with this entry.
func entryOf(t *testing.T, entry string) study.Entry {
	t.Helper()
	return toys.Load(t, entryText(entry)).Cells[0].Classifiers[0]
}

func tuned(t *testing.T, entry string) *study.Tuning {
	t.Helper()
	e := entryOf(t, entry)
	if e.Tuning == nil {
		t.Fatalf("%s is not tuned", entry)
	}
	return e.Tuning
}

func TestTunedCandidates(t *testing.T) {
	for entry, want := range map[string][]string{
		"{classifier: 5nn, tune: {k: [1, 5], standardise: [true, false]}}": {
			"k=1 standardise=true", "k=1 standardise=false", "k=5 standardise=true", "k=5 standardise=false"},
		"{classifier: svm, tune: {c: {log: [0.001, 10], steps: 5}}}":  {"c=0.001", "c=0.01", "c=0.1", "c=1", "c=10"},
		"{classifier: svm, tune: {c: {log: [0.01, 100]}}}":            {"c=0.01", "c=0.1", "c=1", "c=10", "c=100"},
		"{classifier: svm, tune: {c: {linear: [1, 3], steps: 3}}}":    {"c=1", "c=2", "c=3"},
		"{classifier: 5nn, tune: {k: {log: [1, 4], steps: 9}}}":       {"k=1", "k=2", "k=3", "k=4"},
		"{classifier: 5nn, tune: {k: [1, 3]}, by: {search: halving}}": {"k=1", "k=3"},
	} {
		if got := tuned(t, entry).Values; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}

// A program receives integers or floating-point numbers, as the study writes them, but no mixture.
func TestTunedNumbersOfPrograms(t *testing.T) {
	for tune, want := range map[string]string{
		"[1, 2.0]":                                  "[1 2.0]",
		"{linear: [1, 3], steps: 3}":                "[1 2 3]",
		"{linear: [1.0, 3], steps: 3}":              "[1.0 2.0 3.0]",
		"{linear: [0, 1], steps: 3}":                "[0.0 0.5 1.0]",
		"{log: [0.1, 10], steps: 3}":                "[0.1 1.0 10.0]",
		"{linear: [0.5, 4], steps: 3, whole: true}": "[1 2 4]",
	} {
		search := tuned(t, "{id: own, classifier: external, command: [a-program], tune: {a: "+tune+"}}")
		var got []any
		for _, c := range search.Candidates {
			got = append(got, c.Program.ParamsOfCandidate["a"])
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", tune, got, want)
		}
	}
}

// A classifier that differs from another only in its tuned parameters needs approval of its own. So do its
// candidates, which copse sends to the program.
func TestTunedProgramIsAnotherProgram(t *testing.T) {
	const command = "classifier: external, command: [a-program]"
	s := toys.Load(t, entryText("{id: a, "+command+"}")+"  - {id: b, "+command+", tune: {cmd: [1, '2']}}\n")
	list := s.Programs()
	if len(list) != 2 || fmt.Sprintf("%#v", list[1].Tuned) != `map[string]interface {}{"cmd":[]interface {}{1, "2"}}` {
		t.Fatalf("programs %v", list)
	}
	for _, c := range s.Cells[0].Classifiers[1].Tuning.Candidates {
		if c.Program.Fingerprint() != list[1].Fingerprint() {
			t.Error("a candidate has a fingerprint of its own")
		}
	}
}

// A candidate equals the recipe of a study that states its values.
func TestTunedCandidateIsARecipe(t *testing.T) {
	search := tuned(t, "{classifier: 5nn, standardise: true, impute: mean, "+
		"tune: {k: [1, 7]}, by: {metric: brier, folds: 3}}")
	fixed := entryOf(t, "{classifier: 5nn, standardise: true, impute: mean, k: 7}")
	c := search.Candidates[1]
	if c.Spec != fixed.Spec || c.Classifier.(*classics.FiveNN).K != 7 || c.Preparation.Impute != "mean" {
		t.Errorf("%s, want %s", c.Spec, fixed.Spec)
	}
	if search.Metric.Name != "brier" || search.Folds != 3 || search.Halving {
		t.Errorf("%+v", search.Search)
	}
}

// Random candidates depend only on the seed of the study and the id of the entry.
func TestRandomCandidates(t *testing.T) {
	const entry = "{id: a, classifier: svm, tune: {c: {log: [0.1, 10], steps: 90}, kernel: [rbf, linear]}, " +
		"by: {search: random, budget: 8}}"
	first, again := tuned(t, entry), tuned(t, entry)
	if !slices.Equal(first.Values, again.Values) || len(first.Values) != 8 {
		t.Fatalf("%q and %q", first.Values, again.Values)
	}
	if other := tuned(t, strings.Replace(entry, "id: a", "id: b", 1)); slices.Equal(other.Values, first.Values) {
		t.Errorf("another id draws the same candidates %q", other.Values)
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(first.Values)))
	if len(sorted) != 8 {
		t.Errorf("repeated candidates in %q", first.Values)
	}
}

// If the grid has more combinations than a 32-bit number can count, random search still tries values from the whole
// range of each parameter.
func TestRandomCandidatesOfLargeGrids(t *testing.T) {
	const entry = "{classifier: boosting, tune: {rounds: {linear: [1, 100], steps: 100}, " +
		"rate: {log: [0.001, 1], steps: 100}, leaves: {linear: [2, 101], steps: 100}, " +
		"min_rows: {linear: [1, 100], steps: 100}, l2: {log: [0.01, 10], steps: 100}}, " +
		"by: {search: SEARCH, budget: 20}}"
	for _, search := range []string{"random", "halving"} {
		upper := 0 // number of candidates in the upper half of the range
		for _, c := range tuned(t, strings.Replace(entry, "SEARCH", search, 1)).Candidates {
			if c.Classifier.(*classics.Boosting).Rounds > 50 {
				upper++
			}
		}
		if upper < 4 || upper > 16 {
			t.Errorf("%s: %d of 20 candidates have more than 50 rounds", search, upper)
		}
	}
}

// The tuned parameters, the search and its candidates are part of the recipe.
func TestTuningIsPartOfTheRecipe(t *testing.T) {
	seen := map[string]string{}
	for _, rest := range []string{
		"", ", tune: {k: [1, 3]}", ", tune: {k: [1, 5]}", ", tune: {k: [1, 3]}, by: {folds: 3}",
		", tune: {k: [1, 3]}, by: {metric: ber}",
		", tune: {k: [1, 3]}, by: {search: halving}", ", k: 7, tune: {standardise: [true]}",
	} {
		spec := entryOf(t, "{classifier: 5nn"+rest+"}").Spec
		if other, there := seen[spec]; there {
			t.Errorf("%q and %q are both %s", rest, other, spec)
		}
		seen[spec] = rest
	}
}

func TestTuningRefuses(t *testing.T) {
	for rest, want := range map[string]string{
		"tune: {kk: [1, 2]}": `kk: unknown parameter of 5nn; did you mean "k"?`,
		"tune: {k: [1, 0]}":  "k: 0 is outside [1,inf)",
		"tune: {k: 3}":       "tune.k: want a list of values or `{log: [low, high], steps: 5}`, got the number 3",
		"tune: {folds: 3}":   "tune.folds: give this tuning setting under `by`, not under `tune`",
		"tune: {}": "tune: want a mapping from parameters to values, such as `{k: [1, 5, 15]}`, " +
			"got an empty mapping",
		"tune: {id: [a, b]}": "tune.id: is not a parameter and cannot be tuned; name a parameter of the classifier",

		"tune: {k: [3, 5, 3]}":               `tune.k[2]: value "3" is given twice`,
		"tune: {k: [0.5, 3, 5e-1]}":          `tune.k[2]: value "5e-1" is given twice`,
		"tune: {k: [3, 3.0]}":                `tune.k[1]: value "3.0" is given twice`,
		"tune: {k: [[1], 2]}":                "tune.k[0]: want a number, `true`, `false` or a single word, got a list",
		"tune: {k: {log: [0, 3], steps: 3}}": "tune.k.log: want numbers above 0",
		"tune: {k: {log: [3, 1], steps: 3}}": "tune.k.log: want two numbers, the smaller first",
		"tune: {k: {steps: 3}}":              "tune.k: want exactly one of `log` and `linear`",

		"by: {folds: 3}":                       "tune: missing; `by` needs it",
		"tune: {k: [1]}, by: {metric: eror}":   `by.metric: no metric "eror"; did you mean "error"?`,
		"tune: {k: [1]}, by: {folds: 1}":       "by.folds: 1 is outside [2,1000]",
		"tune: {k: [1]}, by: {search: random}": "by.budget: missing; give the number of candidates to draw, such as 30",
		"tune: {k: [1, 2]}, by: {budget: 1}": "by.budget: the grid has 2 candidates, more than the budget of 1: " +
			"raise it, or use `search: random` or `search: halving`",
		"tune: {k: [1]}, by: {metric: fit_seconds}": "by.metric: fit_seconds is a measured time, " +
			"which changes from run to run: tune by a metric of the predictions",
	} {
		checkRefused(t, "{classifier: 5nn, "+rest+"}", "7:%d: classifiers.5nn."+want)
	}
	checkRefused(t, "{classifier: svm, c: 3, tune: {c: [1, 2]}}",
		"7:%d: classifiers.svm.c: has no effect, because `tune` lists the same parameter: "+
			"remove it here or from `tune`")
	checkRefused(t, "{classifier: 5nn, impute: mean, tune: {impute: [mean, knn]}}",
		"7:%d: classifiers.5nn.impute: has no effect, because `tune` lists the same parameter: "+
			"remove it here or from `tune`")
	checkRefused(t, "{id: own, classifier: external, command: [a-program], params: {ridge: 3}, tune: {ridge: [1, 2]}}",
		"7:%d: classifiers.own.params.ridge: has no effect, because `tune` lists the same parameter: "+
			"remove it here or from `tune`")
	const range1000 = ": {linear: [0, 1], steps: 1000}"
	checkRefused(t, "{id: own, classifier: external, command: [a-program], tune: {"+
		strings.Join([]string{"a", "b", "c", "d", "e", "f", "g"}, range1000+", ")+range1000+"}, "+
		"by: {search: random, budget: 20}}",
		"7:%d: classifiers.own.tune: there are more than 2^63 combinations of values: give fewer steps")
	checkRefused(t, "{classifier: svm, tune: {c: [1]}, by: {metric: log_loss}}", "7:%d: classifiers.svm.by.metric: "+
		"log_loss needs class probabilities, which svm does not return: add `probabilities: platt`, or tune by error")
	checkRefused(t, "{classifier: 5nn, tune: {k: [1]}, by: {metric: 'sensitivity:x'}}",
		`7:%d: classifiers.5nn.by.metric: sensitivity:x: no class "x"; the classes are "0", "1"`)
}

// If all candidates of a tuned key have class probabilities, so does the classifier.
func TestTunedProbabilities(t *testing.T) {
	const tuned = "{classifier: svm, tune: {probabilities: [platt, temperature], c: [1, 2]}"
	for _, rest := range []string{"by: {metric: brier}", "costs: {0: {1: 5}}"} {
		e := entryOf(t, tuned+", "+rest+"}")
		if len(e.Tuning.Candidates) != 4 || e.LacksProbabilities() {
			t.Errorf("%s: %d candidates, no probabilities: %v", rest, len(e.Tuning.Candidates),
				e.LacksProbabilities())
		}
	}
	calibrated := "{classifier: svm, labels: calibrated, tune: {probabilities: [platt], c: [1, 2]}}"
	e := entryOf(t, calibrated)
	if !e.Tuning.Candidates[1].Preparation.CalibratedLabels {
		t.Error("the candidates do not predict the most probable class")
	}
	checkRefused(t, tuned+", labels: calibrated}", "7:%d: classifiers.svm.labels: needs `probabilities: platt`, "+
		"since only Platt scaling can change the predicted class; add it or remove `labels`")
}

// Values that are not plain are reported once, and not also as equal values.
func TestTuningReportsListsOnce(t *testing.T) {
	text := entryText("{classifier: 5nn, tune: {prepare: [{impute: mean}, {impute: knn}]}}")
	_, err := parse(text)
	if err == nil || strings.Count(err.Error(), "s.yaml:7:") != 2 || strings.Contains(err.Error(), "given twice") {
		t.Errorf("error %v", err)
	}
}

// checkRefused tests that a study with the entry has exactly one mistake, whose column is %d.
func checkRefused(t *testing.T, entry, want string) {
	t.Helper()
	_, err := parse(entryText(entry))
	if err == nil {
		t.Errorf("%s is accepted", entry)
		return
	}
	got := strings.TrimPrefix(err.Error(), "s.yaml:")
	var line, column int
	if _, err := fmt.Sscanf(got, "%d:%d:", &line, &column); err != nil {
		t.Errorf("%s: %s", entry, got)
		return
	}
	if want = fmt.Sprintf(want, column); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", entry, got, want)
	}
}
