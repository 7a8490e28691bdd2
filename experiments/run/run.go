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

// Options say how a study is run. None of them changes a result.
type Options struct {
	Dir         string // the results folder
	Workers     int    // trials at a time; 0: as many as there are cores
	Memory      MemoryCeiling
	Shard       Shard
	Writer      string   // names this process's journal apart from others of the same shard
	FailFast    bool     // stop at the first failed fit
	RetryFailed bool     // run failed fits again
	Overrides   []string // what changed the study file, for the session header

	// AcceptChange adds results to those of other versions of a program or its packages.
	AcceptChange bool

	Progress Progress // nil: none
}

// Progress is told how a run goes on, from one goroutine.
type Progress interface {
	Start(plan *Plan, workers int)
	Done(t *trial.Trial, task Task)
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
func Run(ctx context.Context, drain <-chan struct{}, s *study.Study, o Options) (*Plan, error) {
	o.Progress = told(o.Progress)
	if err := folder.Make(o.Dir); err != nil {
		return nil, folder.Unwritable(o.Dir, err)
	}
	f, err := results.OpenFor(o.Dir, s)
	if err != nil {
		return nil, err
	}
	if err := f.CheckStudy(); err != nil {
		return nil, err
	}
	if err := f.KeepImported(); err != nil {
		return nil, err
	}
	if err := addMetrics(f, o); err != nil {
		return nil, err
	}
	plan := newShardPlan(f, o.Shard, o.RetryFailed)
	runErr := error(nil)
	if len(plan.Tasks) > 0 {
		first := trial.NewWorker(s, s.Folder())
		defer first.Close()
		programs, err := greet(ctx, first, s, plan, drain, o.Progress)
		if err != nil {
			return plan, err
		}
		if !o.AcceptChange {
			if err := checkUnchanged(f, plan, programs); err != nil {
				return plan, err
			}
		}
		if err := s.LockSets(); err != nil {
			return plan, err
		}
		j, err := startSession(f, o, programs)
		if err != nil {
			return plan, err
		}
		runErr = errors.Join((&crew{s, o, j, first, f}).run(ctx, drain, plan), j.Close())
		if !results.HasJournals(o.Dir) {
			return plan, runErr // the folder is gone: nothing is made in its place
		}
	}
	if o.Shard.Count > 1 {
		return plan, errors.Join(runErr, f.Refresh()) // report collects the shards
	}
	gathered := folder.Locked(o.Dir, func() error { return results.GatherPredictions(o.Dir) })
	return plan, errors.Join(runErr, gathered, f.Collect())
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

// startSession opens the journal, and only then changes the folder's study.yaml:
// a process that is refused leaves everything as it was.
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

// JournalName is the shard's, with the writer's where it has one.
func (o *Options) JournalName() string {
	if o.Writer == "" {
		return o.Shard.String()
	}
	return o.Shard.String() + "." + o.Writer
}

// Trials runs tasks that somebody else made, such as those of a calibration, whose
// cells need not be the study's; predictions are not kept.
func Trials(
	ctx context.Context,
	drain <-chan struct{},
	s *study.Study,
	tasks []Task,
	o Options,
	j *results.Journal,
) error {
	o.Progress = told(o.Progress)
	resultsAlone := *s
	resultsAlone.Predictions = false
	first := trial.NewWorker(&resultsAlone, s.Folder())
	defer first.Close()
	return (&crew{&resultsAlone, o, j, first, nil}).run(ctx, drain, planOfTasks(tasks))
}
