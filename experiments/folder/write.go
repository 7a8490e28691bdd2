// Package folder knows the files of a results folder: their names, their
// replacement as wholes, one writer at a time, their digests.
package folder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// The outputs of a results folder are all its files but the journals: they
// follow from the journals and are replaced as wholes, by one process at a time.
// A file is written under a temporary name, .<name>.<number>.part, and renamed.

var leftover = regexp.MustCompile(`^\..+\.[0-9]+\.part$`)

// removeLeftovers deletes temporary files in a folder and in those of its folders
// that copse writes to under its lock.
func removeLeftovers(dir string) error {
	for _, sub := range []string{".", Tables, Figures, Journals, Programs, Submitted, Predictions} {
		within := filepath.Join(dir, sub)
		if info, err := os.Lstat(within); sub != "." && (err != nil || !info.IsDir()) {
			continue // not there, or a link to somewhere else
		}
		left, err := Leftovers(within)
		if err == nil {
			err = Remove(left)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Leftovers lists the temporary files in a folder, if that is there: of killed
// processes where nobody writes.
func Leftovers(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && leftover.MatchString(e.Name()) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, err
}

// Remove deletes files, of which some may be gone already.
func Remove(files []string) error {
	for _, file := range files {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// WriteFile replaces a file as a whole: the old content stays until the new one
// is on disk. The file's mode follows the umask.
func WriteFile(path string, write func(io.Writer) error) error {
	return writeWhole(path, 0o666, write)
}

// WriteBytes is WriteFile for content that is at hand.
func WriteBytes(path string, content []byte) error {
	return WriteFile(path, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// WriteProgram is WriteFile for a file that can be executed.
func WriteProgram(path string, write func(io.Writer) error) error {
	return writeWhole(path, 0o777, write)
}

func writeWhole(path string, mode fs.FileMode, write func(io.Writer) error) error {
	temp, err := createPart(path, mode)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(temp, 1<<16)
	err = write(buffered)
	if err == nil {
		err = errors.Join(buffered.Flush(), temp.Sync())
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return Sync(filepath.Dir(path))
}

// createPart makes the temporary file of a path. It never opens one that is
// there, and unlike os.CreateTemp follows the umask.
func createPart(path string, mode fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf(".%s.%d.part", filepath.Base(path), rand.Uint64())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// WriteNamed writes to the path that a user named. A file is replaced as a whole,
// where a link leads to it there, and a device, a pipe or what the shell stands in
// for one (/dev/stdout) is written to as it is.
func WriteNamed(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s: a link that leads nowhere", path)
		}
		return WriteFile(path, write)
	}
	if err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(path)
	if info.Mode().IsRegular() && err == nil && !isDevice(path) && !isDevice(target) {
		return WriteFile(target, write)
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	return errors.Join(err, f.Close())
}

func isDevice(path string) bool {
	return strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
}

// Make makes a folder, and its parents where they are missing, like os.MkdirAll. The
// names of the new folders are durable when it returns.
func Make(dir string) error { return makeFolders(dir, Sync) }

// makeFolders is Make, with the function that makes the names in a folder durable.
func makeFolders(dir string, sync func(dir string) error) error {
	var parents []string // of the new folders, the lowest first
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if at == filepath.Dir(at) {
			break // the root of a drive that is not there
		}
		parents = append(parents, filepath.Dir(at))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, parent := range parents {
		// A folder to which we may write but which we may not read cannot be synced.
		if err := sync(parent); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// Sync makes the creation and renaming of files in a folder durable, as far as
// the file system can: some cannot sync a folder.
func Sync(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if runtime.GOOS == "windows" || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
