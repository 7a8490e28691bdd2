package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/parallel"
	"copse/stats/records"
)

// A dispatcher runs tasks of a study on several workers: it sends the tasks to the workers and
// stores the trials that they return. A task is one replicate of a cell, with the classifiers that
// have no result for it.
type dispatcher struct {
	study   *study.Study
	options Options
	journal *results.Journal // receives the finished trials
	first   *trial.Worker    // the first worker, with its programs started; the caller closes it
	folder  *results.Folder  // nil if repeated results are not to be compared with stored ones
	leases  *leases          // nil if no other process runs these tasks

	// run sets these fields.
	tasks    []Task                   // not yet sent, in this order; tasks that had to wait are at the end
	slots    *slots                   // limit the number of running tasks
	cancel   func()                   // stops the running trials
	todo     chan Task                // to the workers
	done     chan finished            // from the workers
	drain    <-chan struct{}          // receives requests to stop; nil after the first
	breakers *breakers                // suspend each program that fails repeatedly
	keep     func(*trial.Trial) error // writes a finished trial to disk

	skipped []Task // not sent, because another process runs or has run them
	running int    // number of tasks that workers are running
	stop    error  // why no more tasks are sent, or nil
	broken  bool   // the run ends, because a trial was cancelled or could not be stored
}

// finished contains a task that a worker has run, and its trial or error.
type finished struct {
	trial *trial.Trial
	task  Task
	err   error
}

// run runs all tasks of a plan and stores the trials. When drain is closed, run finishes the
// running trials and returns ErrDrained. Any other error states why the run stopped early, or which
// programs are suspended.
//
// Workers share no state. Only this goroutine writes to the journal.
func (d *dispatcher) run(ctx context.Context, drain <-chan struct{}, p *Plan) error {
	coreCount := cmp.Or(d.options.Workers, runtime.GOMAXPROCS(0))
	workers := min(coreCount, len(p.Tasks))
	// If memory is scarce, fewer trials than workers run at a time.
	slots, resetMemory, err := newSlots(workers, d.options.Memory)
	if err != nil {
		return err
	}
	defer resetMemory()
	d.options.Progress.Start(p, workers)
	defer d.options.Progress.Finish()
	ctx, d.cancel = context.WithCancel(ctx)
	defer d.cancel()
	d.tasks, d.slots, d.drain = p.Tasks, slots, drain
	d.todo, d.done = make(chan Task), make(chan finished)       // to and from the workers
	d.breakers = newBreakers(d.folder, d.options.Progress.Note) // suspend programs that fail repeatedly
	d.keep = d.keepTrial                                        // dispatch calls it for each finished trial
	allCores := &cores{all: int64(coreCount)}                   // a trial may also use idle cores
	ended := d.startWorkers(ctx, workers, allCores)
	d.dispatch()
	close(d.todo) // the workers end
	ended.Wait()
	d.reportSkipped()
	if d.stop != nil { // the run stopped early
		return d.stop
	}
	if len(d.tasks) > 0 { // only the tasks of suspended programs remain
		return d.breakers.err()
	}
	return nil
}

// startWorkers starts n workers. After todo is closed, they close their external programs and end.
func (d *dispatcher) startWorkers(ctx context.Context, n int, processors *cores) *sync.WaitGroup {
	ctx = parallel.With(ctx, processors.processAll)
	var ended sync.WaitGroup
	for i := range n {
		ended.Go(func() {
			w := d.first
			if i > 0 {
				w = trial.NewWorker(d.study)
				defer w.Close()
			}
			d.work(ctx, w, processors)
		})
	}
	return &ended
}

// work runs tasks from todo and sends the trials to done.
func (d *dispatcher) work(ctx context.Context, w *trial.Worker, processors *cores) {
	for t := range d.todo {
		processors.run(func() {
			trial, err := w.Run(ctx, t.Cell, t.Replicate, t.Entries)
			d.done <- finished{trial: trial, task: t, err: err}
		})
	}
}

