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
