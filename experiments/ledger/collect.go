package ledger

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"

	"copse/experiments/folder"
	"copse/experiments/journal"
	"copse/experiments/study"
	"copse/stats/records"
)

// KeepImported turns rows that came from records.csv into a journal, before
// anything is added beside them.
func KeepImported(dir string, l *Ledger) error {
	files, err := journal.Files(dir)
	if err != nil || len(files) > 0 || l.store.n == 0 {
		return err
	}
	sub := filepath.Join(dir, folder.Journals)
	if err := os.MkdirAll(sub, 0o777); err != nil {
		return err
	}
	return folder.WriteFile(filepath.Join(sub, "imported.jsonl"), func(w io.Writer) error {
		for i := range l.Sessions {
			if err := journal.WriteLine(w, &l.Sessions[i]); err != nil {
				return err
			}
		}
		for _, t := range l.store.asTrials() {
			if err := journal.WriteLine(w, t); err != nil {
				return err
			}
		}
		return nil
	})
}

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
	text, err := s.YAML()
	if err != nil {
		return err
	}
	if err := WriteStudy(dir, text); err != nil {
		return err
	}
	records := ledger.Select(s)
	path := folder.RecordsFile(dir)
	if err := folder.WriteFile(path, func(w io.Writer) error { return records.Write(w, folder.IsZipped(path)) }); err != nil {
		return err
	}
	if err := records.writeTimings(filepath.Join(dir, folder.Timings)); err != nil {
		return err
	}
	m := ledger.manifest(s, records)
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

// WriteStudy writes the resolved configuration, unless it is there.
func WriteStudy(dir string, text []byte) error {
	path := filepath.Join(dir, folder.Study)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return folder.WriteFile(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}
