package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"copse/experiments/folder"
)

type timingKey struct {
	cell      string
	replicate int
	id        string
}

// timingColumns, the last of which is there when a process of its own was
// measured.
var timingColumns = []string{"cell", "replicate", "classifier", "fit_seconds", "predict_seconds", "peak_bytes"}

// WriteTimings writes the seconds of each record's fit and prediction, and the
// memory of those that had a process of their own.
func (c *Selection) WriteTimings(w io.Writer) error {
	columns := len(timingColumns) - 1
	for r := range c.all() {
		if r.Peak > 0 {
			columns = len(timingColumns)
			break
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(timingColumns[:columns]); err != nil {
		return err
	}
	for r := range c.all() {
		fields := []string{
			r.Cell,
			strconv.Itoa(r.Replicate),
			r.Classifier,
			strconv.FormatFloat(r.Fit, 'f', 6, 64),
			strconv.FormatFloat(r.Predict, 'f', 6, 64),
			"",
		}
		if r.Peak > 0 {
			fields[5] = strconv.FormatInt(r.Peak, 10)
		}
		if err := out.Write(fields[:columns]); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// checkTimings refuses a timings.csv that is not one of copse's: it would be
// replaced.
func checkTimings(dir string) error {
	path := filepath.Join(dir, folder.Timings)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = newTimings(f, path)
	return err
}

func newTimings(r io.Reader, path string) (*csv.Reader, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = 0 // as the header has
	header, err := in.Read()
	if short := timingColumns[:len(timingColumns)-1]; err != nil ||
		!slices.Equal(header, timingColumns) && !slices.Equal(header, short) {
		return nil, fmt.Errorf("%s is not as copse writes it: move it away", path)
	}
	in.ReuseRecord = true
	return in, nil
}

// A timing is what a row of timings.csv says.
type timing struct {
	fit, predict float64 // seconds
	peak         int64   // bytes; 0: not known
}

// times reads timings.csv in step with records.csv, whose order it has. Rows that
// stand elsewhere are kept until they are asked for.
type times struct {
	path   string
	file   *os.File
	rows   *csv.Reader // nil: there are no more
	line   int
	passed map[timingKey]timing
}

// openTimes opens timings.csv. A folder without the file has no times.
func openTimes(dir string) (*times, error) {
	t := &times{path: filepath.Join(dir, folder.Timings), line: 1, passed: map[timingKey]timing{}}
	var err error
	if t.file, err = os.Open(t.path); errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil {
		t.rows, err = newTimings(t.file, t.path)
	}
	return t, err
}

func (t *times) close() {
	if t.file != nil {
		t.file.Close()
	}
}

// of returns the times of a result; those of one that has none are zero.
func (t *times) of(key timingKey) (timing, error) {
	if known, ok := t.passed[key]; ok {
		delete(t.passed, key)
		return known, nil
	}
	for t.rows != nil {
		at, read, err := t.next()
		if errors.Is(err, io.EOF) {
			t.rows = nil
			break
		}
		if err != nil || at == key {
			return read, err
		}
		t.passed[at] = read
	}
	return timing{}, nil
}

// next reads a row, and io.EOF after the last.
func (t *times) next() (at timingKey, read timing, err error) {
	fields, err := t.rows.Read()
	if errors.Is(err, io.EOF) {
		return at, read, err
	}
	if err != nil {
		return at, read, fmt.Errorf("%s: %w", t.path, err)
	}
	t.line++
	replicate, err1 := strconv.Atoi(fields[1])
	fit, err2 := strconv.ParseFloat(fields[3], 64)
	predict, err3 := strconv.ParseFloat(fields[4], 64)
	var peak uint64
	var err4 error
	if len(fields) == len(timingColumns) && fields[5] != "" {
		peak, err4 = strconv.ParseUint(fields[5], 10, 63)
	}
	if err := errors.Join(err1, err2, err3, err4, seconds(fit), seconds(predict)); err != nil {
		return at, read, fmt.Errorf(
			"%s:%d: %w; restore the file, or delete it to go on without times",
			t.path,
			t.line,
			err,
		)
	}
	return timingKey{fields[0], replicate, fields[2]}, timing{fit, predict, int64(peak)}, nil
}

// seconds refuses what no clock shows.
func seconds(s float64) error {
	if !(s >= 0) || math.IsInf(s, 1) {
		return fmt.Errorf("%v are no seconds", s)
	}
	return nil
}
