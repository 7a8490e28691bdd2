package external

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// counting describes each recipe by its parameter k and the number of its process.
const counting = `import os
import copse

def answer(task):
    if task["params"]["k"] == "crash":
        os._exit(3)
    if task["params"]["k"] == "lacks":
        raise ImportError("No module named 'xgboost'")
    return {"hello": {"protocol": "external/1", "kind": "classifier", "name": task["params"]["k"],
                      "environment": {"process": str(os.getpid())}}}

copse._serve("classifier", "library", "1", {}, answer)
`

// The recipes of an adapter share one process per worker. Other programs have one process each.
func TestRecipesOfAnAdapterShareAProcess(t *testing.T) {
	program, dir := written(t, Classifier, "python", counting)
	recipe := func(k, adapter string) *Program {
		p := *program
		p.Params, p.Adapter, p.Threads = map[string]any{"k": k}, adapter, 1
		return &p
	}
	host := newHost(t, dir)
	start := func(p *Program) *Handshake {
		t.Helper()
		hello, err := host.Handshake(t.Context(), p, Wait{})
		if err != nil {
			t.Fatal(err)
		}
		return hello
	}
	a, b := start(recipe("a", "library/1")), start(recipe("b", "library/1"))
	if a.Name != "a" || b.Name != "b" || a.Environment["process"] != b.Environment["process"] {
		t.Errorf("%v, %v: want two recipes in one process", a, b)
	}
	if len(host.running) != 1 {
		t.Errorf("%d processes", len(host.running))
	}

	// A tuned recipe is described with the parameters of a candidate, so a misspelt parameter is rejected
	// before any fit.
	tuned := recipe("tuned", "library/1")
	tuned.ParamsOfCandidate = map[string]any{"k": "candidate"}
	if hello := start(tuned); hello.Name != "candidate" {
		t.Errorf("%v", hello)
	}

	// A recipe that cannot be described is rejected, and the others still work.
	_, err := host.Handshake(t.Context(), recipe("lacks", "library/1"), Wait{})
	var refusal *Refusal
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "python3 -m pip install xgboost") {
		t.Errorf("%v", err)
	}
	if again := start(recipe("a", "library/1")); again.Environment["process"] != a.Environment["process"] {
		t.Error("a refusal ended the process")
	}

	// A crash ends the process, and the next request starts another one.
	if _, err := host.Handshake(t.Context(), recipe("crash", "library/1"), Wait{}); err == nil {
		t.Error("a crash is not an error")
	}
	if again := start(recipe("a", "library/1")); again.Environment["process"] == a.Environment["process"] {
		t.Error("the process that crashed still runs")
	}

	// Recipes with other limits and the user's own programs have separate processes.
	limited := recipe("a", "library/1")
	limited.Threads = 2
	start(limited)
	start(recipe("a", ""))
	start(recipe("b", ""))
	if len(host.running) != 4 {
		t.Errorf("%d processes, want 4", len(host.running))
	}
}

// An estimator that predicts fractions, such as a regression, is no classifier. Its labels are not truncated.
func TestEstimatorsPredictCodes(t *testing.T) {
	python, dir := interpreter(t, "python")[0], t.TempDir()
	if exec.Command(python, "-c", "import sklearn").Run() != nil {
		t.Skip("SKIPPED: no scikit-learn here; its adapter is not tested")
	}
	filetest.Write(t, filepath.Join(dir, "mine.py"), `import numpy
from sklearn.base import BaseEstimator, ClassifierMixin

class Constant(BaseEstimator, ClassifierMixin):
    def __init__(self, label=0, dtype=None):
        self.label = label
        self.dtype = dtype
    def fit(self, x, y):
        self.classes_ = numpy.unique(y)
        return self
    def predict(self, x):
        return numpy.full(len(x), self.label, dtype=self.dtype)
`)
	host := newHost(t, dir)
	for _, c := range []struct {
		label, dtype any
		want         string
	}{
		{1, nil, "<nil>"},
		{1.0, nil, "<nil>"},
		{1, "object", "<nil>"},
		{0.9, nil, "predict returned something that is no class code: 0.9"},
		{"1", nil, "predict returned something that is no class code: '1'"},
		{"1", "object", "predict returned something that is no class code: '1'"},
	} {
		program := &Program{Kind: Classifier, Command: []string{python, "-m", "copse_sklearn"},
			Files: []string{"mine.py"}, Adapter: "sklearn/1", Params: map[string]any{
				"estimator": "mine:Constant", "encode": "onehot",
				"params": map[string]any{"label": c.label, "dtype": c.dtype}}}
		must(program.Read(dir))
		_, err := fit(t.Context(), host, program)
		if !strings.HasSuffix(fmt.Sprint(err), c.want) {
			t.Errorf("label %v, dtype %v: error %v, want %q", c.label, c.dtype, err, c.want)
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
