package external

import (
	"context"
	"errors"
	"strings"
	"testing"
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
	host := NewHost(dir)
	defer host.Close()
	start := func(p *Program) *Handshake {
		t.Helper()
		hello, err := host.Handshake(context.Background(), p, Wait{})
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
	_, err := host.Handshake(context.Background(), recipe("lacks", "library/1"), Wait{})
	var refusal *Refusal
	if !errors.As(err, &refusal) || !strings.Contains(err.Error(), "python3 -m pip install xgboost") {
		t.Errorf("%v", err)
	}
	if again := start(recipe("a", "library/1")); again.Environment["process"] != a.Environment["process"] {
		t.Error("a refusal ended the process")
	}

	// A crash ends the process, and the next request starts another one.
	if _, err := host.Handshake(context.Background(), recipe("crash", "library/1"), Wait{}); err == nil {
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
