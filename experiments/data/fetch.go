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

// download returns the CSV of a registered set and the address that it came from. It tries the
// addresses of the set in order until one gives the registered CSV.
func (c *Client) download(ctx context.Context, s *Set) (csv []byte, from string, err error) {
	if why := s.WhyNotFetched(); why != "" {
		return nil, "", fmt.Errorf("copse does not download %s: %s; if you have the file: "+
			"copse data add FILE --name %[1]s", s.Name, why)
	}
	var failures []error
	for _, address := range s.Source.Archives {
		c.say("%s: %s", s.Name, address)
		text, err := c.get(ctx, address)
		if ctx.Err() != nil {
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
	return nil, "", fmt.Errorf("%s could not be downloaded:\n%w\nif you have the file: "+
		"copse data add FILE --name %[1]s", s.Name, errors.Join(failures...))
}

// fromOriginal makes the CSV of a set from the content of an address: a zip with the source's files,
// each of at most limit bytes, or the only file. It returns an error unless the CSV has the
// registered SHA-256.
func (s *Set) fromOriginal(text []byte, limit int64) ([]byte, error) {
	if s.Source == nil {
		return nil, fmt.Errorf("%s has no recipe to make it from an original file", s.Name)
	}
	if !bytes.HasPrefix(text, []byte("PK\x03\x04")) { // the beginning of a zip
		if len(s.Source.Files) > 1 {
			return nil, fmt.Errorf("not a zip of %s", strings.Join(s.Source.Files, ", "))
		}
		return s.checkedCSV([][]byte{text})
	}
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("not a whole zip: %w", err)
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

// checkedCSV makes the CSV of a set from its source's files and compares checksums.
func (s *Set) checkedCSV(files [][]byte) ([]byte, error) {
	if want := s.Source.FileSHA256; want != "" && sum(files[0]) != want {
		return nil, fmt.Errorf("%s has SHA-256 %s, registered is %s", s.Source.Files[0], sum(files[0]), want)
	}
	csv, err := s.csv(files)
	if err != nil {
		return nil, err
	}
	if s.SHA256 != "" && sum(csv) != s.SHA256 {
		return nil, fmt.Errorf("the CSV has SHA-256 %s, registered is %s: the content is not that of record",
			sum(csv), s.SHA256)
	}
	return csv, nil
}

// readMember reads the file with a name from any folder of a zip. It fails if the file has more than
// limit bytes.
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
			return nil, fmt.Errorf("%s: more than %d bytes", name, limit)
		}
		return text, nil
	}
	return nil, fmt.Errorf("the zip has no file %s", name)
}
