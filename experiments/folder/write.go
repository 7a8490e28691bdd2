// Package folder knows the files of a results folder: their names, their
// replacement as wholes, one writer at a time, their digests.
package folder

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// The outputs of a results folder are all its files but the journals: they
// follow from the journals and are replaced as wholes, by one process at a time.
// A file is written under a temporary name, .<name>.<number>.part, and renamed.

const (
	outputsLock = "journal/outputs.lock"
	partSuffix  = ".part"
	outputsWait = 10 * time.Minute // for another process's tables and figures
)

// Locked runs f while no other process writes the folder's outputs. It
// first removes temporary files of processes that were killed. f must not call
// it again.
func Locked(dir string, f func() error) error {
	path := filepath.Join(dir, outputsLock)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("cannot write to the results folder: %w", err)
	}
	lock := flock.New(path)
	ctx, cancel := context.WithTimeout(context.Background(), outputsWait)
	defer cancel()
	if held, err := lock.TryLockContext(ctx, 50*time.Millisecond); errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: another process has been writing tables and figures for %s; stop it", lock.Path(), outputsWait)
	} else if err != nil || !held {
		return fmt.Errorf("cannot write to the results folder: %w", err)
	}
	return errors.Join(removeLeftovers(dir), f(), lock.Unlock())
}

// removeLeftovers deletes temporary files in a folder and the folders in it.
func removeLeftovers(dir string) error {
	for _, pattern := range []string{".*" + partSuffix, filepath.Join("*", ".*"+partSuffix)} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// WriteFile replaces a file as a whole: the old content stays until the new one
// is on disk.
func WriteFile(path string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+partSuffix)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(temp, 1<<16)
	err = write(buffered)
	if err == nil {
		err = errors.Join(buffered.Flush(), temp.Chmod(0o644), temp.Sync())
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return Sync(filepath.Dir(path))
}

// Sync makes the creation and renaming of files in a folder durable.
func Sync(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
