// Package crate packs the results of a study as an RO-Crate 1.1 (https://w3id.org/ro/crate/1.1): a
// zip file whose content is described in ro-crate-metadata.json.
package crate

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"copse/experiments/folder"
	"copse/experiments/results"
)

// A Crate describes the content of the zip file.
type Crate struct {
	Title, Description string
	Source             string // source of the study, such as a paper
	Credit             Credit // must have a release date
	Files              []File
	Data               []Data            // data sets that the study read and the crate does not contain
	Runs               []results.Session // executions of copse that added results
}

// A File is one file of a crate.
type File struct {
	Name    string // name in the crate, with slashes
	About   string // description
	Role    Role
	Content func(io.Writer) error // writes the same bytes each time
	Dir     string                // contains the file under Name; "" if the file is made for the crate
}

// A Role states whether a file is an input or an output of the runs of a study, or neither.
type Role int

// Roles of files.
const (
	Drawn Role = iota // made from the records: tables, figures, page
	Read              // input of the runs
	Made              // output of the runs
)

// Data describes a data set that the study used.
type Data struct {
	ID, Title, About string
	URL              string // page that describes the data set; "": none
	Licence          string
	SHA256           string
}

// A measuredFile is a file with its size and digest.
type measuredFile struct {
	File
	size   int64
	sha256 string
}

// Write writes the crate as a zip file, with folder.PackedMetadata and folder.PackedSums. Equal crates
// result in identical zip files.
func (c *Crate) Write(w io.Writer) error {
	files, err := c.measureAll()
	if err != nil {
		return err
	}
	metadata, err := c.metadata(files)
	if err != nil {
		return err
	}
	files = slices.Insert(files, 0, literal(folder.PackedMetadata, metadata))
	files = append(files, literal(folder.PackedSums, digests(files)))
	archive := zip.NewWriter(w)
	for _, f := range files {
		if err := add(archive, f, c.Credit.Released.UTC()); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return archive.Close()
}

// digests returns a line for each file, with its SHA-256 digest and its name.
func digests(files []measuredFile) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", f.sha256, f.Name)
	}
	return b.Bytes()
}

// literal returns a file with the given text.
func literal(name string, text []byte) measuredFile {
	f, _ := measure(File{Name: name, Content: func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}})
	return f
}

// measure reads a file to find its size and digest.
func measure(f File) (measuredFile, error) {
	digest := sha256.New()
	var size counter
	err := f.Content(io.MultiWriter(digest, &size))
	return measuredFile{f, int64(size), fmt.Sprintf("%x", digest.Sum(nil))}, err
}

// measureAll finds the size and digest of every file. It returns the files sorted by name. Names must
// be unique.
func (c *Crate) measureAll() (list []measuredFile, err error) {
	taken := []string{folder.PackedMetadata, folder.PackedSums}
	byName := func(a, b File) int { return strings.Compare(a.Name, b.Name) }
	for _, f := range slices.SortedFunc(slices.Values(c.Files), byName) {
		if slices.Contains(taken, f.Name) {
			return nil, fmt.Errorf("%s: two files of the crate have this name", f.Name)
		}
		taken = append(taken, f.Name)
		file, err := measure(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		list = append(list, file)
	}
	return list, nil
}

// A counter is a writer that counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// add copies a file into the archive. It returns an error if the content has changed.
func add(archive *zip.Writer, f measuredFile, modified time.Time) error {
	into, err := archive.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: modified})
	if err != nil {
		return err
	}
	copied, err := measure(File{Content: func(w io.Writer) error { return f.Content(io.MultiWriter(into, w)) }})
	if err == nil && copied.sha256 != f.sha256 {
		err = fmt.Errorf("the file changed while copse was packing it; run `copse pack` again")
	}
	return err
}
