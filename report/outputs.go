package report

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// outputsFile lists the tables and figures that a report wrote, as sha256sum does,
// so that the next one knows which of them it no longer draws, and whether they are
// as they were written.
const outputsFile = "outputs.sha256"

// outputs are checksums by name, names with slashes and relative to the results
// folder.
type outputs map[string]string

func checksum(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

// readOutputs reads the list in dir; there is none in a folder of long ago.
func readOutputs(dir string) (outputs, error) {
	path := filepath.Join(dir, outputsFile)
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
		if !ok || len(sum) != 2*sha256.Size || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("%s, line %d: not a checksum and the name of a file in this folder; delete the file, and obsolete figures yourself", path, k)
		}
		o[name] = sum
	}
	return o, lines.Err()
}

func (o outputs) write(dir string) error {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(o)) {
		fmt.Fprintf(&b, "%s  %s\n", o[name], name)
	}
	return replaceFile(filepath.Join(dir, outputsFile), b.Bytes())
}

// remove deletes the files that are no longer among now, unless they were changed
// since they were written.
func (o outputs) remove(dir string, now outputs) error {
	for name, sum := range o {
		if _, stays := now[name]; stays {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && checksum(content) != sum {
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

// Replace makes documents the outputs of a results folder: all are written, and
// what an earlier report wrote and these no longer hold is removed. It returns
// their paths.
func Replace(dir string, documents []Document) ([]string, error) {
	before, err := readOutputs(dir)
	if err != nil {
		return nil, err
	}
	now, paths, err := keep(dir, documents)
	if err != nil {
		return paths, err
	}
	if err := before.remove(dir, now); err != nil {
		return paths, err
	}
	return paths, now.write(dir)
}

// Add writes documents beside the outputs that a folder has.
func Add(dir string, documents []Document) ([]string, error) {
	all, err := readOutputs(dir)
	if err != nil {
		return nil, err
	}
	now, paths, err := keep(dir, documents)
	if err != nil {
		return paths, err
	}
	maps.Copy(all, now)
	return paths, all.write(dir)
}

// keep writes every document in one step; the page is not listed, for it says
// when the study ran and is never the same.
func keep(dir string, documents []Document) (outputs, []string, error) {
	now := outputs{}
	var paths []string
	for _, d := range documents {
		var b bytes.Buffer
		if err := d.Render(&b); err != nil {
			return now, paths, fmt.Errorf("%s: %w", d.Name, err)
		}
		path := filepath.Join(dir, filepath.FromSlash(d.Name))
		if err := replaceFile(path, b.Bytes()); err != nil {
			return now, paths, err
		}
		paths = append(paths, path)
		if d.Name != Page {
			now[d.Name] = checksum(b.Bytes())
		}
	}
	return now, paths, nil
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
