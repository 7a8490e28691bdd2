package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"copse/experiments/folder"
	"copse/experiments/results"
)

// leaseTime is the time after which a lease expires that its process does not renew.
var leaseTime = 10 * time.Minute

// leases keep the processes that share a folder from running the same trial. A lease is a file,
// one for each trial under way, with the journal's name of the process that runs it. The lease
// of a trial of another shard stays when the trial is stored, so that the other shard finds it.
//
// Leases save time only: a trial that two processes run has equal results, and collecting them
// keeps one.
type leases struct {
	folder *results.Folder
	dir    string // of the files
	holder string // name of this process's journal
	shard  Shard
	retry  bool
	held   map[string]bool // paths of the leases of trials under way
}

// newLeases returns the leases of a process that runs a shard of a folder's study.
func newLeases(f *results.Folder, o *Options) (*leases, error) {
	dir := filepath.Join(f.Dir, filepath.FromSlash(folder.Leases))
	if err := folder.Make(dir); err != nil {
		return nil, err
	}
	return &leases{f, dir, o.JournalName(), o.Shard, o.RetryFailed, map[string]bool{}}, nil
}

// path returns the file of a trial's lease.
func (l *leases) path(t Task) string {
	return filepath.Join(l.dir, fmt.Sprintf("%s-%d.lease", t.Cell.ID, t.Replicate))
}

// claim takes the lease of a trial. It returns false if another process runs the trial or has
// stored its results. Nil leases are always free.
func (l *leases) claim(t Task) (bool, error) {
	if l == nil {
		return true, nil
	}
	path := l.path(t)
	isNew, err := l.create(path)
	if err != nil {
		return false, err
	}
	if !isNew {
		if taken, err := l.takeOver(path); !taken || err != nil {
			return false, err
		}
	}
	l.held[path] = true
	if isNew && l.isOwn(t) {
		return true, nil // no other process had the lease, so that none has results
	}
	if err := l.folder.Refresh(); err != nil {
		return false, err
	}
	if l.isStored(t) {
		delete(l.held, path)
		return false, nil
	}
	return true, nil
}

// isOwn reports whether a trial belongs to the shard of this process.
func (l *leases) isOwn(t Task) bool { return l.shard.has(t.cellIndex, t.Replicate) }

// create makes the file of a lease and reports whether there was none before.
func (l *leases) create(path string) (isNew bool, err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = file.WriteString(l.holder)
	return true, errors.Join(err, file.Close())
}

// takeOver replaces a lease that has expired or that this shard held before it was killed. It
// returns false if another process holds the lease.
func (l *leases) takeOver(path string) (bool, error) {
	holder, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l.create(path)
	}
	if err != nil {
		return false, err
	}
	if string(holder) == l.holder {
		return true, os.Chtimes(path, time.Time{}, time.Now())
	}
	info, err := os.Stat(path)
	if err != nil || time.Since(info.ModTime()) < leaseTime {
		return false, nil // held, or just released
	}
	if err := folder.Remove([]string{path}); err != nil {
		return false, err
	}
	return l.create(path)
}

// isStored reports whether the folder has all results of a task.
func (l *leases) isStored(t Task) bool {
	stateOf := l.folder.Finder(t.Cell.ID, t.Entries)
	for k := range t.Entries {
		if isMissing(stateOf(t.Replicate, k), l.retry) {
			return false
		}
	}
	return true
}

// release ends the lease of a stored trial.
func (l *leases) release(t Task) error {
	if l == nil {
		return nil
	}
	path := l.path(t)
	delete(l.held, path)
	if !l.isOwn(t) {
		return nil // its own shard finds the file and reads the result
	}
	return folder.Remove([]string{path})
}

// renew prevents the leases of the trials under way from expiring.
func (l *leases) renew() {
	for path := range l.held {
		_ = os.Chtimes(path, time.Time{}, time.Now()) // without renewal the trial may run twice
	}
}

// ticks returns a channel that delivers when it is time to renew; nil without leases. stop ends it.
func (l *leases) ticks() (ticks <-chan time.Time, stop func()) {
	if l == nil {
		return nil, func() {}
	}
	ticker := time.NewTicker(leaseTime / 4)
	return ticker.C, ticker.Stop
}
