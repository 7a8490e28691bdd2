package external

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"copse/stats/dataset"

	"gonum.org/v1/gonum/mat"
)

// A Builtin is a classifier of this binary that is to run in a process of its
// own, under the same limits as a foreign one.
type Builtin struct {
	Name   string // in the registry
	Spec   string // its identity
	Recipe any    // its hyper-parameters, a struct that encoding/json writes without loss
	Memory int64  // bytes that the process may hold; 0: any
	Scores bool   // its scores and probabilities are wanted, too
}

// WorkerVerb is the command of the binary that answers for its own classifiers.
const WorkerVerb = "worker"

// FitBuiltin is FitPredict for a built-in classifier. state is that of its random
// source, so that the answer is what it would be in this process.
func (h *Host) FitBuiltin(ctx context.Context, b Builtin, train, test *dataset.Set, state []byte, limit time.Duration) (*Prediction, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	recipe, err := json.Marshal(b.Recipe)
	if err != nil {
		return nil, err
	}
	program := &Program{Kind: Classifier, Command: []string{self, WorkerVerb}, Params: map[string]any{"spec": b.Spec}, Threads: 1, Memory: b.Memory}
	r := request{Builtin: b.Name, WantScores: b.Scores, Recipe: recipe, State: hex.EncodeToString(state)}
	return h.fitPredict(ctx, program, train, test, r, 0, limit)
}

// A Question is FitBuiltin's on the other side.
type Question struct {
	Name        string
	Recipe      json.RawMessage
	State       []byte
	Scores      bool
	Train, Test *dataset.Set // the test set's labels are not known
}

// An Answerer fits a built-in classifier and labels a test set.
type Answerer func(Question) (*Prediction, error)

// Serve answers FitBuiltin's requests until the input ends.
func Serve(in io.Reader, out io.Writer, answer Answerer) error {
	say := func(v any) error {
		text, err := marshal(v)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s %s\n", os.Getenv("COPSE_TOKEN"), text)
		}
		return err
	}
	all := Capabilities{Discrete: true, Missing: true} // what a classifier does not take it refuses itself
	err := say(Hello{Protocol: protocol, Kind: Classifier, Name: "copse", Capabilities: all, Environment: map[string]string{"go": runtime.Version()}})
	lines := bufio.NewReader(in)
	for err == nil {
		line, end := lines.ReadBytes('\n')
		if end != nil {
			return nil
		}
		var r request
		if err = json.Unmarshal(line, &r); err != nil {
			return err
		}
		reply := map[string]any{"id": r.ID, "ok": true}
		if failed := r.answer(answer, reply); failed != nil {
			reply = map[string]any{"id": r.ID, "ok": false, "error": failed.Error()}
		}
		err = say(reply)
	}
	return err
}

// answer writes the files of a reply and names them in it.
func (r *request) answer(answer Answerer, reply map[string]any) error {
	q := Question{Name: r.Builtin, Recipe: r.Recipe, Scores: r.WantScores}
	var err error
	if q.State, err = hex.DecodeString(r.State); err != nil {
		return err
	}
	if q.Train, q.Test, err = r.sets(); err != nil {
		return err
	}
	made, err := answer(q)
	if err != nil {
		return err
	}
	reply["fit_s"], reply["predict_s"], reply["warnings"] = made.Fit, made.Predict, made.Warnings
	for key, m := range map[string]*mat.Dense{"scores": made.Scores, "probabilities": made.Probabilities} {
		if m == nil {
			continue
		}
		reply[key] = key + ".npy"
		if err := writeMatrix(filepath.Join(r.Out, key+".npy"), m, q.Test.N()); err != nil {
			return err
		}
	}
	reply["labels"] = "labels.npy"
	return writeLabels(filepath.Join(r.Out, "labels.npy"), made.Labels)
}

// sets reads the request's data.
func (r *request) sets() (train, test *dataset.Set, err error) {
	d := len(r.Names)
	read := func(path string) (*dataset.Set, error) {
		f, err := readNPY(path)
		if err != nil {
			return nil, err
		}
		x, err := readMatrix(path, f.shape[0], d)
		if err != nil {
			return nil, err
		}
		set := &dataset.Set{X: x, Y: make([]int, f.shape[0]), Classes: r.Classes}
		for j, name := range r.Names {
			a := dataset.Attribute{Name: name}
			if r.Kinds[j] == kindDiscrete {
				a.Kind, a.Levels = dataset.Discrete, r.Levels[name]
			}
			set.Attributes = append(set.Attributes, a)
		}
		return set, nil
	}
	if train, err = read(r.Train); err != nil {
		return nil, nil, err
	}
	if train.Y, err = readLabels(r.Labels, train.N(), len(r.Classes)); err != nil {
		return nil, nil, err
	}
	test, err = read(r.Test)
	return train, test, err
}
