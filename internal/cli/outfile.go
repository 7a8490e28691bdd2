package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"copse/experiments/folder"
)

// fileMarks contains the kinds of files that commands write to paths given by the user, with a
// pattern that matches the beginning of such a file.
var fileMarks = map[string]*regexp.Regexp{
	"Parquet":             regexp.MustCompile(`^PAR1`),
	"predictions":         regexp.MustCompile(`^cell,(.*,)?replicate,classifier,.*truth,(predictions\.)?label,`),
	"zip":                 regexp.MustCompile(`^PK`),
	"page of copse index": regexp.MustCompile(`(?s)^<!DOCTYPE html>.*<title>Studies</title>`),
	".svg":                regexp.MustCompile(`^<svg`),
	".png":                regexp.MustCompile(`^.PNG`),
	".pdf":                regexp.MustCompile(`^%PDF`),
}

// writeOutsideResults writes a file to a path given by the user. It returns an error if the path is
// in a results folder, or if it belongs to a file of another kind. kind is a key of fileMarks.
func writeOutsideResults(path, kind string, write func(io.Writer) error) error {
	if err := checkOutsideResults(path); err != nil {
		return err
	}
	if err := checkReplaceable(path, kind); err != nil {
		return err
	}
	return folder.WriteNamed(path, write)
}

// checkOutsideResults returns an error if a path, which need not exist, is a results folder or
// inside one. It follows symbolic links.
func checkOutsideResults(path string) error {
	at, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	dir, err := filepath.EvalSymlinks(at)
	for err != nil && at != filepath.Dir(at) { // find the nearest folder that exists
		at = filepath.Dir(at)
		dir, err = filepath.EvalSymlinks(at)
	}
	for ; !folder.HasResults(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) { // the root, so path is in no results folder
			return nil
		}
	}
	return usageErrorf("%s is inside the results folder %s, which is reserved for copse's reports; choose "+
		"another place", path, dir)
}

// checkReplaceable returns an error if path is a regular, non-empty file of another kind.
func checkReplaceable(path, kind string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // path has no content; WriteNamed reports an unusable path
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 512) // more than the longest mark
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if !fileMarks[kind].Match(head[:n]) {
		return usageErrorf("%s exists, and its content is not of the kind that this command writes (%s); choose "+
			"another path, or remove the file", path, kind)
	}
	return nil
}
