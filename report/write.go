package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"copse/stats"
)

// Write makes tables/, figures/ and report.html under dir and returns the
// paths it wrote, in order. Every file is written beside its name and then
// renamed, so that none is ever half there.
func Write(dir string, study Study, records *stats.Records, layout Layout) ([]string, error) {
	if len(records.Rows) == 0 {
		return nil, fmt.Errorf("report of %s: no records", records.Study)
	}
	w := writer{dir: dir}
	s := newSource(study, records, layout.Inference)
	for _, o := range layout.Tables {
		t, err := s.table(o)
		if err != nil {
			return w.paths, fmt.Errorf("table %s: %w", o.Name, err)
		}
		w.file("tables", o.Name, "md", t.markdown)
		w.file("tables", o.Name, "csv", t.csv)
		w.file("tables", o.Name, "tex", t.latex)
	}
	for _, o := range layout.Figures {
		pictures, err := s.figure(o)
		if err != nil {
			return w.paths, fmt.Errorf("figure %s: %w", o.Name, err)
		}
		for i := range pictures {
			for _, format := range layout.Formats {
				w.file("figures", pictures[i].Name, format, func(out io.Writer) error {
					return pictures[i].write(out, format)
				})
			}
		}
	}
	return w.paths, w.err
}

// writer writes files until the first error.
type writer struct {
	dir   string
	paths []string
	err   error
}

// file writes dir/folder/name.extension through a temporary file.
func (w *writer) file(folder, name, extension string, render func(io.Writer) error) {
	if w.err != nil {
		return
	}
	var b bytes.Buffer
	if err := render(&b); err != nil {
		w.err = fmt.Errorf("%s.%s: %w", name, extension, err)
		return
	}
	path := filepath.Join(w.dir, folder, safeName(name)+"."+extension)
	if w.err = replaceFile(path, b.Bytes()); w.err == nil {
		w.paths = append(w.paths, path)
	}
}

// replaceFile puts content at path in one step: readers and a crash see the old
// file or the new one.
func replaceFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := writeSynced(temporary, content); err != nil {
		os.Remove(temporary)
		return err
	}
	return os.Rename(temporary, path)
}

func writeSynced(path string, content []byte) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closing := f.Close(); err == nil {
			err = closing
		}
	}()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// safeName keeps what every file system takes.
func safeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }
