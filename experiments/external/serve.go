package external

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"copse/stats/dataset"

	"gonum.org/v1/gonum/mat"
)

// A Question has the data and parameters of one fit.
type Question struct {
	Train, Test *dataset.Set // the labels of Test are all 0, since they are not sent
	Params      map[string]any
}

// An Answerer fits a classifier and labels a test set.
type Answerer func(Question) (*Prediction, error)

// Serve runs an external classifier written in Go: it sends the handshake and replies to the
// requests of copse until the input ends. copse itself calls it only in tests.
func Serve(in io.Reader, out io.Writer, answer Answerer) error {
	send := func(v any) error {
		text, err := marshal(v)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s %s\n", os.Getenv("COPSE_TOKEN"), text)
		}
		return err
	}
	all := Capabilities{Discrete: true, Missing: true} // the classifier itself refuses other data
	err := send(Hello{Protocol: protocol, Kind: Classifier, Name: "copse", Capabilities: all,
		Environment: map[string]string{"go": runtime.Version()}})
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
		err = send(reply)
	}
	return err
}

// answer computes the predictions of a request, writes their files and adds them to reply.
func (r *request) answer(answer Answerer, reply map[string]any) error {
	train, test, err := r.sets()
	if err != nil {
		return err
	}
	made, err := answer(Question{train, test, r.Params})
	if err != nil {
		return err
	}
	reply["fit_s"], reply["predict_s"], reply["warnings"] = made.Fit, made.Predict, made.Warnings
	for key, m := range map[string]*mat.Dense{"scores": made.Scores, "probabilities": made.Probabilities} {
		if m == nil {
			continue
		}
		reply[key] = key + ".npy"
		if err := writeMatrix(filepath.Join(r.Out, key+".npy"), m, test.N()); err != nil {
			return err
		}
	}
	reply["labels"] = "labels.npy"
	return writeLabels(filepath.Join(r.Out, "labels.npy"), made.Labels)
}

// sets returns the training and test sets of a request.
func (r *request) sets() (train, test *dataset.Set, err error) {
	d := len(r.Names)
	read := func(path string) (*dataset.Set, error) {
		x, err := readMatrix(path, anyNumber, d)
		if err != nil {
			return nil, err
		}
		n, _ := x.Dims()
		set := &dataset.Set{X: x, Y: make([]int, n), Classes: r.Classes}
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
