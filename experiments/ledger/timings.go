package ledger

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"copse/experiments/folder"
)

type timingKey struct {
	cell      string
	replicate int
	id        string
}

var timingColumns = []string{"cell", "replicate", "classifier", "fit_seconds", "predict_seconds"}

// writeTimings writes the seconds of each record's fit and prediction.
func (c *Selection) writeTimings(path string) error {
	return folder.WriteFile(path, func(w io.Writer) error {
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
	})
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
	in := csv.NewReader(f)
	in.FieldsPerRecord = len(timingColumns)
	if _, err := in.Read(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
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
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		times[timingKey{fields[0], replicate, fields[2]}] = [2]float64{fit, predict}
	}
}
