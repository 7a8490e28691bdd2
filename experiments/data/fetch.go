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

// download makes the CSV of a registered set from its source's addresses, tried
// in order; none that does not have the registered sum is returned. from is the
// address that it came from.
func (c *Client) download(ctx context.Context, s *Set) (csv []byte, from string, err error) {
	if why := s.WhyNotFetched(); why != "" {
		return nil, "", fmt.Errorf(
			"%s is not fetched: %s; bring the file: copse data add FILE --name %s",
			s.Name,
			why,
			s.Name,
		)
	}
	var failures []error
	attempt := func(address string, get func() ([]byte, error)) bool {
		c.say("%s: %s", s.Name, address)
		if csv, err = get(); err != nil {
			failures = append(failures, err)
			return false
		}
		from = address
		return true
	}
	for _, address := range s.Source.Archives {
		if attempt(address, func() ([]byte, error) { return c.archive(ctx, s, address) }) {
			return csv, from, nil
		}
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
	}
	if s.Source.Folder != "" && attempt(s.Source.Folder, func() ([]byte, error) { return c.singles(ctx, s) }) {
		return csv, from, nil
	}
	return nil, "", fmt.Errorf(
		"%s could not be fetched:\n%w\nif you have the file: copse data add FILE --name %s",
		s.Name,
		errors.Join(failures...),
		s.Name,
	)
}

// archive downloads a zip, or the only file, and makes the CSV.
func (c *Client) archive(ctx context.Context, s *Set, address string) ([]byte, error) {
	text, err := c.get(ctx, address)
	if err != nil {
		return nil, err
	}
	csv, err := s.fromOriginal(text, c.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	return csv, nil
}

// singles downloads the source's files one by one and makes the CSV.
func (c *Client) singles(ctx context.Context, s *Set) ([]byte, error) {
	var texts [][]byte
	for _, name := range s.Source.Files {
		text, err := c.get(ctx, s.Source.Folder+name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	csv, err := s.checked(texts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Source.Folder, err)
	}
	return csv, nil
}

// fromOriginal makes the CSV from what its archive gives: a zip, of which no more
// than limit bytes are unpacked, or the only file.
func (s *Set) fromOriginal(text []byte, limit int64) ([]byte, error) {
	if s.Source == nil {
		return nil, fmt.Errorf("no recipe makes %s from another file", s.Name)
	}
	if !bytes.HasPrefix(text, []byte("PK\x03\x04")) {
		if len(s.Source.Files) > 1 {
			return nil, fmt.Errorf("no zip of %s", strings.Join(s.Source.Files, ", "))
		}
		return s.checked([][]byte{text})
	}
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("not a whole zip: %w", err)
	}
	var texts [][]byte
	for _, name := range s.Source.Files {
		text, err := member(archive, name, limit)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return s.checked(texts)
}

// checked makes the CSV and compares the sums.
func (s *Set) checked(texts [][]byte) ([]byte, error) {
	if want := s.Source.FileSHA256; want != "" && sum(texts[0]) != want {
		return nil, fmt.Errorf("%s has SHA-256 %s, registered is %s", s.Source.Files[0], sum(texts[0]), want)
	}
	csv, err := s.csv(texts)
	if err != nil {
		return nil, err
	}
	if s.SHA256 != "" && sum(csv) != s.SHA256 {
		return nil, fmt.Errorf(
			"the CSV has SHA-256 %s, registered is %s: the content is not that of record",
			sum(csv),
			s.SHA256,
		)
	}
	return csv, nil
}

// member reads the file of that name, in whatever folder of the zip.
func member(archive *zip.Reader, name string, limit int64) ([]byte, error) {
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
	return nil, fmt.Errorf("the zip holds no %s", name)
}
