package ledger

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

var timingColumns = []string{"cell", "replicate", "classifier", "fit_seconds", "predict_seconds"}

// WriteTimings writes the seconds of each record's fit and prediction.
func (c *Selection) WriteTimings(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(timingColumns); err != nil {
		return err
	}
	for _, r := range c.rows() {
		err := out.Write([]string{r.Cell, strconv.Itoa(r.Replicate), r.ID,
			strconv.FormatFloat(r.Fit, 'f', 6, 64), strconv.FormatFloat(r.Predict, 'f', 6, 64)})
		if err != nil {
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
	in.FieldsPerRecord = len(timingColumns)
	if header, err := in.Read(); err != nil || !slices.Equal(header, timingColumns) {
		return nil, fmt.Errorf("%s is not as copse writes it: move it away", path)
	}
	return in, nil
}

// readTimings reads timings.csv: fit and predict seconds by row. A folder
// without the file has no times.
func readTimings(dir string) (map[timingKey][2]float64, error) {
	path := filepath.Join(dir, folder.Timings)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := newTimings(f, path)
	if err != nil {
		return nil, err
	}
	times := map[timingKey][2]float64{}
	for line := 2; ; line++ {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return times, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		replicate, err1 := strconv.Atoi(fields[1])
		fit, err2 := strconv.ParseFloat(fields[3], 64)
		predict, err3 := strconv.ParseFloat(fields[4], 64)
		if err := errors.Join(err1, err2, err3, seconds(fit), seconds(predict)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w; restore the file, or delete it to go on without times", path, line, err)
		}
		times[timingKey{fields[0], replicate, fields[2]}] = [2]float64{fit, predict}
	}
}

// seconds refuses what no clock shows.
func seconds(s float64) error {
	if !(s >= 0) || math.IsInf(s, 1) {
		return fmt.Errorf("%v are no seconds", s)
	}
	return nil
}
