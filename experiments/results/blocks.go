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

// A blockReader yields the blocks of a file.
type blockReader struct {
	path    string
	file    *os.File
	csv     *csv.Reader
	ahead   []string // the first line of the next block
	classes int
	rows    func(block) int // of a block that is wanted, 0 of others; nil: all blocks are
	err     error
}

// openBlocks opens a file of blocks; one that is not there has none.
func openBlocks(path string) (*blockReader, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return &blockReader{}, nil
	}
	if err != nil {
		return nil, err
	}
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	r := &blockReader{path: path, file: file, csv: csv.NewReader(&boundedLines{Reader: zipped})}
	head, err := r.csv.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	if r.classes = (len(head) - len(leadColumns)) / 2; err == nil && !slices.Equal(head, predictionHeader(r.classes)) {
		return nil, errors.Join(
			fmt.Errorf(
				"%s: the header is %q, expected %s and as many of score_ and p_ as there are classes",
				path,
				head,
				strings.Join(leadColumns, ","),
			),
			file.Close(),
		)
	}
	if r.advance(); r.err != nil {
		return nil, errors.Join(r.err, file.Close())
	}
	return r, nil
}

func (r *blockReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

func (r *blockReader) advance() {
	line, err := r.csv.Read()
	if r.ahead = line; err != nil {
		r.ahead = nil
		if !errors.Is(err, io.EOF) {
			r.err = fmt.Errorf("%s: %w", r.path, err)
		}
	}
}

// next returns the next block; false after the last, or at an error.
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
	for r.ahead != nil && slices.Equal(r.ahead[:3], first[:3]) {
		if len(b.lines) == most && most > 0 {
			r.err = fmt.Errorf(
				"%s: replicate %d, %s: more rows than the %d of the record",
				r.path,
				b.replicate,
				b.classifier,
				most,
			)
			return block{}, false
		}
		if most > 0 {
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

// PredictionFiles lists the cells' files.
func PredictionFiles(dir string) ([]string, error) {
	return filesIn(filepath.Join(dir, folder.Predictions))
}

// filesIn lists the files of predictions in a folder by name; none where there is
// no folder.
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
