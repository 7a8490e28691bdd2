package data

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// download downloads the CSV file of a registered data set from the first of its addresses that
// provides it.
func (c *Client) download(ctx context.Context, s *Set) (csv []byte, from string, err error) {
	if why := s.WhyNotFetched(); why != "" {
		return nil, "", fmt.Errorf("copse does not download %s: %s; if you have the file, use "+
			"`copse data add FILE --name %[1]s`", s.Name, why)
	}
	var failures []error
	for _, address := range s.Source.Archives {
		c.say("%s: %s", s.Name, address)
		text, err := c.get(ctx, address)
		if ctx.Err() != nil { // the caller has cancelled
			return nil, "", ctx.Err()
		}
		if err == nil {
			if csv, err = s.fromOriginal(text, c.MaxBytes); err == nil {
				return csv, address, nil
			}
			err = fmt.Errorf("%s: %w", address, err)
		}
		failures = append(failures, err)
	}
	return nil, "", fmt.Errorf("%s could not be downloaded:\n%w\nif you have the file, use "+
		"`copse data add FILE --name %[1]s`", s.Name, errors.Join(failures...))
}

// fromOriginal converts a download to the CSV file of a data set and verifies checksums. The
// argument text is the only source file, or a zip archive of source files. The argument limit is
// the maximum size of each file in the archive, in bytes.
func (s *Set) fromOriginal(text []byte, limit int64) ([]byte, error) {
	if s.Source == nil {
		return nil, fmt.Errorf("copse accepts the data set %s only as its registered CSV file, because it cannot "+
			"convert other files", s.Name)
	}
	if !bytes.HasPrefix(text, []byte("PK\x03\x04")) { // zip files begin with these bytes
		if len(s.Source.Files) > 1 {
			return nil, fmt.Errorf("want a zip with the files %s", strings.Join(s.Source.Files, ", "))
		}
		return s.checkedCSV([][]byte{text})
	}
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("the zip is damaged or incomplete: %w", err)
	}
	var files [][]byte
	for _, name := range s.Source.Files {
		file, err := readMember(archive, name, limit)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return s.checkedCSV(files)
}

func (s *Set) checkedCSV(files [][]byte) ([]byte, error) {
	if want := s.Source.FileSHA256; want != "" && sum(files[0]) != want {
		return nil, fmt.Errorf("%s has SHA-256 %s, but %s is registered", s.Source.Files[0], sum(files[0]), want)
	}
	csv, err := s.csv(files)
	if err != nil {
		return nil, err
	}
	if s.SHA256 != "" && sum(csv) != s.SHA256 {
		return nil, fmt.Errorf("the CSV file has SHA-256 %s, but %s is registered: the content has changed",
			sum(csv), s.SHA256)
	}
	return csv, nil
}

// readMember returns the first file with the given name in any folder of a zip archive. A file of
// more than limit bytes is an error.
func readMember(archive *zip.Reader, name string, limit int64) ([]byte, error) {
	for _, f := range archive.File {
		if path.Base(f.Name) != name {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(io.LimitReader(r, limit+1))
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if int64(len(text)) > limit {
			return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
		}
		return text, nil
	}
	return nil, fmt.Errorf("the zip has no file %s", name)
}
