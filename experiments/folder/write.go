// Package folder manages the files of a results folder: it names, locks, hashes and replaces them.
package folder

import (
	"bufio"
	"encoding/json"
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

// All files of a results folder except the journals are computed from the journals. Only one
// process at a time writes them. It writes each file as .<name>.<number>.part, and then renames it.

var leftover = regexp.MustCompile(`^\..+\.[0-9]+\.part$`)

// removeLeftovers deletes the temporary files in a results folder. The caller must hold the
// folder's lock.
func removeLeftovers(dir string) error {
	for _, sub := range []string{".", Tables, Figures, Journals, Programs, Submitted, Predictions} {
		left, err := Leftovers(filepath.Join(dir, sub))
		if err == nil {
			err = Remove(left)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Leftovers returns the temporary files of running and killed processes in a folder, which may be
// missing.
func Leftovers(dir string) ([]string, error) {
	return Files(dir, func(e fs.DirEntry) bool { return e.Type().IsRegular() && leftover.MatchString(e.Name()) })
}

// Files returns the paths of those files in a folder for which want returns true, sorted by name. A
// missing folder contains no files.
func Files(dir string, want func(fs.DirEntry) bool) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if want(e) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, IgnoreMissing(err)
}

// Remove removes files and ignores missing ones.
func Remove(files []string) error {
	for _, file := range files {
		if err := IgnoreMissing(os.Remove(file)); err != nil {
			return err
		}
	}
	return nil
}

// IgnoreMissing returns err unless it means that a file or folder does not exist.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WriteFile creates or replaces a file with the content that the function write produces. The old
// content remains until the new content is on disk.
//
// The file's mode follows the umask. write may ignore errors of its writer, which WriteFile
// returns.
func WriteFile(path string, write func(io.Writer) error) error {
	return writeWhole(path, 0o666, write)
}

func WriteBytes(path string, content []byte) error {
	return WriteFile(path, Literal(content))
}

// WriteJSON writes a value as indented JSON, like WriteFile.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(text, '\n'))
}

// Literal returns a function that writes the given content.
func Literal(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// WriteProgram is like WriteFile, but makes the file executable.
func WriteProgram(path string, write func(io.Writer) error) error {
	return writeWhole(path, 0o777, write)
}

const bufferSize = 1 << 16

// writeWhole writes a temporary file, syncs it to disk and renames it to path. Its errors contain
// path.
func writeWhole(path string, mode fs.FileMode, write func(io.Writer) error) error {
	temp, err := createPart(path, mode)
	if err != nil {
		return withTarget(err, path)
	}
	err = writeSynced(temp, path, write)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = withTarget(os.Rename(temp.Name(), path), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return Sync(filepath.Dir(path)) // so that the new name survives a power failure
}

// writeSynced writes the temporary file of path, and syncs it to disk.
func writeSynced(temp *os.File, path string, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(temp, bufferSize)
	writeErr := write(buffered)
	if err := buffered.Flush(); err != nil {
		return withTarget(err, path) // writeErr may contain the name of the temporary file
	}
	if writeErr != nil {
		return writeErr
	}
	return withTarget(temp.Sync(), path)
}

// withTarget replaces the name of a temporary file in an error, which may be nil, with the path of
// its target.
func withTarget(err error, path string) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: file.Op, Path: path, Err: file.Err}
	}
	if rename, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: "replace", Path: path, Err: rename.Err}
	}
	return err
}

// createPart creates a new temporary file in the folder of path. Unlike os.CreateTemp, it follows the umask.
func createPart(path string, mode fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf(".%s.%d.part", filepath.Base(path), rand.Uint64())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// WriteNamed writes to a path that the user chose. It replaces a regular file or the target of a
// symbolic link, and writes directly to pipes and devices, such as /dev/stdout.
func WriteNamed(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is a link to a file that does not exist", path)
		}
		return WriteFile(path, write)
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a folder; give the name of a file", path)
	}
	target, err := filepath.EvalSymlinks(path)
	// A shell may connect /dev/stdout to a regular file, which must not be replaced.
	canReplace := err == nil && info.Mode().IsRegular() && !isDevicePath(path) && !isDevicePath(target)
	if canReplace {
		return WriteFile(target, write)
	}
	return writeInto(path, write)
}

func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(f, bufferSize)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	return errors.Join(err, f.Close())
}

func isDevicePath(path string) bool {
	return strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
}

// Make creates a folder and any missing parents, like os.MkdirAll. It syncs every
// folder that receives a new entry.
func Make(dir string) error { return makeFolders(dir, Sync) }

// makeFolders makes a folder and any missing parents, and calls sync on each folder that received a
// new subfolder.
func makeFolders(dir string, sync func(dir string) error) error {
	var parents []string // parents of the new folders, starting with the deepest
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if at == filepath.Dir(at) {
			break // the root itself is missing, as on a drive that does not exist
		}
		parents = append(parents, filepath.Dir(at))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, parent := range parents {
		// Without read permission, a folder cannot be synced, even if it is writable.
		if err := sync(parent); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// Sync syncs a folder to disk, if the file system can, so that created or renamed files survive a
// power failure.
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
