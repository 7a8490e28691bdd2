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

// An Output is a table, a figure or the page of a report.
type Output struct {
	Name   string                // relative to the results folder, with slashes
	Render func(io.Writer) error // writes the content; other outputs may be rendered at the same time
}

// These folders and files belong to a report.
const (
	Tables  = "tables"
	Figures = "figures"
	Page    = "report.html"
	Index   = "index.html"     // links the pages of several studies
	Outputs = "outputs.sha256" // checksums of the outputs, as sha256sum writes them
)

// Fresh writes files to a folder. It replaces existing files only if force is true.
func Fresh(dir string, list []Output, force bool) error {
	for _, o := range list {
		path := filepath.Join(dir, filepath.FromSlash(o.Name))
		if _, err := os.Lstat(path); err == nil && !force {
			return fmt.Errorf("%s exists already: choose another folder, or replace the file with --force", path)
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

// Written has the names of the files that Replace wrote or renamed.
type Written struct {
	Paths []string // the outputs
	Aside []string // new names of files that a user had edited or had put where an output belongs
}

// Replace writes the outputs of a report. It removes the outputs of earlier reports that are not in list,
// except files that the user edited.
func Replace(dir string, list []Output) (w Written, err error) {
	err = Locked(dir, func() error { return w.replace(dir, list) })
	return w, err
}

// replace implements Replace. It renders all outputs before it changes any file. Meanwhile, outputs.sha256
// has both the old and the new checksums. If copse is killed, the next report can still recognize both
// versions.
func (w *Written) replace(dir string, list []Output) error {
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
}

// render renders the outputs in parallel. It returns their checksums and contents.
func render(list []Output) (now outputs, contents [][]byte, err error) {
	rendered, failures := make([]bytes.Buffer, len(list)), make([]error, len(list))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, o := range list {
		workers.Go(func() error {
			if err := o.Render(&rendered[i]); err != nil {
				failures[i] = fmt.Errorf("%s: %w", o.Name, err)
			}
			return nil // so that all outputs are rendered and all failures reported
		})
	}
	if err := errors.Join(append(failures, workers.Wait())...); err != nil {
		return nil, nil, err
	}
	now = outputs{}
	for i, o := range list {
		now[o.Name] = []string{fmt.Sprintf("%x", sha256.Sum256(rendered[i].Bytes()))}
		contents = append(contents, rendered[i].Bytes())
	}
	return now, contents, nil
}

// outputs maps the name of each output to its checksums. An output has several checksums while it is being
// replaced, or after a report was killed.
type outputs map[string][]string

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
				"%s, line %d: expected a checksum and the name of a table or figure of this folder; delete this "+
					"file, and delete obsolete figures yourself",
				path,
				k,
			)
		}
		o[name] = append(o[name], sum)
	}
	return o, lines.Err()
}

func (o outputs) with(now outputs) outputs {
	both := maps.Clone(now)
	for name, sums := range o {
		both[name] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(sums, now[name]))))
	}
	return both
}

// setAside renames files that the user wrote or edited and that a new output would replace. Such a file
// differs from both the old output in o and the new one in now. setAside returns the new names.
func (o outputs) setAside(dir string, now outputs) (aside []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if name == Page && len(o) > 0 && o[Page] == nil {
			continue // an early version of copse wrote the page without listing it
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

func unusedName(path string) string {
	free := path
	for k := 2; ; k++ {
		if _, err := os.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s%d", path, k)
	}
}

// isOutput reports whether name is a report page or a file in the folders of tables or figures. A report
// never removes any other file, even if its list of outputs contains it.
func isOutput(name string) bool {
	if name == Page {
		return true
	}
	in, file, ok := strings.Cut(name, "/")
	return ok && (in == Tables || in == Figures) && file != "" && !strings.Contains(file, "/") &&
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

// remove deletes the outputs that are in o but not in now. It keeps edited files and files in a folder that
// is a symbolic link.
func (o outputs) remove(dir string, now outputs) error {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		isInLink := name != Page && !isFolder(filepath.Dir(path))
		if now[name] != nil || isInLink {
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

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
