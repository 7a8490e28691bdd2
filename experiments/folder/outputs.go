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

	"copse/stats/regular"
)

// An Output is a table, a figure or the page of a report.
type Output struct {
	Name   string                // relative to the results folder, with slashes
	Render func(io.Writer) error // writes the content, perhaps in parallel with other outputs
}

// Folders and files of a report.
const (
	Tables  = "tables"
	Figures = "figures"
	Page    = "report.html"
	Index   = "index.html"     // links the pages of several studies
	Outputs = "outputs.sha256" // checksums of the outputs, as sha256sum writes them
)

// WriteAll writes files to a folder. If force is false and one of the files exists, it writes
// nothing.
func WriteAll(dir string, list []Output, force bool) error {
	for _, o := range list {
		if err := CheckFree(dir, o.Name, force); err != nil {
			return err
		}
	}
	if err := Make(dir); err != nil {
		return err
	}
	for _, o := range list {
		if err := WriteFile(filepath.Join(dir, o.Name), o.Render); err != nil {
			return err
		}
	}
	return nil
}

// CheckFree returns an error if the folder dir already contains this file, unless force is true.
func CheckFree(dir, name string, force bool) error {
	path := filepath.Join(dir, name)
	if _, err := os.Lstat(path); err == nil && !force {
		return fmt.Errorf("%s already exists: choose another folder, or replace the file with `--force`", path)
	}
	return nil
}

// Replace writes the outputs of a report, and removes earlier outputs that are not in the list. It
// returns the new names of files that it renamed, because the user had edited them or had put them
// in the place of an output. sources contains the checksums of the files from which the report was
// made, as lines in the format of sha256sum.
func Replace(dir string, sources []string, list []Output) (renamed []string, err error) {
	err = Locked(dir, func() error {
		renamed, err = replaceOutputs(dir, sources, list)
		return err
	})
	return renamed, err
}

// replaceOutputs replaces the outputs of the previous report with the list, and removes those that
// the list lacks. It first renames outputs that the user edited, and returns their new names.
//
// It renders all outputs before it changes any file. The caller must hold the lock of the folder.
func replaceOutputs(dir string, sources []string, list []Output) (renamed []string, err error) {
	before, _, err := readChecksums(dir) // checksums of the previous report
	if err != nil {
		return nil, err
	}
	now, contents, err := render(list)
	if err != nil {
		return nil, err
	}
	if renamed, err = before.renameEdited(dir, now); err != nil {
		return renamed, err
	}
	// First write the checksums of the old and the new outputs. If copse is then killed, the next
	// report recognizes both.
	if err := before.mergedWith(now).write(dir, sources); err != nil {
		return renamed, err
	}
	for i, o := range list {
		path := filepath.Join(dir, o.Name)
		if err := Make(filepath.Dir(path)); err != nil {
			return renamed, err
		}
		if err := WriteBytes(path, contents[i]); err != nil {
			return renamed, err
		}
	}
	return renamed, errors.Join(before.removeObsolete(dir, now), now.write(dir, sources))
}

// removeObsolete removes the outputs of the previous report that the current report does not have.
func (old checksums) removeObsolete(dir string, current checksums) error {
	var obsolete []string
	for name := range old {
		if current[name] == nil {
			obsolete = append(obsolete, filepath.Join(dir, name))
		}
	}
	return Remove(obsolete)
}

// render renders the outputs in parallel. It returns one checksum for each output, and the contents
// in the order of the list.
func render(list []Output) (sums checksums, contents [][]byte, err error) {
	rendered := make([]bytes.Buffer, len(list))
	failures := make([]error, len(list))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i, o := range list {
		workers.Go(func() error {
			if err := o.Render(&rendered[i]); err != nil {
				failures[i] = fmt.Errorf("%s: %w", o.Name, err)
			}
			return nil
		})
	}
	_ = workers.Wait() // always nil, because the failures are collected instead
	if err := errors.Join(failures...); err != nil {
		return nil, nil, err
	}
	sums = checksums{}
	for i, o := range list {
		sums[o.Name] = []string{DigestBytes(rendered[i].Bytes())}
		contents = append(contents, rendered[i].Bytes())
	}
	return sums, contents, nil
}

// checksums maps the name of each output to its checksum, or to an old and a new one if copse was
// killed while a report replaced the output.
type checksums map[string][]string

// sourceMark begins a line with the checksum of a source of the report. The line is a comment, so
// sha256sum does not need the source, such as a records.csv that was later compressed.
const sourceMark = "# made from "

// readChecksums reads the checksums of the last report and its sources from outputs.sha256. sources
// is nil if they are unknown.
func readChecksums(dir string) (sums checksums, sources []string, err error) {
	path := filepath.Join(dir, Outputs)
	text, err := regular.Read(path)
	if IgnoreMissing(err) != nil {
		return nil, nil, err
	}
	sums = checksums{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for k := 1; lines.Scan(); k++ { // k is the line number
		if source, ok := strings.CutPrefix(lines.Text(), sourceMark); ok {
			sources = append(sources, source)
			continue
		}
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || len(sum) != 2*sha256.Size || !isOutput(name) {
			return nil, nil, fmt.Errorf(
				"%s, line %d: expected a checksum and the name of a table or figure in this folder; delete this "+
					"file, and delete obsolete figures yourself, because the list of copse's figures is damaged",
				path,
				k,
			)
		}
		sums[name] = append(sums[name], sum) // an interrupted report leaves an old and a new checksum
	}
	return sums, sources, lines.Err()
}

// mergedWith returns the checksums of the outputs of two reports, old and current.
func (old checksums) mergedWith(current checksums) checksums {
	both := maps.Clone(current)
	for name, sums := range old {
		both[name] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(sums, current[name]))))
	}
	return both
}

// renameEdited renames files that the user wrote or edited, and that a new report would replace or
// remove. It returns the new names. old and current contain the checksums of the previous and the
// new report.
func (old checksums) renameEdited(dir string, current checksums) (renamed []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(old.mergedWith(current))) {
		path := filepath.Join(dir, name)
		sum, err := Digest(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return renamed, err
		}
		isFromReport := slices.Contains(old[name], sum) || slices.Contains(current[name], sum)
		if isFromReport {
			continue
		}
		free := unusedName(path + ".kept")
		if err := os.Rename(path, free); err != nil {
			return renamed, err
		}
		renamed = append(renamed, free)
	}
	return renamed, nil
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

// isOutput reports whether name is a report page, a table or a figure. A report never removes other
// files.
func isOutput(name string) bool {
	if name == Page {
		return true
	}
	in, file, ok := strings.Cut(name, "/")
	return ok && (in == Tables || in == Figures) && file != "" && !strings.Contains(file, "/") &&
		filepath.IsLocal(name)
}

// write writes outputs.sha256: the sources of the report, and then lines with a checksum and the
// name of an output.
func (o checksums) write(dir string, sources []string) error {
	return WriteFile(filepath.Join(dir, Outputs), func(w io.Writer) error {
		for _, source := range sources {
			fmt.Fprintln(w, sourceMark+source)
		}
		for _, name := range slices.Sorted(maps.Keys(o)) {
			for _, sum := range o[name] {
				fmt.Fprintf(w, "%s  %s\n", sum, name)
			}
		}
		return nil // WriteFile returns any error of w
	})
}
