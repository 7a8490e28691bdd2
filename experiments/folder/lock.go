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

// noLocks is the environment variable that switches locks off by the value off, for file systems
// without locks. The user must then run one process at a time.
const noLocks = "COPSE_LOCKS"

// TryLock takes the lock file at path for this process; held is false while
// another one has it. The file follows the umask, so that a group can share it.
func TryLock(path string) (unlock func() error, held bool, err error) {
	if os.Getenv(noLocks) == "off" {
		return func() error { return nil }, true, nil
	}
	// NFS can lock the file only if it is open for writing.
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
	if held, err = lock.TryLock(); err != nil {
		return nil, false, explain(path, err)
	}
	return lock.Unlock, held, nil
}

// Unwritable adds the remedy to the error of a results folder without write permission. It returns
// other errors unchanged.
func Unwritable(dir string, err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return err
	}
	return fmt.Errorf(
		"the results folder %s may only be read here: copy it to where you may write and name the copy, or let "+
			"copse run write elsewhere with --out; status, verify, repro, export and plot read it as it is (%w)",
		dir,
		err,
	)
}

// explain adds a remedy to the error of a file system that does not support locks.
func explain(path string, err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return fmt.Errorf(
			"%s: this file system has no locks (%w): choose another --out, or set %s=off and see to it that one "+
				"process at a time works in the folder",
			path,
			err,
			noLocks,
		)
	}
	return err
}

// lockPoll is the time between two attempts to take a lock.
const lockPoll = 50 * time.Millisecond

// Lock does the same as TryLock, but waits until another process has released the lock.
func Lock(path string, wait time.Duration) (unlock func() error, held bool, err error) {
	for end := time.Now().Add(wait); ; time.Sleep(lockPoll) {
		if unlock, held, err = TryLock(path); held || err != nil || time.Now().After(end) {
			return unlock, held, err
		}
	}
}

const (
	outputsLock = "journal/outputs.lock"
	outputsWait = 10 * time.Minute // for another process's tables and figures
)

// Locked runs f while no other process writes the folder's outputs. It
// first removes temporary files of processes that were killed. f must not call
// it again.
func Locked(dir string, f func() error) error {
	path := filepath.Join(dir, outputsLock)
	if err := Make(filepath.Dir(path)); err != nil {
		return Unwritable(dir, err)
	}
	unlock, held, err := Lock(path, outputsWait)
	if err != nil {
		return Unwritable(dir, err)
	}
	if !held {
		return fmt.Errorf("%s: another process has been writing tables and figures for %s; stop it", path, outputsWait)
	}
	return errors.Join(removeLeftovers(dir), f(), unlock())
}
