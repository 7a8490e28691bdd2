package experiments

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"copse/stats/records"
)

// RunOptions say how a study is run. None of them changes a result.
type RunOptions struct {
	Dir         string // the results folder
	Workers     int    // trials at a time; 0: as many as there are cores
	Memory      MemoryCeiling
	Shard       Shard
	Writer      string   // names this process's journal apart from others of the same shard
	FailFast    bool     // stop at the first failed fit
	RetryFailed bool     // run failed fits again
	Overrides   []string // what changed the study file, for the session header
	Progress    Progress // nil: none
}

// Progress is told how a run goes on, from one goroutine.
type Progress interface {
	Start(plan *Plan, workers int)
	Done(t *Trial, task Task)
	Note(text string)
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
	if err := WithOutputs(o.Dir, func() error { return keepImported(o.Dir, ledger) }); err != nil {
		return plan, err
	}
	runErr := error(nil)
	if len(plan.Tasks) > 0 {
		j, err := startSession(s, o)
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

// startSession opens the journal, and only then changes the folder's study.yaml:
// a process that is refused leaves everything as it was.
func startSession(s *Study, o RunOptions) (*journal, error) {
	text, err := s.YAML()
	if err != nil {
		return nil, err
	}
	session := &Session{Format: journalFormat, Study: s.Name, Seed: s.Seed, Started: time.Now().UTC().Format(time.RFC3339),
		Platform: ThisPlatform(), Overrides: o.Overrides, Replicates: s.Replicates, Config: string(text)}
	j, err := openJournal(o.Dir, o.journalName(), session)
	if err != nil {
		return nil, err
	}
	if err := WithOutputs(o.Dir, func() error { return writeStudy(o.Dir, text) }); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// journalName is the shard's, with the writer's where it has one.
func (o *RunOptions) journalName() string {
	if o.Writer == "" {
		return o.Shard.String()
	}
	return o.Shard.String() + "." + o.Writer
}

// runTasks hands the tasks to the workers and writes what they return. Workers
// share nothing; only this goroutine touches the journal.
func runTasks(ctx context.Context, drain <-chan struct{}, s *Study, plan *Plan, o RunOptions, j *journal) error {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(plan.Tasks))
	heads, end, err := newHeadcount(workers, o.Memory)
	if err != nil {
		return err
	}
	defer end()
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
	next, running, broken := 0, 0, false
	for running > 0 || stop == nil && next < len(plan.Tasks) {
		select { // a request to stop goes before handing out more
		case <-drain:
			stop, drain = ErrDrained, nil
			continue
		default:
		}
		feed, task := todo, Task{}
		if stop != nil || next == len(plan.Tasks) || running == heads.allowed {
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
		case <-heads.looks():
			heads.measure()
		case f := <-done:
			running--
			if text := heads.settle(); text != "" && o.Progress != nil {
				o.Progress.Note(text)
			}
			err := f.err
			if err == nil {
				err = j.append(f.trial)
			}
			if err != nil {
				if !broken {
					stop, broken = err, true // the first error, not those of the trials that it cancels
				}
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
		if r.Status == records.Failed {
			return fmt.Errorf("%w: %s/%d/%s: %s", ErrFailFast, t.Cell, t.Replicate, r.ID, r.Message)
		}
	}
	return nil
}
