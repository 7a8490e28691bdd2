package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats/regular"
)

// leaseTime is the time after which a lease expires, unless its process renews it.
var leaseTime = 10 * time.Minute

// emptyLeaseTime is the time after which an empty lease expires, because processes write their name
// right after they create a lease.
const emptyLeaseTime = 5 * time.Second

// leases prevent processes with the same results folder from running the same trial. A lease on a
// trial is a file that contains the name of the journal of the process that runs the trial.
//
// Leases only save time. If two processes run the same trial, their results are equal, and copse
// keeps one copy.
type leases struct {
	folder *results.Folder
	dir    string // folder of the lease files
	holder string // the name of the journal of this process
	shard  Shard
	retry  bool            // failed results count as missing
	held   map[string]bool // paths of the leases of running trials
}

// newLeases returns the leases of a process, and creates the folder for lease files.
func newLeases(f *results.Folder, o *Options) (*leases, error) {
	dir := filepath.Join(f.Dir, folder.Leases)
	if err := folder.Make(dir); err != nil {
		return nil, err
	}
	return &leases{
		folder: f,
		dir:    dir,
		holder: o.JournalName(),
		shard:  o.Shard,
		retry:  o.RetryFailed,
		held:   map[string]bool{},
	}, nil
}

func (l *leases) path(t Task) string {
	return filepath.Join(l.dir, fmt.Sprintf("%s-%d.lease", t.Cell.ID, t.Replicate))
}

// claim reports whether this process should run a trial, and takes the lease if so. A nil l means
// that there are no other processes.
//
// claim returns false if another process is running the trial or has stored its results. It may
// miss results that a process with the same shard has just stored. The trial then runs twice.
func (l *leases) claim(t Task) (bool, error) {
	if l == nil {
		return true, nil
	}
	path := l.path(t)
	isNew, err := l.create(path)
	if err != nil {
		return false, err
	}
	if !isNew { // another process has or had the lease
		if taken, err := l.takeOver(path); !taken || err != nil {
			return false, err
		}
	}
	// After a trial, a process of its shard removes the lease file, but a process of another shard keeps
	// it (see release). If the file of a trial in this shard is new, no other shard has run the trial.
	isFirstRun := isNew && l.isInOwnShard(t)
	if !isFirstRun {
		if err := l.folder.Refresh(); err != nil {
			return false, err
		}
		if l.isStored(t) {
			return false, nil // Collect removes the lease file
		}
	}
	l.held[path] = true
	return true, nil
}

func (l *leases) isInOwnShard(t Task) bool {
	return l.shard.has(t.cellIndex, len(l.folder.Study.Cells), t.Replicate)
}

// create creates a lease file, unless the file already exists.
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

// takeOver takes over a lease that has expired, was released in the meantime, or is left over from
// an earlier process with the same journal. It reports whether this process now has the lease.
func (l *leases) takeOver(path string) (bool, error) {
	holder, err := regular.Read(path)
	if errors.Is(err, fs.ErrNotExist) { // released in the meantime
		return l.create(path)
	}
	if err != nil {
		return false, err
	}
	isOwn := string(holder) == l.holder // left over, because only one process at a time uses a journal
	if !isOwn && !isExpired(path, string(holder)) {
		return false, nil
	}
	// Create a new file, because the old one may be a link to a file outside the folder.
	if err := folder.Remove([]string{path}); err != nil {
		return false, err
	}
	return l.create(path)
}

// isExpired reports whether a lease was last renewed too long ago. holder is the content of the
// lease file.
func isExpired(path, holder string) bool {
	limit := leaseTime
	if holder == "" {
		limit = emptyLeaseTime
	}
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()) >= limit // each renewal sets the time of the file
}

// isStored reports whether all results of a task are in the folder.
func (l *leases) isStored(t Task) bool {
	return !slices.ContainsFunc(t.Entries, func(e study.Entry) bool {
		return isMissing(l.folder.State(t.Cell.ID, t.Replicate, &e), l.retry)
	})
}

// release ends the lease on a trial whose results are stored. l may be nil.
func (l *leases) release(t Task) error {
	if l == nil {
		return nil
	}
	path := l.path(t)
	delete(l.held, path)
	if !l.isInOwnShard(t) {
		return nil // the remaining file makes the other process look for the stored results
	}
	return folder.Remove([]string{path})
}

// renew extends the leases of the running trials by leaseTime.
func (l *leases) renew() {
	for path := range l.held {
		_ = os.Chtimes(path, time.Time{}, time.Now()) // after an error, the trial may run twice
	}
}

// renewTicks returns a channel that ticks whenever the leases must be renewed, or nil if l is nil.
func (l *leases) renewTicks() <-chan time.Time {
	if l == nil {
		return nil
	}
	return time.Tick(leaseTime / 4)
}
