package results

import (
	"compress/gzip"
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
	"strings"

	"copse/experiments/folder"
	"copse/stats/regular"
)

// A blockReader reads a file of predictions in blocks.
type blockReader struct {
	path    string
	file    *os.File // nil if the file does not exist
	csv     *csv.Reader
	classes int
	line    []string // the first line of the next block
	err     error    // the error of reading this line; io.EOF at the end

	maxLines func(block) int // the largest allowed number of lines of a block, or skipBlock
}

// skipBlock as the largest number of lines of a block means that the block is skipped.
const skipBlock = 0

// allLines allows a block to have any number of lines.
func allLines(block) int { return math.MaxInt }

// openBlocks opens a file of predictions. A missing file has no blocks.
func openBlocks(path string) (*blockReader, error) {
	file, err := regular.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return &blockReader{err: io.EOF}, nil
	}
	if err != nil {
		return nil, err
	}
	r := &blockReader{path: path, file: file}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

// begin reads the header and the first line after it.
func (r *blockReader) begin() error {
	zipped, err := gzip.NewReader(r.file)
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	r.csv = csv.NewReader(&boundedLines{Reader: zipped})
	head, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		r.err = err
		return nil // a file without blocks has no header
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	r.classes = (len(head) - len(leadColumns)) / 2 // each class has a score and a probability
	if !slices.Equal(head, predictionHeader(r.classes)) {
		return fmt.Errorf("%s: the header is %q; expected the columns %s, followed by score_0, ... and p_0, ... with "+
			"one column per class", r.path, head, strings.Join(leadColumns, ","))
	}
	r.advance()
	return nil
}

func (r *blockReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// advance reads the next line.
func (r *blockReader) advance() {
	if r.line, r.err = r.csv.Read(); r.err != nil && !errors.Is(r.err, io.EOF) {
		r.err = fmt.Errorf("%s: %w", r.path, r.err)
	}
}

// next returns the next block: consecutive lines with the same replicate, classifier and recipe.
// A skipped block has no lines. At the end of the file, the error is io.EOF.
func (r *blockReader) next() (block, error) {
	if r.err != nil {
		return block{}, r.err
	}
	first := r.line
	replicate, err := strconv.Atoi(first[0])
	if err != nil || replicate < 1 {
		return block{}, fmt.Errorf("%s: replicate %q is not a positive integer", r.path, first[0])
	}
	b := block{replicate: replicate, classifier: first[1], recipe: first[2]}
	maxLines := r.maxLines(b)
	for r.err == nil && slices.Equal(r.line[:blockColumns], first[:blockColumns]) {
		switch {
		case maxLines == skipBlock:
		case len(b.lines) == maxLines:
			return block{}, fmt.Errorf("%s: replicate %d, %s has more rows of predictions than the %d test rows in "+
				"its record", r.path, b.replicate, b.classifier, maxLines)
		default:
			b.lines = append(b.lines, r.line)
		}
		r.advance()
	}
	if errors.Is(r.err, io.EOF) {
		return b, nil // the next call returns io.EOF
	}
	return b, r.err
}

// readBlocks passes every block of a file to the function each. maxLines(b) returns the largest
// allowed number of lines of a block b, or skipBlock.
func readBlocks(path string, maxLines func(block) int, each func(b block) error) error {
	r, err := openBlocks(path)
	if err != nil {
		return err
	}
	defer r.close()
	r.maxLines = maxLines
	for {
		b, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = each(b)
		}
		if err != nil {
			return err
		}
	}
}

// PredictionFiles returns the paths of the prediction files of cells.
func PredictionFiles(dir string) ([]string, error) {
	return filesIn(filepath.Join(dir, folder.Predictions))
}

// WaitingPredictions returns the paths of the prediction files of single trials that
// GatherPredictions has not merged yet.
func WaitingPredictions(dir string) ([]string, error) { return filesIn(partsOf(dir)) }

// filesIn returns the prediction files in dir, sorted by name.
func filesIn(dir string) ([]string, error) {
	return folder.Files(dir, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), predictionSuffix) && !strings.HasPrefix(e.Name(), ".")
	})
}
