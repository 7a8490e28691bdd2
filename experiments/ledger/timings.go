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
		fields := []string{r.Cell, strconv.Itoa(r.Replicate), r.Classifier, strconv.FormatFloat(r.Fit, 'f', 6, 64), strconv.FormatFloat(r.Predict, 'f', 6, 64), ""}
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
	if short := timingColumns[:len(timingColumns)-1]; err != nil || !slices.Equal(header, timingColumns) && !slices.Equal(header, short) {
		return nil, fmt.Errorf("%s is not as copse writes it: move it away", path)
	}
	return in, nil
}

// A timing is what a row of timings.csv says.
type timing struct {
	fit, predict float64 // seconds
	peak         int64   // bytes; 0: not known
}

// readTimings reads timings.csv. A folder without the file has no times.
func readTimings(dir string) (map[timingKey]timing, error) {
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
	times := map[timingKey]timing{}
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
		var peak uint64
		var err4 error
		if len(fields) == len(timingColumns) && fields[5] != "" {
			peak, err4 = strconv.ParseUint(fields[5], 10, 63)
		}
		if err := errors.Join(err1, err2, err3, err4, seconds(fit), seconds(predict)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w; restore the file, or delete it to go on without times", path, line, err)
		}
		times[timingKey{fields[0], replicate, fields[2]}] = timing{fit, predict, int64(peak)}
	}
}

// seconds refuses what no clock shows.
func seconds(s float64) error {
	if !(s >= 0) || math.IsInf(s, 1) {
		return fmt.Errorf("%v are no seconds", s)
	}
	return nil
}
