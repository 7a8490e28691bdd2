package study_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/toys"
)

const adaptedStudy = `study: s
seed: 1
replicates: 1
design: {depth: [1, 2]}
data: {generator: {name: forest, d: 4}, train: {n: 20}, test: {n: 20}}
classifiers:
`

// An entry for a classifier of a library becomes the program of an adapter. Factors may set its parameters.
func TestAdapters(t *testing.T) {
	for entry, want := range map[string]string{
		`{id: a, classifier: sklearn, estimator: "sklearn.svm:SVC", params: {C: $depth}}`: `sklearn/1{interpreter=` +
			`"python3",params={"encode":"onehot","estimator":"sklearn.svm:SVC","params":{"C":1}}}`,
		`{id: a, classifier: sklearn, interpreter: /opt/python, encode: codes, version: 1.2.1, ` +
			`estimator: ["sklearn.preprocessing:StandardScaler", ` +
			`{estimator: "sklearn.svm:SVC", params: {C: $depth}}]}`: `` +
			`sklearn/1{interpreter="/opt/python",params={"encode":"codes","estimator":["sklearn.preprocessing:` +
			`StandardScaler",{"estimator":"sklearn.svm:SVC","params":{"C":1}}]},version="1.2.1"}`,
		`{id: a, classifier: caret, method: gbm, folds: 3, ` +
			`params: {n.trees: [50, 100], interaction.depth: $depth}}`: `` +
			`caret/1{interpreter="Rscript",params={"folds":3,"method":"gbm","params":{"interaction.depth":1,` +
			`"n.trees":[50,100]}}}`,
		`{id: a, classifier: mlr3, learner: classif.ranger, params: {num.trees: $depth}}`: `mlr3/1{interpreter=` +
			`"Rscript",params={"learner":"classif.ranger","params":{"num.trees":1}}}`,
		`{id: a, classifier: mlr, learner: classif.lda, params: {nu: $depth}}`: `mlr/1{interpreter="Rscript",` +
			`params={"learner":"classif.lda","params":{"nu":1}}}`,
	} {
		s := toys.Load(t, adaptedStudy+"  - "+entry+"\n")
		if got := s.Cells[0].Classifiers[0].Spec; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// A tuned entry is described to its library with a candidate's parameters, so that the library
// refuses a misspelt one before any fit. The recipe does not depend on it.
func TestTunedAdapterIsDescribedAsACandidate(t *testing.T) {
	entry := `  - {id: a, classifier: sklearn, estimator: "sklearn.svm:SVC", params: {C: 2}, tune: {gama: [3, $depth]}}`
	s := toys.Load(t, adaptedStudy+entry+"\n")
	e := s.Cells[0].Classifiers[0]
	if got := fmt.Sprint(e.Program.ParamsOfCandidate["params"]); got != "map[C:2 gama:3]" {
		t.Errorf("described with %s", got)
	}
	if got := fmt.Sprint(e.Program.Params["params"]); got != "map[C:2]" {
		t.Errorf("the recipe has %s", got)
	}
}

// A name that is not a classifier of the library is rejected with its place and the next step.
func TestAdaptersRefuse(t *testing.T) {
	for entry, want := range map[string]string{
		`sklearn`: "s.yaml:7:5: classifiers.sklearn: sklearn needs the key `estimator`, " +
			"as in `{id: sklearn, classifier: sklearn, estimator: ...}`",
		`{id: a, classifier: sklearn}`: `s.yaml:7:5: classifiers.a.estimator: missing; give the import path, such as ` +
			"`sklearn.svm:SVC`; a list makes a pipeline",
		`{id: a, classifier: sklearn, estimator: sklearn.svm.SVC}`: `s.yaml:7:45: classifiers.a.estimator: ` +
			"\"sklearn.svm.SVC\" is not an import path; write `module:name`, such as `sklearn.svm:SVC`",
		`{id: a, classifier: sklearn, estimator: ["sklearn.svm:SVC", {estimator: SVC}]}`: `s.yaml:7:77: ` +
			`classifiers.a.estimator[1].estimator: "SVC" is not an import path; ` +
			"write `module:name`, such as `sklearn.svm:SVC`",
		`{id: a, classifier: sklearn, estimator: "a:B", parms: {C: 2}}`: `s.yaml:7:52: classifiers.a.parms: unknown ` +
			`key of sklearn; did you mean "params"?`,
		`{id: a, classifier: sklearn, estimator: "a:B", params: [2]}`: `s.yaml:7:60: classifiers.a.params: want a ` +
			`mapping, got a list`,
		`{id: a, classifier: sklearn, estimator: "a:B", probabilities: platt}`: `s.yaml:7:67: ` +
			`classifiers.a.probabilities: a program fits and predicts in one step, so copse cannot ` +
			`cross-validate its scores: let it return probabilities itself`,
		`{id: a, classifier: caret, method: [gbm]}`: `s.yaml:7:40: classifiers.a.method: want a string, such as ` +
			"`classif.ranger`",
		`{id: a, classifier: caret, method: gbm, folds: 1}`: `s.yaml:7:52: classifiers.a.folds: 1 is outside [2,inf)`,
		`{id: a, classifier: caret, learner: gbm}`: `s.yaml:7:5: classifiers.a.method: missing; ` +
			"give a method of caret, such as `gbm`",
	} {
		text := strings.Replace(adaptedStudy, "design: {depth: [1, 2]}\n", "design: {n: [20, 40]}\n", 1)
		text = strings.Replace(text, "train: {n: 20}", "train: {n: $n}", 1)
		_, err := parse(text + "  - " + entry + "\n")
		errtest.Contains(t, err, want)
	}
}

// Before anything starts, the error for a missing interpreter names its key.
func TestAdapterWithoutInterpreter(t *testing.T) {
	text := strings.Replace(adaptedStudy, "design: {depth: [1, 2]}\n", "", 1) +
		`  - {id: a, classifier: sklearn, interpreter: no-python, estimator: "sklearn.svm:SVC"}` + "\n"
	s := toys.Load(t, text)
	want := "classifiers.a.interpreter: there is no executable no-python; install it, or add its folder to PATH"
	errtest.Contains(t, s.FindPrograms(s.Programs()), want)
}

// If a library rejects a classifier, the error names its place.
func TestRefusedEntry(t *testing.T) {
	text := strings.Replace(adaptedStudy, "design: {depth: [1, 2]}\n", "", 1) + "  - lda\n" +
		`  - {id: a, classifier: sklearn, estimator: "sklearn.svm:SVCC"}` + "\n"
	s, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Refused(s.Programs()[0], errors.New("there is no SVCC"))
	errtest.Equal(t, err, "s.yaml:7:5: classifiers.a: there is no SVCC")
}
