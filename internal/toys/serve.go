package toys

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Method fits a classifier to a training set and predicts the labels of a test set.
type Method func(train, test *dataset.Set, params map[string]any) (labels []int, err error)

// A fitRequest is a request to fit a classifier in the protocol external/1.
type fitRequest struct {
	ID                       int64
	Out, Train, Labels, Test string // paths
	Names, Kinds, Classes    []string
	Levels                   map[string][]string
	Params                   map[string]any
}

const labelsFile = "labels.npy"

// Serve makes a method available to copse through the protocol external/1: it writes the handshake
// to out and then replies to all requests from in.
func Serve(in io.Reader, out io.Writer, method Method) error {
	// Each line of the protocol begins with the token that copse passes in the environment.
	send := func(v any) error {
		text, err := json.Marshal(v)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s %s\n", os.Getenv("COPSE_TOKEN"), text)
		}
		return err
	}
	err := send(map[string]any{
		"protocol": "external/1", "kind": "classifier", "name": "copse",
		"capabilities": map[string]any{"discrete": true, "missing": true},
		"environment":  map[string]any{"go": runtime.Version()},
	})
	if err != nil {
		return err
	}
	requests := bufio.NewReader(in)
	for {
		line, end := requests.ReadBytes('\n')
		if end != nil {
			return nil
		}
		var r fitRequest
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		const seconds = 0.001 // tests need no measured time
		reply := map[string]any{"id": r.ID, "ok": true, "labels": labelsFile, "fit_s": seconds}
		if failed := r.writeLabels(method); failed != nil {
			reply = map[string]any{"id": r.ID, "ok": false, "error": failed.Error()}
		}
		if err := send(reply); err != nil {
			return err
		}
	}
}

// writeLabels fits a method and writes the predicted labels to labelsFile.
func (r *fitRequest) writeLabels(method Method) error {
	train, err := r.readSet(r.Train)
	if err != nil {
		return err
	}
	y, err := os.ReadFile(r.Labels)
	if err != nil {
		return err
	}
	for i := range train.Y {
		train.Y[i] = int(binary.LittleEndian.Uint32(arrayValues(y)[4*i:]))
	}
	test, err := r.readSet(r.Test)
	if err != nil {
		return err
	}
	labels, err := method(train, test, r.Params)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.Out, labelsFile), labelsArray(labels), 0o600)
}

// readSet reads a data set without labels from a NumPy file of 64-bit floating-point numbers in
// column-major order.
func (r *fitRequest) readSet(path string) (*dataset.Set, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := arrayValues(file)
	columns := make([]float64, len(values)/8) // one after another
	if _, err := binary.Decode(values, binary.LittleEndian, columns); err != nil {
		return nil, err
	}
	n := len(columns) / len(r.Names)
	transposed := mat.NewDense(len(r.Names), n, columns) // its rows are the columns of the data set
	x := mat.DenseCopyOf(transposed.T())
	set := &dataset.Set{X: x, Y: make([]int, n), Classes: r.Classes}
	for j, name := range r.Names {
		a := dataset.Attribute{Name: name}
		if r.Kinds[j] == "discrete" {
			a.Kind, a.Levels = dataset.Discrete, r.Levels[name]
		}
		set.Attributes = append(set.Attributes, a)
	}
	return set, nil
}

// npyBegin contains the first bytes of a NumPy file. The next two bytes contain the length of the
// header.
const npyBegin = "\x93NUMPY\x01\x00"

// arrayValues returns the bytes that follow the header of a NumPy file.
func arrayValues(file []byte) []byte {
	header := binary.LittleEndian.Uint16(file[len(npyBegin):])
	return file[len(npyBegin)+2+int(header):]
}

// labelsArray returns the content of a NumPy file with the labels as 32-bit integers.
func labelsArray(labels []int) []byte {
	header := fmt.Sprintf("{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }", len(labels))
	header += strings.Repeat(" ", 117-len(header)) + "\n" // the values begin at byte 128
	file := binary.LittleEndian.AppendUint16([]byte(npyBegin), uint16(len(header)))
	file = append(file, header...)
	for _, label := range labels {
		file = binary.LittleEndian.AppendUint32(file, uint32(label))
	}
	return file
}
