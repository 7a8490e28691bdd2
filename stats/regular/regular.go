// Package regular reads regular files. It rejects devices and named pipes, whose content may be endless.
package regular

import (
	"fmt"
	"os"
)

// Open opens a regular file for reading. The path may be a symbolic link to a regular file.
func Open(path string) (*os.File, error) {
	if err := check(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Read returns the content of a file that Open accepts.
func Read(path string) ([]byte, error) {
	if err := check(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// check returns an error unless path leads to a regular file.
func check(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; copy its content to a regular file", path)
	}
	return err
}
