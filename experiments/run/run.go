// Package run computes the results of a study that are missing in its results folder.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
)

// Options control how a study is run, but do not change any result.
type Options struct {
	Dir         string // the results folder
	Workers     int    // number of parallel trials; 0 means one per core
	Memory      MemoryCeiling
	Shard       Shard
	Steal       bool     // after the tasks of the shard, also run unclaimed tasks of other shards
	Writer      string   // suffix of the journal's name, for several processes that run one shard
	FailFast    bool     // stop at the first failed fit
	RetryFailed bool     // run failed fits again
	Overrides   []string // command-line flags that changed the study; the journal stores them

	// AcceptChange allows programs that have changed since they computed stored results.
	AcceptChange bool

	Progress Progress // nil if progress is not shown
}

// Progress shows the progress of a run, which calls its methods from one goroutine.
type Progress interface {
	Start(plan *Plan, workers int)
	Done(t *trial.Trial, task Task) // t is nil if another process ran the task
	Note(text string)
	Finish()
}

// ErrDrained is the error of a run that stopped on request. All finished trials are stored.
var ErrDrained = errors.New("stopped on request; to resume, run the same command again")

// ErrFailFast is the error of a run that stopped at the first failed fit.
var ErrFailFast = errors.New("stopped at the first failed fit")

// Run computes the missing results of a study and, unless it runs only a shard, writes all results
// to records.csv.
//
// When drain is closed, Run finishes the running trials. If ctx is cancelled, it stops immediately.
func Run(ctx context.Context, drain <-chan struct{}, s *study.Study, o Options) (*Plan, error) {
	o.Progress = cmp.Or[Progress](o.Progress, silent{})
	f, err := openFolder(drain, s, o)
	if err != nil {
		return nil, err
	}
	plan := o.newPlan(f)
	if len(plan.Tasks) == 0 { // all results are stored, but the files that Collect writes may be out of date
		return plan, o.updateCollected(drain, f)
	}
	o.noteMemory(plan)
	started, runErr := runPlan(ctx, drain, f, plan, o)
	if !started || !results.HasJournals(o.Dir) {
		return plan, runErr // no trial ran, so there is nothing to collect
	}
	if o.Shard.Count > 1 {
		// Only read the new results: `copse report` later collects the results of all shards.
		return plan, errors.Join(runErr, f.Refresh())
	}
	if runErr != nil {
		// Collect the finished trials even if drain is closed.
		return plan, errors.Join(runErr, f.Collect())
	}
	return plan, o.collectUnlessDrained(drain, f)
}

// updateCollected updates records.csv and study.yaml if the run has no results to compute.
func (o *Options) updateCollected(drain <-chan struct{}, f *results.Folder) error {
	if collected, err := f.IsCollected(); collected || err != nil {
		return err
	}
	switch {
	case o.Shard.Count <= 1:
		return o.collectUnlessDrained(drain, f)
	case f.Len() == 0:
		return f.Refresh() // the shard has no trials
	}
	// The study may have changed. `copse report` later updates records.csv.
	return folder.Locked(o.Dir, f.WriteStudy)
}

// collectUnlessDrained collects all results in records.csv. If drain is closed first, it returns
// ErrDrained.
func (o *Options) collectUnlessDrained(drain <-chan struct{}, f *results.Folder) error {
	return UnlessDrained(drain, o.Progress, "writing records", f.Collect)
}

// newPlan returns the plan of a run. If o.Steal is true, tasks of other shards follow the tasks of
// this shard.
func (o *Options) newPlan(f *results.Folder) *Plan {
	if !o.Steal {
		return newShardPlan(f, o.Shard, o.RetryFailed)
	}
	p := newShardPlan(f, Shard{}, o.RetryFailed)
	position := func(t Task) int { // 0 for tasks of this shard, 1 for others
		if o.Shard.has(t.cellIndex, len(f.Study.Cells), t.Replicate) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return position(a) - position(b) })
	return p
}

