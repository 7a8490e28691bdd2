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
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// An Output is a table, a figure or the page of a report. Several may be rendered at
// the same time.
type Output struct {
	Name   string // relative to the results folder, with slashes
	Render func(io.Writer) error
}

// Folders of a report's outputs, the page that shows them, that which leads to the
// pages of several studies, and the list of the outputs' checksums, as sha256sum writes
// it: the next report knows from it what it no longer draws and whether that is as it
// was written.
const (
	Tables  = "tables"
	Figures = "figures"
	Page    = "report.html"
	Index   = "index.html"
	Outputs = "outputs.sha256"
)

// Fresh writes files to a folder of the user's. What is there stays, and is an
// error, unless force says that it may go.
func Fresh(dir string, list []Output, force bool) error {
	for _, o := range list {
		path := filepath.Join(dir, filepath.FromSlash(o.Name))
		if _, err := os.Lstat(path); err == nil && !force {
			return fmt.Errorf("%s is there already: name another folder, or replace it with --force", path)
		}
	}
	if err := Make(dir); err != nil {
		return err
	}
	for _, o := range list {
		if err := WriteFile(filepath.Join(dir, filepath.FromSlash(o.Name)), o.Render); err != nil {
			return err
		}
	}
	return nil
}

// Written tells what became of outputs.
type Written struct {
	Paths []string
	Aside []string // files in their places that no report had written so: renamed, never lost
}

// Replace makes list the outputs of a folder: all are written, and what an earlier
// report wrote and this one does not hold is removed, unless it was changed since. It
// renders all outputs before it touches any. While files change, the list holds the sums
// of before and after, so that a kill leaves nothing that the next report takes for
// somebody else's.
func Replace(dir string, list []Output) (w Written, err error) {
	err = Locked(dir, func() error {
		before, err := readOutputs(dir)
		if err != nil {
			return err
		}
		now, contents, err := render(list)
		if err != nil {
			return err
		}
		if w.Aside, err = before.setAside(dir, now); err != nil {
			return err
		}
		if err := before.with(now).write(dir); err != nil {
			return err
		}
		for i, o := range list {
			path := filepath.Join(dir, filepath.FromSlash(o.Name))
			if err := Make(filepath.Dir(path)); err != nil {
				return err
			}
			if err := WriteBytes(path, contents[i]); err != nil {
				return err
			}
			w.Paths = append(w.Paths, path)
		}
		return errors.Join(before.remove(dir, now), now.write(dir))
	})
	return w, err
}

// render renders as many at a time as there are processors.
func render(list []Output) (now outputs, contents [][]byte, err error) {
	rendered, failed := make([]bytes.Buffer, len(list)), make([]error, len(list))
	var some errgroup.Group
	some.SetLimit(runtime.GOMAXPROCS(0))
	for i, o := range list {
		some.Go(func() error {
			if err := o.Render(&rendered[i]); err != nil {
				failed[i] = fmt.Errorf("%s: %w", o.Name, err)
			}
			return nil
		})
	}
	if err := errors.Join(append(failed, some.Wait())...); err != nil {
		return nil, nil, err
	}
	now = outputs{}
	for i, o := range list {
		now[o.Name] = []string{fmt.Sprintf("%x", sha256.Sum256(rendered[i].Bytes()))}
		contents = append(contents, rendered[i].Bytes())
	}
	return now, contents, nil
}

// outputs are checksums by name; more than one only where a report was killed.
type outputs map[string][]string

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
			return nil, fmt.Errorf(
				"%s, line %d: not a checksum and the name of a table or figure of this folder; delete the list, "+
					"and obsolete figures yourself",
				path,
				k,
			)
		}
		o[name] = append(o[name], sum)
	}
	return o, lines.Err()
}

// with is what is true of a file before or after.
func (o outputs) with(now outputs) outputs {
	both := maps.Clone(now)
	for name, sums := range o {
		both[name] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(sums, now[name]))))
	}
	return both
}

// setAside renames the files that no report wrote as they are, in whose places
// outputs will go. A page that an older list leaves out is a report's.
func (o outputs) setAside(dir string, now outputs) (aside []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if name == Page && len(o) > 0 && o[Page] == nil {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		sum, err := Digest(path)
		if errors.Is(err, fs.ErrNotExist) ||
			err == nil && (slices.Contains(o[name], sum) || slices.Contains(now[name], sum)) {
			continue
		}
		if err != nil {
			return aside, err
		}
		free := path + ".kept"
		for k := 2; ; k++ {
			if _, err := os.Lstat(free); errors.Is(err, fs.ErrNotExist) {
				break
			}
			free = fmt.Sprintf("%s.kept%d", path, k)
		}
		if err := os.Rename(path, free); err != nil {
			return aside, err
		}
		aside = append(aside, free)
	}
	return aside, nil
}

// isOutput says whether a name is one that reports write: nothing else is ever
// removed, whatever the list says.
func isOutput(name string) bool {
	in, file, ok := strings.Cut(name, "/")
	return name == Page ||
		ok && (in == Tables || in == Figures) && file != "" && !strings.Contains(file, "/") &&
			filepath.IsLocal(filepath.FromSlash(name))
}

func (o outputs) write(dir string) error {
	return WriteFile(filepath.Join(dir, Outputs), func(w io.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(o)) {
			for _, sum := range o[name] {
				if _, err := fmt.Fprintf(w, "%s  %s\n", sum, name); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// remove deletes the files that are no longer among now, unless they were changed
// since they were written, or their folder is a link to somewhere else.
func (o outputs) remove(dir string, now outputs) error {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if within, err := os.Lstat(filepath.Dir(path)); now[name] != nil ||
			name != Page && (err != nil || !within.IsDir()) {
			continue
		}
		sum, err := Digest(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !slices.Contains(o[name], sum) {
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
