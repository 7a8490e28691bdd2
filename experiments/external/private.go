package external

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	privatePrefix = "copse-external-" // prefix of the names of private folders
	privateLock   = "lock"            // name of the lock file in a private folder
)

// A privateFolder is a temporary folder for files that copse and one process exchange. It is locked
// while in use, so that newPrivateFolder can remove the folders of killed processes.
type privateFolder struct {
	path string
	lock *flock.Flock
}

func newPrivateFolder() (*privateFolder, error) {
	removeAbandoned()
	path, err := os.MkdirTemp("", privatePrefix)
	if err != nil {
		return nil, err
	}
	f := &privateFolder{path, flock.New(filepath.Join(path, privateLock))}
	if held, err := f.lock.TryLock(); err != nil || !held {
		return nil, errors.Join(fmt.Errorf("%s cannot be locked", path), err)
	}
	return f, nil
}

// leastAge is the age at which an unlocked folder is removed. A younger one may not have been
// locked yet.
const leastAge = time.Minute

// removeAbandoned removes unlocked private folders. It ignores errors, because it cannot remove the
// folders of other users.
func removeAbandoned() {
	entries, _ := os.ReadDir(os.TempDir())
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), privatePrefix) {
			removeUnlocked(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}

// removeUnlocked removes an unlocked private folder, unless it is younger than leastAge.
func removeUnlocked(folder string) {
	path := filepath.Join(folder, privateLock)
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // copse was killed before it made the lock file
		if isOld(folder) {
			_ = os.Remove(folder) // fails unless the folder is empty
		}
		return
	case !isOld(path):
		return // the process that created the folder may not have locked it yet
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDWR)) // does not create the file
	if held, err := lock.TryLock(); held && err == nil {
		_ = lock.Close() // Windows does not remove open files
		_ = os.RemoveAll(folder)
	}
}

func isOld(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()) >= leastAge
}

func (f *privateFolder) remove() {
	_ = f.lock.Close()
	_ = os.RemoveAll(f.path)
}
