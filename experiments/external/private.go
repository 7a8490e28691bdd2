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

// A private folder holds what goes to and fro between copse and one process. It
// is locked as long as the process is in use; a folder that is not was left by a
// copse that was killed, and goes when the next one is made.

const (
	privatePrefix = "copse-external-"
	privateLock   = "lock"
)

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

// youngest is the age from which on a folder without its lock was left: one that
// is being made gets its lock at once.
const youngest = time.Minute

// removeAbandoned removes the folders of processes that are no more. Those of
// other users stay.
func removeAbandoned() {
	entries, _ := os.ReadDir(os.TempDir())
	for _, e := range entries {
		folder := filepath.Join(os.TempDir(), e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), privatePrefix) {
			continue
		}
		path := filepath.Join(folder, privateLock)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) { // killed before it had its lock, which comes first
			if info, err = os.Lstat(folder); err == nil && time.Since(info.ModTime()) >= youngest {
				_ = os.Remove(folder) // an empty one, no other
			}
			continue
		}
		if err != nil || time.Since(info.ModTime()) < youngest {
			continue
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR)) // never made here
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
