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

// SumsName lists the checksums of the cells' files, for sha256sum -c.
const SumsName = "sha256sums"

// Gather puts the parts of finished trials into the files of their cells and lists
// the checksums. The caller holds the folder's lock. What a part says replaces what
// the file said of the same classifier, recipe and replicate.
func Gather(dir string) error {
	parts, err := filesIn(partsOf(dir))
	if err != nil || len(parts) == 0 {
		return err
	}
	byCell := map[string][]string{}
	for _, p := range parts {
		cell, _, _ := strings.Cut(filepath.Base(p), "-")
		byCell[cell] = append(byCell[cell], p)
	}
	for cell, parts := range byCell {
		if err := gatherCell(filepath.Join(dir, folder.Predictions, cell+suffix), parts); err != nil {
			return err
		}
	}
	if err := writeSums(dir); err != nil {
		return err
	}
	for _, p := range parts {
		if err := os.Remove(p); err != nil {
			return err
		}
	}
	return nil
}

// gatherCell merges a cell's file with its parts, a replicate at a time.
func gatherCell(path string, parts []string) error {
	old, err := open(path)
	if err != nil {
		return err
	}
	defer old.Close()
	return writeBlocks(path, func(put func(block) error) error {
		kept, more := old.next()
		for more || len(parts) > 0 {
			replicate := kept.replicate
			if next := replicateOf(parts); next > 0 && (!more || next < replicate) {
				replicate = next
			}
			var blocks []block
			for ; more && kept.replicate == replicate; kept, more = old.next() {
				blocks = append(blocks, kept)
			}
			for ; replicateOf(parts) == replicate; parts = parts[1:] {
				if err := read(parts[0], func(b block) error { blocks = replace(blocks, b); return nil }); err != nil {
					return err
				}
			}
			if old.err != nil {
				return old.err
			}
			sortBlocks(blocks)
			for _, b := range blocks {
				if err := put(b); err != nil {
					return err
				}
			}
		}
		return old.err
	})
}

// replicateOf is the first part's, 0 without one.
func replicateOf(parts []string) int {
	if len(parts) == 0 {
		return 0
	}
	fields := strings.Split(filepath.Base(parts[0]), "-")
	n, _ := strconv.Atoi(fields[1])
	return n
}

func replace(blocks []block, b block) []block {
	blocks = slices.DeleteFunc(blocks, func(o block) bool { return o.classifier == b.classifier && o.recipe == b.recipe })
	return append(blocks, b)
}

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
	r.advance()
	return r, r.err
}

func (r *reader) Close() {
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
	defer r.Close()
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

func writeSums(dir string) error {
	files, err := Files(dir)
	if err != nil {
		return err
	}
	return folder.WriteFile(filepath.Join(dir, folder.Predictions, SumsName), func(w io.Writer) error {
		for _, f := range files {
			sum, err := folder.Digest(f)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s  %s\n", sum, filepath.Base(f)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Check returns what contradicts the list of checksums, and the number of files.
func Check(dir string) (problems []string, files int, err error) {
	list, err := Files(dir)
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	text, err := os.ReadFile(filepath.Join(dir, folder.Predictions, SumsName))
	if err != nil {
		return nil, 0, err
	}
	said := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			said[name] = sum
		}
	}
	for _, f := range list {
		sum, err := folder.Digest(f)
		if err != nil {
			return nil, 0, err
		}
		if name := filepath.Base(f); said[name] != sum {
			problems = append(problems, fmt.Sprintf("%s: its SHA-256 is %s, %s says %q", name, sum, SumsName, said[name]))
		}
		delete(said, filepath.Base(f))
	}
	for name := range said {
		problems = append(problems, name+" is gone")
	}
	slices.Sort(problems)
	return problems, len(list), nil
}
