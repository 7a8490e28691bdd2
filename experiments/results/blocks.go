package results

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
)

// A blockReader reads the blocks of a file of predictions, one after the other.
type blockReader struct {
	path    string
	file    *os.File // nil: there is no file
	csv     *csv.Reader
	ahead   []string // the first line of the next block; nil: there is none
	classes int
	rows    func(block) int // most rows of a wanted block, 0 to skip a block; nil: all blocks are wanted
	err     error
}

// openBlocks opens a file of blocks. If there is no such file, the reader has no blocks.
func openBlocks(path string) (*blockReader, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return &blockReader{}, nil
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

// begin reads the header and the first line.
func (r *blockReader) begin() error {
	zipped, err := gzip.NewReader(r.file)
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	r.csv = csv.NewReader(&boundedLines{Reader: zipped})
	head, err := r.csv.Read()
	if errors.Is(err, io.EOF) {
		return nil // without blocks there is no header
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	r.classes = (len(head) - len(leadColumns)) / 2 // each class has a score and a probability
	if !slices.Equal(head, predictionHeader(r.classes)) {
		return fmt.Errorf("%s: the header is %q, expected %s and as many of score_ and p_ as there are classes",
			r.path, head, strings.Join(leadColumns, ","))
	}
	r.advance()
	return r.err
}

func (r *blockReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// advance reads the next line into ahead.
func (r *blockReader) advance() {
	line, err := r.csv.Read()
	if err == nil {
		r.ahead = line
		return
	}
	r.ahead = nil
	if !errors.Is(err, io.EOF) {
		r.err = fmt.Errorf("%s: %w", r.path, err)
	}
}

// next returns the next block. ok is false after the last one and after an error, which r.err has.
// A block that is not wanted has no lines.
func (r *blockReader) next() (b block, ok bool) {
	if r.ahead == nil || r.err != nil {
		return block{}, false
	}
	first := r.ahead
	replicate, err := strconv.Atoi(first[0])
	if err != nil || replicate < 1 {
		r.err = fmt.Errorf("%s: replicate %q", r.path, first[0])
		return block{}, false
	}
	b = block{replicate: replicate, classifier: first[1], recipe: first[2]}
	most := math.MaxInt
	if r.rows != nil {
		most = r.rows(b)
	}
	for r.ahead != nil && slices.Equal(r.ahead[:3], first[:3]) { // replicate, classifier and recipe
		switch {
		case most == 0: // not wanted
		case len(b.lines) == most:
			r.err = fmt.Errorf("%s: replicate %d, %s: more rows than the %d of the record", r.path, b.replicate,
				b.classifier, most)
			return block{}, false
		default:
			b.lines = append(b.lines, r.ahead)
		}
		r.advance()
	}
	return b, r.err == nil
}

// readBlocks yields all blocks of a file.
func readBlocks(path string, each func(b block) error) error {
	r, err := openBlocks(path)
	if err != nil {
		return err
	}
	defer r.close()
	for b, ok := r.next(); ok; b, ok = r.next() {
		if err := each(b); err != nil {
			return err
		}
	}
	return r.err
}

// PredictionFiles lists the files of predictions of a folder, one for each cell.
func PredictionFiles(dir string) ([]string, error) {
	return filesIn(filepath.Join(dir, folder.Predictions))
}

// filesIn lists the files of predictions in dir by name; none if there is no such folder.
func filesIn(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), predictionSuffix) && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, err
}
