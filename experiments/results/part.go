package results

import (
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
)

// A JournalPart is what a journal began with when the records were written from it.
// As long as all journals do, they know every row of the records.
type JournalPart struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	CRC32C string `json:"crc32c"`
}

// A partReader sums up what is read of a journal.
type partReader struct {
	io.Reader
	began JournalPart // what it shall have begun with; no name: nothing is known of it
	held  bool        // it did
	bytes int64
	sum   uint32
}

func (r *partReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	rest := p[:n]
	if left := r.began.Bytes - r.bytes; left > 0 && left <= int64(n) {
		r.take(rest[:left])
		r.held, rest = r.part("").CRC32C == r.began.CRC32C, rest[left:]
	}
	r.take(rest)
	return n, err
}

func (r *partReader) take(p []byte) {
	r.bytes, r.sum = r.bytes+int64(len(p)), crc32.Update(r.sum, castagnoli, p)
}

// part is what was read so far.
func (r *partReader) part(path string) JournalPart {
	return JournalPart{filepath.Base(path), r.bytes, fmt.Sprintf("%08x", r.sum)}
}

// partOf finds a journal's part by its path.
func partOf(parts []JournalPart, path string) (part JournalPart) {
	if i := slices.IndexFunc(parts, func(p JournalPart) bool { return p.Name == filepath.Base(path) }); i >= 0 {
		part = parts[i]
	}
	return part
}
