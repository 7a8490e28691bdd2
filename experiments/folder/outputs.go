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

// Folders and files of a report.
const (
	Tables  = "tables"
	Figures = "figures"
	Page    = "report.html"
	Index   = "index.html"     // links the pages of several studies
	Outputs = "outputs.sha256" // checksums of the outputs, as sha256sum writes them
)

// Fresh writes files to a folder. If a file exists already, Fresh replaces it if force is true, and returns
// an error otherwise.
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

// Written contains the names of the files that Replace wrote or renamed.
type Written struct {
	Paths []string // the outputs
	Aside []string // new names of files that a user had put or edited in the place of an output
}

// Replace writes the outputs of a report and removes outputs of earlier reports that are not in list,
// unless they were edited. It renders all outputs before it changes a file. While it replaces files,
// outputs.sha256 has the old and the new checksums, so that after a kill the next report still
// recognizes both.
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

// render renders the outputs in parallel. It returns their checksums and contents.
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

// outputs contains the checksums of outputs by name. An output has several checksums only if a report was
// killed.
type outputs map[string][]string

// readOutputs reads the list of outputs in dir. It returns an empty list if the file does not exist.
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

// with returns a list with the checksums of both lists.
func (o outputs) with(now outputs) outputs {
	both := maps.Clone(now)
	for name, sums := range o {
		both[name] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(sums, now[name]))))
	}
	return both
}

// setAside renames the files in the places of new outputs that differ from both the old and the new
// output, and returns their new names. It keeps no page that a list of an earlier copse omits.
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
		free := unusedName(path + ".kept")
		if err := os.Rename(path, free); err != nil {
			return aside, err
		}
		aside = append(aside, free)
	}
	return aside, nil
}

// unusedName returns the path if no file has it. Otherwise it adds the smallest number from 2 on that makes
// the path unused.
func unusedName(path string) string {
	free := path
	for k := 2; ; k++ {
		if _, err := os.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s%d", path, k)
	}
}

// isOutput reports whether a report may write a file of this name. A report removes no other files,
// even if they are listed.
func isOutput(name string) bool {
	in, file, ok := strings.Cut(name, "/")
	return name == Page ||
		ok && (in == Tables || in == Figures) && file != "" && !strings.Contains(file, "/") &&
			filepath.IsLocal(filepath.FromSlash(name))
}

// write writes the list of outputs in dir.
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

// remove deletes the outputs that are not in now. It keeps files that were edited, and files in a
// folder that is a link.
func (o outputs) remove(dir string, now outputs) error {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if now[name] != nil || name != Page && !isFolder(filepath.Dir(path)) {
			continue
		}
		sum, err := Digest(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !slices.Contains(o[name], sum) {
			continue // edited
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// isFolder reports whether a path is a folder, and not a link to one.
func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
