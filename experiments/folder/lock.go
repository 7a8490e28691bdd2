package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// locksVariable is an environment variable. Its value "off" disables locking, for file systems
// without locks. The user must then run only one process at a time.
const locksVariable = "COPSE_LOCKS"

const lockPoll = 50 * time.Millisecond

// Lock locks the file at path for this process, and creates the file if necessary. If the user has
// disabled locking, it always succeeds.
//
// If held is true, the caller must call unlock. If held is false and err is nil, another process
// still holds the lock after the given time.
func Lock(path string, wait time.Duration) (unlock func() error, held bool, err error) {
	isDisabled := os.Getenv(locksVariable) == "off"
	if isDisabled {
		return func() error { return nil }, true, nil
	}
	// NFS can lock the file only if it is open for writing.
	// The mode follows the umask, so that a group can share the file.
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
	for end := time.Now().Add(wait); ; time.Sleep(lockPoll) {
		if held, err = lock.TryLock(); err != nil {
			return nil, false, explain(path, err)
		}
		if held || time.Now().After(end) {
			return lock.Unlock, held, nil
		}
	}
}

// Unwritable adds advice to a permission error in a results folder.
func Unwritable(dir string, err error) error {
	if !IsUnwritable(err) {
		return err
	}
	return fmt.Errorf(
		"no write permission for the results folder %s or its parent: copy the folder to a writable place, or run "+
			"the study with another `--out`; `status`, `verify`, `repro`, `export` and `plot` need no write "+
			"permission (%w)",
		dir,
		err,
	)
}

// IsUnwritable reports whether the user may not write to a folder.
func IsUnwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

func explain(path string, err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return fmt.Errorf(
			"%s: this file system does not support locks (%w): choose another `--out`, or set `%s=off` and never run "+
				"two processes in the folder at the same time",
			path,
			err,
			locksVariable,
		)
	}
	return err
}

const (
	outputsLock = "journal/outputs.lock"
	outputsWait = 10 * time.Minute // how long Locked waits for another process to write its outputs
)

// Locked calls f while it holds the lock of the folder's outputs. f must not call Locked for the
// same folder.
//
// First, Locked removes temporary files of killed processes. If RejectLinks rejects the folder,
// Locked does not call f.
func Locked(dir string, f func() error) error {
	if err := RejectLinks(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, outputsLock)
	if err := Make(filepath.Dir(path)); err != nil {
		return Unwritable(dir, err)
	}
	unlock, held, err := Lock(path, outputsWait)
	if err != nil {
		return Unwritable(dir, err)
	}
	if !held {
		return fmt.Errorf("%s: another process has held this lock for %s; stop that process", path, outputsWait)
	}
	leftoversErr := removeLeftovers(dir)
	err = f() // even if leftovers remain, because they do no harm
	return errors.Join(leftoversErr, err, unlock())
}
