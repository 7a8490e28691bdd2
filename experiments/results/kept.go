package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/folder"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/regular"
)

// Stored predictions are used only if the checksum of their file is correct, and if they agree with
// the record of the fit.

// readKept reads the predictions of a cell. For every fit that has a recipe in recipes and for
// which want returns true, it passes the record and the predictions to the function each. recipes
// maps classifier IDs to recipes.
//
// It returns an error if a checksum is wrong, or if predictions contradict the record of their fit.
func (s *store) readKept(
	dir, cell string, recipes map[string]string, want func(replicate int, r *storedResult) bool,
	each func(row records.Record, p *metrics.Predictions) error,
) error {
	if err := checkCellFile(dir, cell); err != nil {
		return err
	}
	parts, err := partsByCell(dir)
	if err != nil {
		return err
	}
	maxLines := func(b block) int {
		_, result := s.resultOf(&b, cell, recipes)
		if result == nil || !want(b.replicate, result) {
			return skipBlock
		}
		return s.lines[result.line].nTest // one line for each test row
	}
	return mergeBlocks(cellFile(dir, cell), parts[cell], maxLines, func(b block) error {
		isSkipped := len(b.lines) == 0
		if isSkipped {
			return nil
		}
		trial, result := s.resultOf(&b, cell, recipes)
		row := s.record(trial, result)
		p, err := b.checkedPredictions(&row)
		if err == nil {
			err = each(row, p)
		}
		if err != nil {
			return fmt.Errorf("%s: predictions of cell %s: %w", dir, cell, err)
		}
		return nil
	})
}

// resultOf returns the stored result of the fit with the predictions in the block b. It returns nil
// if there is none, or if the recipe of the fit is not in recipes.
func (s *store) resultOf(b *block, cell string, recipes map[string]string) (trialKey, *storedResult) {
	spec := recipes[b.classifier]
	if recipeDigest(spec) != b.recipe {
		return trialKey{}, nil
	}
	return s.find(cell, b.replicate, b.classifier, spec)
}

// checkCellFile returns an error if the prediction file of a cell does not have the listed
// checksum.
func checkCellFile(dir, cell string) error {
	path := cellFile(dir, cell)
	listed, err := listedSums(dir)
	if err != nil {
		return err
	}
	want, isListed := listed[filepath.Base(path)]
	if !isListed && !folder.Exists(path) {
		return nil
	}
	return checkSum(path, want)
}

// checkSum returns an error unless a prediction file exists and has the listed checksum, which is
// "" for an unlisted file.
func checkSum(path, listed string) error {
	sum, err := folder.Digest(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing, but %s lists it; restore the file, or run the study again",
			path, PredictionSums)
	case err != nil:
		return err
	case listed == "":
		return fmt.Errorf("%s is not in %s; if a run was killed, `copse report` repairs the list; otherwise move the "+
			"file out of the folder", path, PredictionSums)
	case sum != listed:
		return fmt.Errorf("%s has the SHA-256 %s, but %s lists %s; if a run was killed, `copse report` repairs "+
			"the list; otherwise restore the file, or delete it and run the study again",
			path, sum, PredictionSums, listed)
	}
	return nil
}

// listedSums reads the list of checksums into a map from file names.
func listedSums(dir string) (map[string]string, error) {
	text, err := regular.Read(sumsFile(dir))
	if folder.IgnoreMissing(err) != nil {
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

// checkedPredictions returns the predictions in a block. It returns an error if they contradict the
// record of the fit.
func (b *block) checkedPredictions(row *records.Record) (*metrics.Predictions, error) {
	if len(b.lines) != row.NTest {
		return nil, fmt.Errorf("replicate %d, %s: the file contains predictions for %d rows, but the record has %d "+
			"test rows", b.replicate, b.classifier, len(b.lines), row.NTest)
	}
	p, err := b.predictions()
	if err != nil {
		return nil, err
	}
	confusion := metrics.NewConfusion(b.classes(), p.Truth, p.Labels)
	wrong := confusion.Errors()
	hasOtherMatrix := row.Confusion != nil && !slices.Equal(confusion, row.Confusion)
	if wrong != row.Errors || hasOtherMatrix {
		return nil, fmt.Errorf("replicate %d, %s: the predictions have %d errors and the confusion matrix %v, but the "+
			"record has %d errors and the matrix %v", b.replicate, b.classifier, wrong, confusion, row.Errors,
			row.Confusion)
	}
	return p, nil
}

// longestPrediction is the maximum length of a line of predictions, in bytes.
const longestPrediction = 1 << 20

// A boundedLines is a reader that returns an error for a line longer than longestPrediction.
type boundedLines struct {
	io.Reader
	length int // of the current line so far
}

func (r *boundedLines) Read(buffer []byte) (int, error) {
	n, err := r.Reader.Read(buffer)
	for _, c := range buffer[:n] {
		if r.length++; c == '\n' {
			r.length = 0
		}
		if r.length > longestPrediction {
			return 0, fmt.Errorf("a line is longer than %d bytes", longestPrediction)
		}
	}
	return n, err
}
