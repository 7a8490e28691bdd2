package results

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/stats/records"
)

// ExportFormats are the formats that Export writes.
var ExportFormats = []string{"csv", "parquet"}

// An exporter takes records one by one.
type exporter interface {
	Write(*records.Record) error
	Close() error
}

// Export writes a folder's records in a format and returns their number. It
// holds a few thousand rows at a time, and refuses records that are not those
// of the manifest.
func Export(dir, format string, w io.Writer) (rows int, err error) {
	path, err := records.Path(dir)
	if err != nil {
		return 0, fmt.Errorf("%w; copse report %s collects them", err, dir)
	}
	m, err := readManifest(dir)
	if err != nil {
		return 0, err
	}
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	plain := io.Reader(file)
	if folder.IsZipped(path) {
		if plain, err = gzip.NewReader(file); err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	h := sha256.New()
	in, err := records.NewReader(io.TeeReader(plain, h), path)
	if err != nil {
		return 0, err
	}
	out, err := newExporter(w, format, m, in.Columns)
	if err != nil {
		return 0, err
	}
	for ; ; rows++ {
		r, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return rows, err
		}
		if err := out.Write(&r); err != nil {
			return rows, err
		}
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != m.RecordsSHA256 {
		return rows, fmt.Errorf(
			"%s is not the file that %s describes: its SHA-256 is %s, not %s",
			path,
			folder.Manifest,
			sum,
			m.RecordsSHA256,
		)
	}
	return rows, out.Close()
}

func newExporter(w io.Writer, format string, m *Manifest, columns records.Columns) (exporter, error) {
	switch format {
	case "csv":
		out, err := records.NewWriter(w, m.Study, columns)
		return csvExporter{out}, err
	case "parquet":
		return newParquet(w, m, columns), nil
	}
	return nil, fmt.Errorf("unknown format %q%s", format, config.DidYouMean(format, ExportFormats))
}

type csvExporter struct{ *records.Writer }

func (c csvExporter) Close() error { return c.Flush() }