// dispatch sends tasks to the workers and stores finished trials. If the run stops early, dispatch
// waits for the running tasks.
func (d *dispatcher) dispatch() {
	renewals := d.leases.renewTicks() // leases keep other processes from running the same trials
	d.sendTasks()
	for d.running > 0 {
		select {
		case <-renewals:
			d.leases.renew()
		case <-d.drain:
			d.stopOnRequest()
		case <-d.slots.measuring: // nil, and thus never ready, unless memory is being measured
			d.slots.measure()
		case f := <-d.done:
			d.running--
			// The memory of the first trial may determine how many trials run at once.
			if note := d.slots.setAllowed(); note != "" {
				d.options.Progress.Note(note)
			}
			d.assess(f) // may stop the run
			// Send the next task before storing the trial, because the disk may be slow.
			d.sendTasks()
			d.store(f)
		}
	}
}

func (d *dispatcher) sendTasks() {
	for d.stop == nil && d.running < d.slots.allowed {
		select {
		case <-d.drain:
			d.stopOnRequest()
			return
		default:
		}
		t, ok := d.next()
		if !ok {
			break
		}
		d.todo <- t // an idle worker receives the task
		d.running++
	}
}

func (d *dispatcher) stopOnRequest() {
	d.stop = cmp.Or(d.stop, ErrDrained)
	d.drain = nil
}

// next removes the next task that can run from d.tasks. Classifiers that must wait, because a
// program is suspended, form a new task at the end of d.tasks. Tasks of other processes go to
// d.skipped. ok is false if no task can run now, or after an error, which ends the run.
func (d *dispatcher) next() (t Task, ok bool) {
	for range len(d.tasks) { // each task once
		ready, waiting := d.breakers.split(d.tasks[0]) // by classifier
		d.tasks = d.tasks[1:]
		if len(waiting.Entries) > 0 {
			d.tasks = append(d.tasks, waiting)
		}
		if len(ready.Entries) == 0 {
			continue // all classifiers of the task must wait
		}
		claimed, err := d.leases.claim(ready)
		if err != nil {
			d.fail(err)
			return t, false
		}
		if claimed {
			d.breakers.start(ready)
			return ready, true
		}
		d.skipped = append(d.skipped, ready) // another process runs or has run the task
	}
	return t, false
}

// assess counts the failures of programs. An error stops the run, and so does a failed fit with
// FailFast.
func (d *dispatcher) assess(f finished) {
	if f.err != nil {
		d.fail(f.err)
		return
	}
	d.breakers.record(f.task, f.trial)
	if d.options.FailFast && d.stop == nil {
		d.stop = firstFailure(f.trial)
	}
}

// store writes the trial of a finished task to disk and then reports progress.
func (d *dispatcher) store(f finished) {
	if f.err != nil {
		return
	}
	if err := errors.Join(d.keep(f.trial), d.leases.release(f.task)); err != nil {
		d.fail(err)
		return
	}
	d.options.Progress.Done(f.trial, f.task)
}

// reportSkipped marks skipped tasks as done in the progress display if their results are stored. It
// ignores errors, because the caller of run reads the folder again.
func (d *dispatcher) reportSkipped() {
	if len(d.skipped) == 0 || d.folder.Refresh() != nil {
		return
	}
	for _, t := range d.skipped {
		if !t.Divided && d.leases.isStored(t) { // the other part of a divided task is also in d.tasks or d.skipped
			d.options.Progress.Done(nil, t)
		}
	}
}

// fail ends the run with err and cancels the running trials. Only the first error is reported.
func (d *dispatcher) fail(err error) {
	if !d.broken {
		d.stop = err
		d.broken = true
	}
	d.cancel()
}

// keepTrial writes the predictions and results of a trial to disk. It returns an error if a result
// differs from a stored result of the same fit.
func (d *dispatcher) keepTrial(t *trial.Trial) error {
	if d.folder != nil {
		if err := d.folder.CheckRepeated(t); err != nil {
			return err
		}
	}
	if err := results.KeepPredictions(d.options.Dir, t); err != nil {
		return err
	}
	return d.journal.Append(t)
}

// firstFailure returns an error that names the first failed fit of a trial, or nil.
func firstFailure(t *trial.Trial) error {
	for _, r := range t.Results {
		if r.Status == records.Failed {
			return fmt.Errorf("%w: %s/%d/%s: %s", ErrFailFast, t.Cell, t.Replicate, r.Classifier, r.Message)
		}
	}
	return nil
}

// silent is a Progress that ignores all calls.
type silent struct{}

func (silent) Start(*Plan, int)        {}
func (silent) Done(*trial.Trial, Task) {}
func (silent) Note(string)             {}
func (silent) Finish()                 {}
