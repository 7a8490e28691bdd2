package experiments

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"copse/stats/records"
)

// keepImported turns rows that came from records.csv into a journal, before
// anything is added beside them.
func keepImported(dir string, l *Ledger) error {
	files, err := journalFiles(dir)
	if err != nil || len(files) > 0 || l.store.n == 0 {
		return err
	}
	folder := filepath.Join(dir, "journal")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return WriteFile(filepath.Join(folder, "imported.jsonl"), func(w io.Writer) error {
		for i := range l.Sessions {
			if err := writeLine(w, &l.Sessions[i]); err != nil {
				return err
			}
		}
		for _, t := range l.store.asTrials() {
			if err := writeLine(w, t); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeLine(w io.Writer, content any) error {
	line, err := encodeLine(content)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// Collect writes study.yaml, records.csv, timings.csv and manifest.json from
// what the folder's journals hold.
func Collect(dir string, s *Study) error {
	return WithOutputs(dir, func() error { return collect(dir, s) })
}

func collect(dir string, s *Study) error {
	ledger, err := ReadLedger(dir, s.Name, s.Seed)
	if err != nil {
		return err
	}
	text, err := s.YAML()
	if err != nil {
		return err
	}
	if err := writeStudy(dir, text); err != nil {
		return err
	}
	records := ledger.selectFor(s)
	path := recordsFile(dir)
	if err := WriteFile(path, func(w io.Writer) error { return records.write(w, isZipped(path)) }); err != nil {
		return err
	}
	if err := records.writeTimings(filepath.Join(dir, timingsName)); err != nil {
		return err
	}
	m := ledger.manifest(s, records)
	if m.RecordsSHA256, err = recordsDigest(path); err != nil {
		return err
	}
	if m.ConfigSHA256, err = fileDigest(filepath.Join(dir, studyName)); err != nil {
		return err
	}
	return writeManifest(dir, m)
}

// write writes the records one by one: they are not spelled out in memory.
func (c *Collection) write(w io.Writer, zip bool) error {
	if zip {
		zipped := gzip.NewWriter(w) // without name and time, so equal records give equal bytes
		return errors.Join(c.write(zipped, false), zipped.Close())
	}
	var factors []string
	for _, f := range c.Factors {
		factors = append(factors, f.Name)
	}
	out, err := records.NewWriter(w, c.Study, factors)
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

// writeStudy writes the resolved configuration, unless it is there.
func writeStudy(dir string, text []byte) error {
	path := filepath.Join(dir, studyName)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return WriteFile(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// recordsFile is where the records of a folder go: in the form, plain or
// zipped, that is there.
func recordsFile(dir string) string {
	path := filepath.Join(dir, recordsName)
	if _, err := os.Stat(path + ".gz"); err == nil {
		return path + ".gz"
	}
	return path
}

func isZipped(path string) bool { return strings.HasSuffix(path, ".gz") }
