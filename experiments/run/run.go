// Package run plans what a results folder lacks of a study, estimates its cost, and runs
// it with workers, one trial each at a time.
package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
)

// Options control how a study is run. None of them changes a result.
type Options struct {
	Dir         string // the results folder
	Workers     int    // trials at a time; 0: as many as there are cores
	Memory      MemoryCeiling
	Shard       Shard
	Steal       bool     // after the tasks of the shard, run those of other shards that no process runs
	Writer      string   // added to the journal's name where several processes run one shard
	FailFast    bool     // stop at the first failed fit
	RetryFailed bool     // run failed fits again
	Overrides   []string // flags that changed the study, for the session header

	// AcceptChange adds results to those of other versions of a program or its packages.
	AcceptChange bool

	Progress Progress // nil: none
}

// Progress receives the progress of a run, from one goroutine.
type Progress interface {
	Start(plan *Plan, workers int)
	Done(t *trial.Trial, task Task)
	Note(text string)
	Finish()
}

// ErrDrained reports that a run stopped on request. All finished trials are stored.
var ErrDrained = errors.New("stopped on request; the same command goes on where it stopped")

// ErrFailFast reports that a run stopped at a failed fit.
var ErrFailFast = errors.New("stopped at the first failure")

// Run computes the missing results of a study and stores them in its folder. A value on
// drain stops the run after the running trials; a done ctx stops it at once. Every
// finished trial is stored, however the run ends.
func Run(ctx context.Context, drain <-chan struct{}, s *study.Study, o Options) (*Plan, error) {
	o.Progress = withDefault(o.Progress)
	f, err := results.OpenFor(o.Dir, s)
	if err != nil {
		return nil, err
	}
	if err := f.CheckStudy(); err != nil {
		return nil, err
	}
	if f.Len() > 0 { // a new folder is made only after the programs have started
		if err := f.KeepImported(); err != nil {
			return nil, err
		}
		if err := addMetrics(f, o); err != nil {
			return nil, err
		}
	}
	plan := newShardPlan(f, o.Shard, o.RetryFailed)
	if o.Steal {
		plan = newStealingPlan(f, o.Shard, o.RetryFailed)
	}
	if len(plan.Tasks) == 0 {
		if collected, err := f.IsCollected(); collected || err != nil {
			return plan, err
		}
	}
	var runErr error
	if len(plan.Tasks) > 0 {
		started, err := runPlan(ctx, drain, f, plan, o)
		if !started || !results.HasJournals(o.Dir) {
			return plan, err // a folder removed during the run is not made again
		}
		runErr = err
	}
	if o.Shard.Count > 1 {
		return plan, errors.Join(runErr, f.Refresh()) // report collects the shards
	}
	return plan, errors.Join(runErr, f.Collect())
}

// runPlan starts the programs of a plan, opens a session and runs the tasks. started is
// false where the session was refused, so that nothing ran.
func runPlan(
	ctx context.Context,
	drain <-chan struct{},
	f *results.Folder,
	plan *Plan,
	o Options,
) (started bool, err error) {
	s := f.Study
	first := trial.NewWorker(s, s.Folder())
	defer first.Close()
	programs, err := startPrograms(ctx, first, s, plan, drain, o.Progress)
	if err != nil {
		return false, err
	}
	if !o.AcceptChange {
		if err := checkUnchanged(f, plan, programs); err != nil {
			return false, err
		}
	}
	if err := s.LockSets(); err != nil {
		return false, err
	}
	j, err := startSession(f, o, programs)
	if err != nil {
		return false, err
	}
	workers := &pool{study: s, options: o, journal: j, first: first, folder: f}
	if o.Steal {
		if workers.leases, err = newLeases(f, &o); err != nil {
			return true, errors.Join(err, j.Close())
		}
	}
	return true, errors.Join(workers.run(ctx, drain, plan), j.Close())
}

// addMetrics computes, from the predictions that are kept, the metrics that results
// of earlier runs lack, and adds them to the journal.
func addMetrics(f *results.Folder, o Options) (err error) {
	var j *results.Journal
	if err := folder.Locked(o.Dir, func() error { return results.GatherPredictions(o.Dir) }); err != nil {
		return err
	}
	n := 0
	err = f.CompleteMetrics(func(t *trial.Trial) (err error) {
		if j == nil {
			o.Writer = strings.TrimPrefix(o.Writer+".metrics", ".")
			if j, err = startSession(f, o, nil); err != nil {
				return err
			}
		}
		n += len(t.Results)
		return j.Append(t)
	})
	if j == nil {
		return err
	}
	o.Progress.Note(fmt.Sprintf("metrics of %d results were computed from kept predictions", n))
	return errors.Join(err, j.Close(), f.Refresh())
}

// startSession opens the journal and then writes the folder's study.yaml, in this order:
// a process that cannot open the journal changes nothing.
func startSession(f *results.Folder, o Options, programs map[string]external.Hello) (*results.Journal, error) {
	s := f.Study
	text, err := s.YAML()
	if err != nil {
		return nil, err
	}
	session := &results.Session{
		Format:     results.JournalFormat,
		Study:      s.Name,
		Seed:       s.Seed,
		Started:    time.Now().UTC().Format(time.RFC3339),
		Platform:   results.ThisPlatform(),
		Overrides:  o.Overrides,
		Replicates: s.Replicates,
		Config:     string(text),
		Programs:   programs,
	}
	j, err := results.OpenJournal(o.Dir, o.JournalName(), session)
	if err != nil {
		return nil, err
	}
	err = folder.Locked(o.Dir, func() error {
		return errors.Join(s.KeepFiles(o.Dir), f.WriteStudy())
	})
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// JournalName returns the name of the shard, followed by the writer if there is one.
func (o *Options) JournalName() string {
	if o.Writer == "" {
		return o.Shard.String()
	}
	return o.Shard.String() + "." + o.Writer
}

// Trials runs given tasks, such as those of a calibration, whose cells need not belong to
// the study. It writes the results to j and keeps no predictions.
func Trials(
	ctx context.Context,
	drain <-chan struct{},
	s *study.Study,
	tasks []Task,
	o Options,
	j *results.Journal,
) error {
	o.Progress = withDefault(o.Progress)
	resultsAlone := *s
	resultsAlone.Predictions = false
	first := trial.NewWorker(&resultsAlone, s.Folder())
	defer first.Close()
	workers := &pool{study: &resultsAlone, options: o, journal: j, first: first}
	return workers.run(ctx, drain, planOfTasks(tasks))
}
