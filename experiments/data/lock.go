package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"copse/stats/dataset/csvfile"
)

// LockFile is the name of a file beside a study. It has the checksums of data sets without a
// registered checksum, as they were when the study first ran.
const LockFile = "data.lock.json"

// readLock reads the lock file in a folder. It returns the locked data sets by name; none if there is
// no such file.
func readLock(dir string) (map[string]origin, error) {
	path := filepath.Join(dir, LockFile)
	text, err := csvfile.ReadRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]origin{}, nil
	}
	locked := map[string]origin{}
	if err == nil {
		err = json.Unmarshal(text, &locked)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; correct or remove it", path, err)
	}
	return locked, nil
}

// Lock adds data sets without a registered checksum to the lock file in a folder. Their present
// content is trusted.
func Lock(dir string, names []string) error {
	locked, err := readLock(dir)
	if err != nil {
		return err
	}
	store, err := DefaultStore()
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
		c, err := store.Find(name)
		if err != nil {
			return err
		}
		locked[name] = origin{SHA256: c.SHA256, From: c.Origin, MD5: c.MD5}
	}
	if len(locked) == before {
		return nil
	}
	return writeJSON(filepath.Join(dir, LockFile), locked)
}

// checkLock returns an error for a data set with another checksum than in the lock file.
func (r *Reader) checkLock(c content) error {
	locked, err := readLock(r.folder)
	if err != nil {
		return err
	}
	entry, isLocked := locked[c.name]
	if now := sum(c.text); isLocked && now != entry.SHA256 {
		return fmt.Errorf("%s: SHA-256 %s, expected %s by %s: the study ran with another version; fetch that one, or "+
			"remove the entry to accept this one", c.name, now, entry.SHA256, filepath.Join(r.folder, LockFile))
	}
	return nil
}
