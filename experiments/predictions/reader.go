package predictions

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
)

// A reader yields the blocks of a file.
type reader struct {
	path    string
	file    *os.File
	csv     *csv.Reader
	ahead   []string // the first line of the next block
	classes int
	err     error
}

// open opens a file of blocks; one that is not there has none.
func open(path string) (*reader, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return &reader{}, nil
	}
	if err != nil {
		return nil, err
	}
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	r := &reader{path: path, file: file, csv: csv.NewReader(zipped)}
	head, err := r.csv.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	if r.classes = (len(head) - len(leadColumns)) / 2; err == nil && !slices.Equal(head, header(r.classes)) {
		return nil, errors.Join(fmt.Errorf("%s: the header is %q, expected %s and as many of score_ and p_ as there are classes", path, head, strings.Join(leadColumns, ",")), file.Close())
	}
	if r.advance(); r.err != nil {
		return nil, errors.Join(r.err, file.Close())
	}
	return r, nil
}

func (r *reader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

func (r *reader) advance() {
	line, err := r.csv.Read()
	if r.ahead = line; err != nil {
		r.ahead = nil
		if !errors.Is(err, io.EOF) {
			r.err = fmt.Errorf("%s: %w", r.path, err)
		}
	}
}

// next returns the next block; false after the last, or at an error.
func (r *reader) next() (b block, ok bool) {
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
	for r.ahead != nil && slices.Equal(r.ahead[:3], first[:3]) {
		b.lines = append(b.lines, r.ahead)
		r.advance()
	}
	return b, r.err == nil
}

// read yields all blocks of a file.
func read(path string, each func(b block) error) error {
	r, err := open(path)
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

// Files lists the cells' files.
func Files(dir string) ([]string, error) {
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
		if strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, err
}
