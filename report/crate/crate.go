// Package crate packs the results of a study as an RO-Crate 1.1
// (https://w3id.org/ro/crate/1.1): a zip of its files with ro-crate-metadata.json,
// which says in JSON-LD what each is, who made it, from what, with what and under
// which licence.
package crate

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A Crate is a study's files and what is known of them.
type Crate struct {
	Title, Description string
	Source             string // the work that the study follows
	Credit             Credit
	Published          time.Time
	Files              []File
	Data               []Data // what was read and is not in the crate
	Runs               []Run
}

// A File is one of the crate's.
type File struct {
	Name    string // in the crate, with slashes
	About   string
	Role    Role
	Content func(io.Writer) error // the same bytes each time
}

// A Role is what a file was to the runs.
type Role int

// Roles of files.
const (
	Drawn Role = iota // from the records: tables, figures, page
	Read
	Made
)

// Data are rows that the study read.
type Data struct {
	ID, Title, About string
	URL              string // where people read about them; "": nowhere
	Licence          string
	SHA256           string
}

// A Run is one session of copse that added results.
type Run struct {
	Started  string // ISO 8601
	Software Software
	Machine  string   // processor, cores, system
	Programs []string // what external programs said of themselves
}

// Software is a copse.
type Software struct{ Version, About string }

// Files that every crate has beside those that it is given.
const (
	metadataName = "ro-crate-metadata.json"
	sumsName     = "SHA256SUMS" // of all other files, for sha256sum -c
)

// A sized file is one that was read once.
type sized struct {
	File
	size   int64
	sha256 string
}

// Write writes the crate as a zip. Its bytes depend on the crate's content alone.
func (c *Crate) Write(w io.Writer) error {
	files, err := c.measure()
	if err != nil {
		return err
	}
	metadata, err := c.metadata(files)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(metadata)
	files = append([]sized{{literal(metadataName, metadata), int64(len(metadata)), hex.EncodeToString(sum[:])}},
		files...)
	var sums bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&sums, "%s  %s\n", f.sha256, f.Name)
	}
	files = append(files, sized{File: literal(sumsName, sums.Bytes())})
	archive := zip.NewWriter(w)
	for _, f := range files {
		if err := c.add(archive, f); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return archive.Close()
}

func literal(name string, text []byte) File {
	return File{Name: name, Content: func(w io.Writer) error { _, err := w.Write(text); return err }}
}

// measure reads every file once, in the order of names.
func (c *Crate) measure() ([]sized, error) {
	files := slices.Clone(c.Files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	var list []sized
	for i, f := range files {
		if f.Name == metadataName || f.Name == sumsName || i > 0 && files[i-1].Name == f.Name {
			return nil, fmt.Errorf("%s: two files of the crate have this name", f.Name)
		}
		h := sha256.New()
		var n counter
		if err := f.Content(io.MultiWriter(h, &n)); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		list = append(list, sized{f, int64(n), hex.EncodeToString(h.Sum(nil))})
	}
	return list, nil
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// add copies a file into the archive. One that has changed since it was measured is
// an error.
func (c *Crate) add(archive *zip.Writer, f sized) error {
	into, err := archive.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: c.Published.UTC()})
	if err != nil {
		return err
	}
	h := sha256.New()
	if err := f.Content(io.MultiWriter(into, h)); err != nil {
		return err
	}
	if f.sha256 != "" && hex.EncodeToString(h.Sum(nil)) != f.sha256 {
		return fmt.Errorf("changed while it was packed; pack again")
	}
	return nil
}
