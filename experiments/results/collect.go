package results

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats/records"
)

// Collect writes study.yaml, records.csv, timings.csv and manifest.json from
// what the folder's journals hold.
func Collect(dir string, s *study.Study) error {
	return folder.Locked(dir, func() error { return collect(dir, s) })
}

func collect(dir string, s *study.Study) error {
	ledger, err := Read(dir, s.Name, s.Seed)
	if err != nil {
		return err
	}
	if err := KeepImported(dir, ledger); err != nil {
		return err
	}
	if err := WriteStudy(dir, s); err != nil {
		return err
	}
	records := ledger.Select(s)
	path := folder.RecordsFile(dir)
	if err := folder.WriteFile(path, func(w io.Writer) error { return records.Write(w, folder.IsZipped(path)) }); err != nil {
		return err
	}
	times := filepath.Join(dir, folder.Timings)
	if err := folder.WriteFile(times, records.WriteTimings); err != nil {
		return err
	}
	m := ledger.Manifest(s, records)
	if len(ledger.imported) == 0 {
		m.Journals = ledger.parts
	}
	if m.TimingsSHA256, err = folder.Digest(times); err != nil {
		return err
	}
	if err := m.addPredictions(dir); err != nil {
		return err
	}
	if m.RecordsSHA256, err = folder.RecordsDigest(path); err != nil {
		return err
	}
	if m.ConfigSHA256, err = folder.Digest(filepath.Join(dir, folder.Study)); err != nil {
		return err
	}
	return writeManifest(dir, m)
}

// Write writes the records one by one: they are not spelled out in memory.
func (c *Selection) Write(w io.Writer, zip bool) error {
	if zip {
		zipped := gzip.NewWriter(w) // without name and time, so equal records give equal bytes
		return errors.Join(c.Write(zipped, false), zipped.Close())
	}
	out, err := records.NewWriter(w, c.Study, c.columns())
	if err != nil {
		return err
	}
	for r := range c.all() {
		if err := out.Write(&r); err != nil {
			return err
		}
	}
	return out.Flush()
}

// columns returns the columns that the records need: a confusion matrix if any
// result has one.
func (c *Selection) columns() records.Columns {
	columns := records.Columns{Factors: records.FactorNames(c.Factors), Metrics: c.Metrics}
	for r := range c.all() {
		if columns.Confusion = len(r.Confusion) > 0; columns.Confusion {
			break
		}
	}
	return columns
}

// WriteStudy writes the resolved configuration, unless it is there.
func WriteStudy(dir string, s *study.Study) error {
	text, err := s.YAML()
	if err == nil {
		err = CheckStudy(dir, s)
	}
	if err != nil {
		return err
	}
	path := filepath.Join(dir, folder.Study)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return folder.WriteBytes(path, text)
}

// CheckStudy refuses a folder whose study.yaml is neither what copse wrote nor the
// file that the study was read from, or whose timings are another's: they would be
// replaced.
func CheckStudy(dir string, s *study.Study) error {
	if err := checkTimings(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, folder.Study)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !sameFile(path, s.File) && !wroteStudy(dir, s, text) {
		err = fmt.Errorf("%s is not as copse wrote it: move it away, or choose another --out", path)
	}
	return err
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// wroteStudy tells whether a study.yaml is that of the manifest or of a session.
func wroteStudy(dir string, s *study.Study, text []byte) bool {
	if m, err := ReadManifest(dir); err == nil && m.ConfigSHA256 == fmt.Sprintf("%x", sha256.Sum256(text)) {
		return true
	}
	l, _ := Salvage(dir, s.Name, s.Seed)
	return slices.ContainsFunc(l.Sessions, func(o Session) bool { return o.Config == string(text) })
}
