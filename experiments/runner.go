package experiments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"copse/stats"
)

// RunOptions say how a study is run. None of them changes a result.
type RunOptions struct {
	Dir         string // the results folder
	Workers     int    // trials at a time; 0: as many as there are cores
	Shard       Shard
	FailFast    bool     // stop at the first failed fit
	RetryFailed bool     // run failed fits again
	Overrides   []string // what changed the study file, for the session header
	Progress    Progress // nil: none
}

// Progress is told how a run goes on, from one goroutine.
type Progress interface {
	Start(plan *Plan, workers int)
	Done(t *Trial, task Task)
	Finish()
}

// ErrDrained says that a run stopped early by request, with everything finished
// on disk: the same command goes on.
var ErrDrained = errors.New("stopped on request; the same command goes on where it stopped")

// ErrFailFast says that a run stopped at a failed fit.
var ErrFailFast = errors.New("stopped at the first failure")

// Run runs what the results folder lacks of a study and writes its records. A
// value on drain lets the trials under way finish and then stops; a done ctx
// stops at once. Whatever ends the run, every finished trial is on disk.
func Run(ctx context.Context, drain <-chan struct{}, s *Study, o RunOptions) (*Plan, error) {
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	ledger, err := ReadLedger(o.Dir, s.Name, s.Seed)
	if err != nil {
		return nil, err
	}
	plan := ledger.Plan(s, o.RetryFailed)
	plan.Tasks = o.Shard.of(plan.Tasks)
	if err := errors.Join(keepImported(o.Dir, ledger, s), writeStudy(o.Dir, s)); err != nil {
		return plan, err
	}
	session := &Session{Format: journalFormat, Study: s.Name, Seed: s.Seed, Started: time.Now().UTC().Format(time.RFC3339),
		Platform: ThisPlatform(), Overrides: o.Overrides, Replicates: s.Replicates}
	runErr := error(nil)
	if len(plan.Tasks) > 0 {
		j, err := openJournal(o.Dir, o.Shard.String(), session)
		if err != nil {
			return plan, err
		}
		runErr = errors.Join(runTasks(ctx, drain, s, plan, o, j), j.Close())
	}
	if o.Shard.Count > 1 {
		return plan, runErr // the shards are collected by whoever reports
	}
	return plan, errors.Join(runErr, Collect(o.Dir, s))
}

// runTasks hands the tasks to the workers and writes what they return. Workers
// share nothing; only this goroutine touches the journal.
func runTasks(ctx context.Context, drain <-chan struct{}, s *Study, plan *Plan, o RunOptions, j *journal) error {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(plan.Tasks))
	if o.Progress != nil {
		o.Progress.Start(plan, workers)
		defer o.Progress.Finish()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type finished struct {
		trial *Trial
		task  Task
		err   error
	}
	todo, done := make(chan Task), make(chan finished)
	for range workers {
		go func() {
			for t := range todo {
				trial, err := runTrial(ctx, s, t.Cell, t.Replicate, t.Entries)
				done <- finished{trial, t, err}
			}
		}()
	}
	var stop error
	next, running := 0, 0
	for running > 0 || stop == nil && next < len(plan.Tasks) {
		select { // a request to stop goes before handing out more
		case <-drain:
			stop, drain = ErrDrained, nil
			continue
		default:
		}
		feed, task := todo, Task{}
		if stop != nil || next == len(plan.Tasks) {
			feed = nil
		} else {
			task = plan.Tasks[next]
		}
		select {
		case feed <- task:
			next++
			running++
		case <-drain:
			stop, drain = ErrDrained, nil
		case f := <-done:
			running--
			err := f.err
			if err == nil {
				err = j.append(f.trial)
			}
			if err != nil {
				stop = err
				cancel() // nothing more can be kept
				continue
			}
			if o.Progress != nil {
				o.Progress.Done(f.trial, f.task)
			}
			if o.FailFast && stop == nil {
				stop = firstFailure(f.trial)
			}
		}
	}
	close(todo)
	return stop
}

// firstFailure returns an error that names a trial's first failed fit.
func firstFailure(t *Trial) error {
	for _, r := range t.Results {
		if r.Status == stats.Failed {
			return fmt.Errorf("%w: %s/%d/%s: %s", ErrFailFast, t.Cell, t.Replicate, r.ID, r.Message)
		}
	}
	return nil
}

// keepImported turns rows that came from records.csv into a journal, before
// anything is added beside them.
func keepImported(dir string, l *Ledger, s *Study) error {
	files, err := journalFiles(dir)
	if err != nil || len(files) > 0 || len(l.rows) == 0 {
		return err
	}
	folder := filepath.Join(dir, "journal")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return WriteFile(filepath.Join(folder, "imported.jsonl"), func(w io.Writer) error {
		for i := range l.Sessions {
			if err := writeLine(w, &l.Sessions[i]); err != nil {
				return err
			}
		}
		for _, t := range l.trials() {
			if err := writeLine(w, t); err != nil {
				return err
			}
		}
		return nil
	})
}

func writeLine(w io.Writer, content any) error {
	line, err := encodeLine(content)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// writeStudy keeps the resolved configuration beside its results.
func writeStudy(dir string, s *Study) error {
	text, err := s.YAML()
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, studyName), func(w io.Writer) error { _, err := w.Write(text); return err })
}

// Collect writes study.yaml, records.csv, timings.csv and manifest.json from
// what the folder's journals hold.
func Collect(dir string, s *Study) error {
	ledger, err := ReadLedger(dir, s.Name, s.Seed)
	if err != nil {
		return err
	}
	if err := writeStudy(dir, s); err != nil {
		return err
	}
	records := ledger.Records(s)
	path := filepath.Join(dir, recordsName)
	if err := WriteFile(path, func(w io.Writer) error { return stats.WriteRecords(w, records.Records) }); err != nil {
		return err
	}
	if err := records.writeTimings(filepath.Join(dir, timingsName)); err != nil {
		return err
	}
	m := ledger.manifest(s, records)
	if m.RecordsSHA256, err = fileDigest(path); err != nil {
		return err
	}
	if m.ConfigSHA256, err = fileDigest(filepath.Join(dir, studyName)); err != nil {
		return err
	}
	return writeManifest(dir, m)
}
