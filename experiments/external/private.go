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

// A private folder contains the files that copse exchanges with one process. It is locked while
// the process is in use. An unlocked folder was left by a killed copse; newPrivateFolder
// removes it.

const (
	privatePrefix = "copse-external-"
	privateLock   = "lock"
)

type privateFolder struct {
	path string
	lock *flock.Flock
}

// newPrivateFolder makes and locks a private folder.
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

// youngest is the age from which an unlocked folder counts as abandoned. A folder gets its
// lock right after it is made.
const youngest = time.Minute

// removeAbandoned removes unlocked private folders. Errors are ignored, since folders of
// other users cannot be removed.
func removeAbandoned() {
	entries, _ := os.ReadDir(os.TempDir())
	for _, e := range entries {
		folder := filepath.Join(os.TempDir(), e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), privatePrefix) {
			continue
		}
		path := filepath.Join(folder, privateLock)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) { // copse was killed before it made the lock
			if info, err = os.Lstat(folder); err == nil && time.Since(info.ModTime()) >= youngest {
				_ = os.Remove(folder) // fails unless the folder is empty
			}
			continue
		}
		if err != nil || time.Since(info.ModTime()) < youngest {
			continue
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR)) // does not create the file
		if held, err := lock.TryLock(); held && err == nil {
			_ = lock.Close() // Windows removes no open file
			_ = os.RemoveAll(folder)
		}
	}
}

func (f *privateFolder) remove() {
	_ = f.lock.Close()
	_ = os.RemoveAll(f.path)
}
