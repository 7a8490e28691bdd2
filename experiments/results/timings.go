package results

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"copse/experiments/folder"
	"copse/stats/regular"
)

// timingColumns lists the columns of timings.csv. The last one is omitted if no record has a value.
var timingColumns = []string{"cell", "replicate", "classifier", "fit_seconds", "predict_seconds", "peak_bytes"}

// WriteTimings writes timings.csv: the times of each fit and prediction in seconds, and the peak
// memory in bytes of fits in separate processes.
func (c *Selection) WriteTimings(w io.Writer) error {
	columns := timingColumns
	hasPeak := func(r *storedResult) bool { return r.peak > 0 }
	if !c.hasRecord(hasPeak) {
		columns = columns[:len(columns)-1] // without the peak memory
	}
	out := csv.NewWriter(w)
	out.Write(columns) // out.Error returns any error of out.Write
	for at, r := range c.eachResult(anyResult) {
		peak := ""
		if r.peak > 0 {
			peak = strconv.FormatInt(r.peak, 10)
		}
		fields := []string{
			at.cell.ID,
			strconv.Itoa(int(at.trial.replicate)),
			c.store.recipes.values[r.recipe].id,
			strconv.FormatFloat(r.fit, 'f', 6, 64),
			strconv.FormatFloat(r.predict, 'f', 6, 64),
			peak,
		}
		out.Write(fields[:len(columns)])
	}
	out.Flush()
	return out.Error()
}

// checkTimings returns an error if another program wrote timings.csv.
func checkTimings(dir string) error {
	file, _, err := openTimings(filepath.Join(dir, folder.Timings))
	if err != nil {
		return folder.IgnoreMissing(err)
	}
	return file.Close()
}

// openTimings opens a timings file and reads its header.
func openTimings(path string) (file *os.File, rows *csv.Reader, err error) {
	if file, err = regular.Open(path); err != nil {
		return nil, nil, err
	}
	rows = csv.NewReader(file) // which requires that all lines have as many fields as the header
	header, err := rows.Read()
	withoutPeak := timingColumns[:len(timingColumns)-1]
	if err != nil || !slices.Equal(header, timingColumns) && !slices.Equal(header, withoutPeak) {
		file.Close()
		return nil, nil, fmt.Errorf("%s does not have the header that copse writes; move the file out of the folder",
			path)
	}
	return file, rows, nil
}

// A timingKey identifies a result by cell, replicate and classifier id.
type timingKey struct {
	cell      string
	replicate int
	id        string
}

type timing struct {
	fit, predict float64 // seconds
	peak         int64   // bytes; 0: not measured
}

// readTimings reads timings.csv. The map is empty without this file.
func readTimings(dir string) (map[timingKey]timing, error) {
	times := map[timingKey]timing{}
	path := filepath.Join(dir, folder.Timings)
	file, rows, err := openTimings(path)
	if err != nil {
		return times, folder.IgnoreMissing(err)
	}
	defer file.Close()
	for line := 2; ; line++ { // line 1 is the header
		fields, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return times, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		key, t, err := parseTiming(fields)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w; restore the file, or delete it to continue without times", path,
				line, err)
		}
		times[key] = t
	}
}

// parseTiming decodes a row of timings.csv. t.peak is 0 if the row contains no peak memory.
func parseTiming(fields []string) (key timingKey, t timing, err error) {
	replicate, errReplicate := strconv.Atoi(fields[1])
	fit, errFit := parseSeconds(fields[3])
	predict, errPredict := parseSeconds(fields[4])
	var peak uint64
	if len(fields) == len(timingColumns) && fields[5] != "" {
		peak, err = strconv.ParseUint(fields[5], 10, 63) // not negative, and small enough for an int64
	}
	key = timingKey{cell: fields[0], replicate: replicate, id: fields[2]}
	t = timing{fit: fit, predict: predict, peak: int64(peak)}
	return key, t, cmp.Or(errReplicate, errFit, errPredict, err)
}

// parseSeconds parses a finite, nonnegative number of seconds.
func parseSeconds(text string) (float64, error) {
	s, err := strconv.ParseFloat(text, 64)
	if err == nil && (!(s >= 0) || math.IsInf(s, 1)) {
		err = fmt.Errorf("%s is not a number of seconds", text)
	}
	return s, err
}
