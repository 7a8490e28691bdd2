package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/folder"
	"copse/stats/metrics"
	"copse/stats/records"
)

// Kept predictions are read only if they agree with the results of the folder: their file has the
// SHA-256 in the list of checksums, and each fit has the number of test rows, the errors and the
// confusion matrix of its record.

// readKept calls each with the predictions of a cell whose record find returns. A file that is
// damaged or forged, or that is listed but gone, is an error.
func readKept(
	dir, cell string, find func(replicate int, classifier, recipe string) (records.Record, bool),
	each func(row records.Record, p *metrics.Predictions) error,
) error {
	path, err := checkedPredictions(dir, cell)
	if err != nil || path == "" {
		return err
	}
	r, err := openBlocks(path)
	if err != nil {
		return err
	}
	defer r.close()
	r.rows = func(b block) int {
		row, ok := find(b.replicate, b.classifier, b.recipe)
		if !ok {
			return 0
		}
		return row.NTest
	}
	for b, ok := r.next(); ok; b, ok = r.next() {
		row, known := find(b.replicate, b.classifier, b.recipe)
		if !known {
			continue
		}
		p, err := b.agreeing(&row)
		if err == nil {
			err = each(row, p)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return r.err
}

// checkedPredictions returns the path of a cell's predictions, whose checksum is as listed; "" if
// there are none.
func checkedPredictions(dir, cell string) (string, error) {
	path := filepath.Join(dir, folder.Predictions, cell+predictionSuffix)
	listed, err := listedSums(dir)
	if err != nil {
		return "", err
	}
	want := listed[filepath.Base(path)]
	got, err := folder.Digest(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && want == "":
		return "", nil
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf(
			"%s is gone, although %s lists it; run the study again, or restore the file",
			path,
			PredictionSums,
		)
	case err != nil:
		return "", err
	case got != want:
		return "", fmt.Errorf(
			"%s has the SHA-256 %s, %s lists %q: the file is damaged or not copse's; copse report %s gathers what "+
				"a kill left",
			path,
			got,
			PredictionSums,
			want,
			dir,
		)
	}
	return path, nil
}

// listedSums returns the list of checksums, by file; empty if there is no list.
func listedSums(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, folder.Predictions, PredictionSums))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			sums[name] = sum
		}
	}
	return sums, nil
}

// agreeing returns the predictions of a block. It returns an error if they do not give the errors
// and the confusion matrix of the record.
func (b *block) agreeing(row *records.Record) (*metrics.Predictions, error) {
	if len(b.lines) != row.NTest {
		return nil, fmt.Errorf(
			"replicate %d, %s: %d rows, the record has %d test rows",
			b.replicate,
			b.classifier,
			len(b.lines),
			row.NTest,
		)
	}
	p, err := b.predictions()
	if err != nil {
		return nil, err
	}
	wrong := 0
	for i, truth := range p.Truth {
		if p.Labels[i] != truth {
			wrong++
		}
	}
	confusion := metrics.NewConfusion(b.classes(), p.Truth, p.Labels)
	if wrong != row.Errors || row.Confusion != nil && !slices.Equal(confusion, row.Confusion) {
		return nil, fmt.Errorf(
			"replicate %d, %s: the predictions have %d errors and the confusion matrix %v, the record has %d and %v",
			b.replicate,
			b.classifier,
			wrong,
			confusion,
			row.Errors,
			row.Confusion,
		)
	}
	return p, nil
}

// longestPrediction bounds a line of predictions, in bytes.
const longestPrediction = 1 << 20

// A boundedLines reads lines that are not longer than longestPrediction.
type boundedLines struct {
	io.Reader
	length int // of the present line
}

// Read fails within a line that is too long.
func (r *boundedLines) Read(buffer []byte) (int, error) {
	n, err := r.Reader.Read(buffer)
	for _, c := range buffer[:n] {
		if r.length++; c == '\n' {
			r.length = 0
		}
		if r.length > longestPrediction {
			return 0, fmt.Errorf("a line of more than %d bytes", longestPrediction)
		}
	}
	return n, err
}
