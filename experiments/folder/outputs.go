package folder

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Output is a table, a figure or the page of a report.
type Output struct {
	Name   string // relative to the results folder, with slashes
	Render func(io.Writer) error
}

// Folders of a report's outputs, the page that shows them, and the list of their
// checksums, as sha256sum writes it: the next report knows from it what it no longer
// draws and whether that is as it was written.
const (
	Tables  = "tables"
	Figures = "figures"
	Page    = "report.html"
	Outputs = "outputs.sha256"
)

// Replace makes list the outputs of a folder: all are written, and what an earlier
// report wrote and this one does not hold is removed, unless it was changed since.
// It returns their paths.
func Replace(dir string, list []Output) (paths []string, err error) {
	err = Locked(dir, func() error {
		before, err := readOutputs(dir)
		if err != nil {
			return err
		}
		var now outputs
		if now, paths, err = keep(dir, list); err != nil {
			return err
		}
		return errors.Join(before.remove(dir, now), now.write(dir))
	})
	return paths, err
}

// Add writes outputs beside those that a folder has.
func Add(dir string, list []Output) (paths []string, err error) {
	err = Locked(dir, func() error {
		all, err := readOutputs(dir)
		if err != nil {
			return err
		}
		var now outputs
		if now, paths, err = keep(dir, list); err != nil {
			return err
		}
		maps.Copy(all, now)
		return all.write(dir)
	})
	return paths, err
}

// outputs are checksums by name.
type outputs map[string]string

// readOutputs reads the list in dir; there is none in a folder of long ago.
func readOutputs(dir string) (outputs, error) {
	path := filepath.Join(dir, Outputs)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return outputs{}, nil
	}
	if err != nil {
		return nil, err
	}
	o := outputs{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for k := 1; lines.Scan(); k++ {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || len(sum) != 2*sha256.Size || !isOutput(name) {
			return nil, fmt.Errorf("%s, line %d: not a checksum and the name of a table or figure of this folder; delete the list, and obsolete figures yourself", path, k)
		}
		o[name] = sum
	}
	return o, lines.Err()
}

// isOutput says whether a name is one that reports write: nothing else is ever
// removed, whatever the list says.
func isOutput(name string) bool {
	in, file, ok := strings.Cut(name, "/")
	return name == Page || ok && (in == Tables || in == Figures) && file != "" && !strings.Contains(file, "/") && filepath.IsLocal(filepath.FromSlash(name))
}

func (o outputs) write(dir string) error {
	return WriteFile(filepath.Join(dir, Outputs), func(w io.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if _, err := fmt.Fprintf(w, "%s  %s\n", o[name], name); err != nil {
				return err
			}
		}
		return nil
	})
}

// remove deletes the files that are no longer among now, unless they were changed
// since they were written.
func (o outputs) remove(dir string, now outputs) error {
	for name, sum := range o {
		if _, stays := now[name]; stays {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		is, err := Digest(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && is != sum {
			continue
		}
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keep writes every output in one step; the page is not listed, for it says when
// the study ran and is never the same.
func keep(dir string, list []Output) (outputs, []string, error) {
	now := outputs{}
	var paths []string
	for _, o := range list {
		var b bytes.Buffer
		if err := o.Render(&b); err != nil {
			return now, paths, fmt.Errorf("%s: %w", o.Name, err)
		}
		path := filepath.Join(dir, filepath.FromSlash(o.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return now, paths, err
		}
		err := WriteFile(path, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
		if err != nil {
			return now, paths, err
		}
		paths = append(paths, path)
		if o.Name != Page {
			now[o.Name] = fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
		}
	}
	return now, paths, nil
}
