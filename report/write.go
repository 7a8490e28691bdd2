package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"copse/stats/records"
)

// Write makes tables/, figures/ and report.html under dir and returns the
// paths it wrote, in order. Every file is written beside its name and then
// renamed, so that none is ever half there.
func Write(dir string, study Study, records *records.Records, layout Layout) ([]string, error) {
	if len(records.Rows) == 0 {
		return nil, fmt.Errorf("report of %s: no records", records.Study)
	}
	before, err := readOutputs(dir)
	if err != nil {
		return nil, err
	}
	w := writer{dir: dir, written: outputs{}}
	s := newSource(study, records, layout.Inference)
	tables, err := s.writeTables(&w, layout.Tables)
	if err != nil {
		return w.paths, err
	}
	figures, err := s.writeFigures(&w, &layout)
	if err != nil {
		return w.paths, err
	}
	var compared []*comparison
	for _, o := range study.Published {
		c, err := s.compare(o)
		if err != nil {
			return w.paths, err
		}
		compared = append(compared, c)
		drawn, err := c.write(&w, layout.Formats)
		if err != nil {
			return w.paths, err
		}
		figures = append(figures, drawn...)
	}
	if err = w.captions(s, figures); err != nil {
		return w.paths, err
	}
	if err = w.file("report.html", func(out io.Writer) error { return s.report(out, &layout, tables, figures, compared) }); err != nil {
		return w.paths, err
	}
	delete(w.written, "report.html") // never obsolete, and never the same: it says when the study ran
	if err = before.remove(dir, w.written); err != nil {
		return w.paths, err
	}
	return w.paths, w.written.write(dir)
}

// writeTables writes every table in its four layouts.
func (s *source) writeTables(w *writer, options []Table) ([]*table, error) {
	var tables []*table
	for _, o := range options {
		t, err := s.table(o)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", o.Name, err)
		}
		tables = append(tables, t)
		printed := t.sheet()
		for _, layout := range []struct {
			extension string
			render    func(io.Writer) error
		}{{"md", printed.markdown}, {"csv", t.csv}, {"tex", printed.latex}, {"html", printed.html}} {
			if err := w.file("tables/"+safeName(t.Name)+"."+layout.extension, layout.render); err != nil {
				return nil, err
			}
		}
	}
	return tables, nil
}

// writeFigures writes every page of every figure in every format.
func (s *source) writeFigures(w *writer, layout *Layout) ([]drawnFigure, error) {
	var drawn []drawnFigure
	for _, o := range layout.Figures {
		pictures, err := s.figure(o)
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", o.Name, err)
		}
		for _, p := range pictures {
			d := drawnFigure{kind: o.Kind, picture: p}
			if err := w.picture(&d, layout.Formats); err != nil {
				return nil, err
			}
			drawn = append(drawn, d)
		}
	}
	return drawn, nil
}

// writer writes the files of a report.
type writer struct {
	dir     string
	paths   []string
	written outputs
}

// file renders dir/name (with slashes) in one step.
func (w *writer) file(name string, render func(io.Writer) error) error {
	if _, taken := w.written[name]; taken {
		return fmt.Errorf("%s: two tables or figures have this name", name)
	}
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := replaceFile(path, b.Bytes()); err != nil {
		return err
	}
	w.paths, w.written[name] = append(w.paths, path), checksum(b.Bytes())
	return nil
}

// picture writes a drawing in every format and notes the files.
func (w *writer) picture(d *drawnFigure, formats []string) error {
	for _, format := range formats {
		path := "figures/" + safeName(d.picture.Name) + "." + format
		if err := w.file(path, func(out io.Writer) error { return d.picture.write(out, format) }); err != nil {
			return err
		}
		d.files = append(d.files, Setting{Name: format, Value: path})
	}
	return nil
}

// captions writes the captions of all figures beside them.
func (w *writer) captions(s *source, figures []drawnFigure) error {
	if len(figures) == 0 {
		return nil
	}
	if err := w.file("figures/README.md", func(out io.Writer) error { return s.figureIndex(out, figures) }); err != nil {
		return err
	}
	return w.file("figures/figures.tex", func(out io.Writer) error { return s.figureFloats(out, figures) })
}

// replaceFile puts content at path in one step: readers and a crash see the old
// file or the new one.
func replaceFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part")
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
