package data

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"copse/experiments/folder"
)

// LockFile is the name of the lock file next to a study file. It contains the checksums of data
// sets without registered checksum, as they were in the first run.
const LockFile = "data.lock.json"

// readLockFile reads the lock file in the folder dir into a map from data sets to their origins,
// which is empty without a lock file.
func readLockFile(dir string) (map[string]origin, error) {
	path := filepath.Join(dir, LockFile)
	locked := map[string]origin{}
	if err := readJSON(path, &locked); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; correct or remove it", path, err)
	}
	return locked, nil
}

// RecordChecksums adds the checksums of data sets to the lock file in the folder dir, unless they
// are registered or already in the file.
func RecordChecksums(dir string, names []string) error {
	locked, err := readLockFile(dir)
	if err != nil {
		return err
	}
	before := len(locked)
	for _, name := range names {
		set, registered := Lookup(name)
		hasRegisteredSum := registered && set.SHA256 != ""
		_, isLocked := locked[name]
		if hasRegisteredSum || isLocked {
			continue
		}
		c, err := find(name)
		if err != nil {
			return err
		}
		locked[name] = c.origin // contains the checksum
	}
	if len(locked) == before {
		return nil
	}
	return folder.WriteJSON(filepath.Join(dir, LockFile), locked)
}

func (r *Reader) checkLockFile(c content) error {
	locked, err := readLockFile(r.folder)
	if err != nil {
		return err
	}
	entry, isLocked := locked[c.name]
	if now := sum(c.text); isLocked && now != entry.SHA256 {
		return fmt.Errorf("%s has SHA-256 %s, but %s is recorded in %s: the study ran with another version. "+
			"Fetch that version, or remove the entry from the file to accept this version",
			c.name, now, entry.SHA256, filepath.Join(r.folder, LockFile))
	}
	return nil
}