// openFolder reads the results folder of a study and completes its journals: it adds results that
// exist only in records.csv, and metrics that stored results lack. If drain is closed, it returns
// ErrDrained. It also returns an error if copse would replace a file that it did not write.
func openFolder(drain <-chan struct{}, s *study.Study, o Options) (*results.Folder, error) {
	if err := repairPredictions(o.Dir); err != nil { // before OpenFor reads the manifest, which it may change
		return nil, err
	}
	var f *results.Folder // not a result of openFolder, because read may still set f after ErrDrained
	read := func() (err error) {
		f, err = results.OpenFor(o.Dir, s)
		return err
	}
	if err := UnlessDrained(drain, o.Progress, "reading results", read); err != nil {
		return nil, err
	}
	if err := f.CheckStudy(); err != nil { // copse would replace a file that it did not write
		return nil, err
	}
	if f.Len() == 0 {
		return f, nil
	}
	if err := f.KeepImported(); err != nil { // copies results from records.csv to a journal
		return nil, err
	}
	return f, addMetrics(f, o)
}

// repairPredictions repairs the list of checksums of the predictions if a process was killed while
// it merged them. It may change the manifest.
func repairPredictions(dir string) error {
	waiting, err := results.WaitingPredictions(dir)
	if err != nil || len(waiting) == 0 {
		return err
	}
	const complete = false
	return folder.Locked(dir, func() error { return results.GatherPredictions(dir, complete) })
}

// runPlan starts the external programs of a plan, opens a session in the journal and runs the
// tasks. started is false if an error occurs before the session is open.
func runPlan(
	ctx context.Context,
	drain <-chan struct{},
	f *results.Folder,
	plan *Plan,
	o Options,
) (started bool, err error) {
	s := f.Study
	first := trial.NewWorker(s)
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
	if err := s.RecordChecksums(); err != nil { // of the data sets
		return false, err
	}
	storedBefore := f.Len() // number of results when the plan was made
	j, err := startSession(f, o, programs)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	// Meanwhile, another process may have run trials of the plan.
	if err := f.Refresh(); err != nil {
		return true, err
	}
	if f.Len() != storedBefore {
		*plan = *o.newPlan(f)
	}
	if len(plan.Tasks) == 0 {
		return true, nil
	}
	d := &dispatcher{study: s, options: o, journal: j, first: first, folder: f}
	if o.Steal {
		if d.leases, err = newLeases(f, &o); err != nil {
			return true, err
		}
	}
	return true, d.run(ctx, drain, plan)
}

// addMetrics computes metrics that are missing from stored results, from their stored predictions.
// It writes them to a separate journal.
func addMetrics(f *results.Folder, o Options) error {
	var j *results.Journal                                  // nil until the first result is completed
	o.Writer = strings.TrimPrefix(o.Writer+".metrics", ".") // the journal has a name such as main.metrics
	n := 0                                                  // number of completed results
	err := f.CompleteMetrics(func(t *trial.Trial) (err error) {
		if j == nil {
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
	o.Progress.Note(fmt.Sprintf("computed missing metrics of %d results from their stored predictions", n))
	return errors.Join(err, j.Close(), f.Refresh()) // Refresh reads the completed results
}

// startSession opens the journal with a new session, and only then writes study.yaml and copies the
// files of the programs.
func startSession(f *results.Folder, o Options, programs map[string]external.Handshake) (*results.Journal, error) {
	session, err := results.NewSession(f.Study, o.Overrides)
	if err != nil {
		return nil, err
	}
	session.Programs = programs
	j, err := results.OpenJournal(o.Dir, o.JournalName(), session)
	if err != nil {
		return nil, err
	}
	if err := folder.Locked(o.Dir, f.WriteStudy); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// JournalName returns the name of the journal without its extension: the shard and Writer, such as
// main, 3-of-8 or main.metrics.
func (o *Options) JournalName() string {
	if o.Writer == "" {
		return o.Shard.String()
	}
	return o.Shard.String() + "." + o.Writer
}

// Trials runs the tasks of a plan that was not made by NewPlan. It writes the results to the
// journal j and stores no predictions. Only Tasks and Done of the plan need to be set. The tasks
// may belong to cells outside the study.
func Trials(
	ctx context.Context,
	drain <-chan struct{},
	s *study.Study,
	plan *Plan,
	o Options,
	j *results.Journal,
) error {
	o.Progress = cmp.Or[Progress](o.Progress, silent{})
	withoutPredictions := *s
	withoutPredictions.Predictions = false
	first := trial.NewWorker(&withoutPredictions)
	defer first.Close()
	d := &dispatcher{study: &withoutPredictions, options: o, journal: j, first: first}
	plan.Trials = len(plan.Tasks)
	plan.sumTasks()
	return d.run(ctx, drain, plan)
}
