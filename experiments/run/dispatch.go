package run

import (
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

// A pool runs tasks of a study on its workers.
type pool struct {
	study   *study.Study
	options Options
	journal *results.Journal // of finished trials
	first   *trial.Worker    // its programs may run already; the caller closes it
	folder  *results.Folder  // checks repeated results; nil: no check
	leases  *leases          // nil: no other process runs these tasks
}

// run hands the tasks to the workers and stores their trials. Workers share no state,
// and only this goroutine writes the journal.
func (c *pool) run(ctx context.Context, drain <-chan struct{}, p *Plan) error {
	workers := c.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	processors := &cores{all: int64(workers)}
	workers = min(workers, len(p.Tasks))
	slots, end, err := newSlots(workers, c.options.Memory)
	if err != nil {
		return err
	}
	defer end()
	c.options.Progress.Start(p, workers)
	defer c.options.Progress.Finish()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = parallel.With(ctx, processors.do)
	d := &dispatcher{
		pool:     c,
		tasks:    p.Tasks,
		slots:    slots,
		cancel:   cancel,
		breakers: newBreakers(),
		keep:     c.keep,
		todo:     make(chan Task),
		done:     make(chan finished),
	}
	var ended sync.WaitGroup
	for i := range workers {
		ended.Go(func() {
			w := c.first
			if i > 0 {
				w = trial.NewWorker(c.study, c.study.Folder())
				defer w.Close()
			}
			d.work(ctx, w, processors)
		})
	}
	d.dispatch(drain)
	close(d.todo)
	ended.Wait() // each worker closes its programs
	return errors.Join(append(d.faults, d.stop)...)
}

// work runs the tasks that dispatch hands out, one after the other, until todo is closed.
func (d *dispatcher) work(ctx context.Context, w *trial.Worker, processors *cores) {
	for t := range d.todo {
		processors.run(func() {
			trial, err := w.Run(ctx, t.Cell, t.Replicate, t.Entries)
			d.done <- finished{trial, t, err}
		})
	}
}

// A dispatcher hands out tasks and receives trials.
type dispatcher struct {
	*pool
	tasks    []Task // in the order in which they are handed out
	slots    *slots
	cancel   func()
	keep     func(*trial.Trial) error
	todo     chan Task     // to the workers
	done     chan finished // from the workers
	running  int           // number of tasks that workers have
	breakers *breakers
	faults   []error // one for each program that a circuit breaker stopped
	stop     error   // why no more tasks are handed out
	broken   bool    // a trial was cancelled or could not be stored: the run ends
}

// finished is a task that a worker has run; trial is nil if err is not.
type finished struct {
	trial *trial.Trial
	task  Task
	err   error
}

// dispatch returns when all tasks are done or, after a reason to stop, when the running
// ones are done. A worker gets its next task before its trial is stored, because the
// disk may be slow.
func (d *dispatcher) dispatch(drain <-chan struct{}) {
	renewals, stop := d.leases.ticks()
	defer stop()
	for drain = d.handOut(drain); d.running > 0; {
		select {
		case <-renewals:
			d.leases.renew()
		case <-drain:
			drain = d.drained()
		case <-d.slots.ticks():
			d.slots.measure()
		case f := <-d.done:
			d.running--
			if text := d.slots.decide(); text != "" {
				d.options.Progress.Note(text)
			}
			d.assess(f)
			drain = d.handOut(drain)
			d.store(f)
		}
	}
}

// handOut gives tasks to idle workers until there is a reason to stop. It returns the
// channel of further stop requests; nil after one.
func (d *dispatcher) handOut(drain <-chan struct{}) <-chan struct{} {
	for d.stop == nil && d.running < d.slots.allowed {
		select {
		case <-drain:
			return d.drained()
		default:
		}
		t, ok := d.next()
		if !ok {
			break
		}
		d.todo <- t
		d.running++
	}
	return drain
}

// drained makes a stop request the reason to stop, unless there is another already. It
// returns nil, a channel that never delivers.
func (d *dispatcher) drained() <-chan struct{} {
	if d.stop == nil {
		d.stop = ErrDrained
	}
	return nil
}

// next removes tasks from the front until one remains to run: with entries that no circuit
// breaker stopped, and not claimed by another process. ok is false if there is none.
func (d *dispatcher) next() (t Task, ok bool) {
	for len(d.tasks) > 0 {
		t = d.breakers.reduce(d.tasks[0])
		d.tasks = d.tasks[1:]
		if len(t.Entries) == 0 {
			continue // all its programs are stopped
		}
		claimed, err := d.leases.claim(t)
		if err != nil {
			d.fail(err)
			return t, false
		}
		if claimed {
			return t, true
		}
	}
	return t, false
}

// assess stops the run after an error or, with FailFast, after a failed fit. It also stops the programs
// that a circuit breaker opens for.
func (d *dispatcher) assess(f finished) {
	if f.err != nil {
		d.fail(f.err)
		return
	}
	if err := d.breakers.record(f.task, f.trial); err != nil {
		d.options.Progress.Note(err.Error())
		d.faults = append(d.faults, err)
	}
	if d.options.FailFast && d.stop == nil {
		d.stop = firstFailure(f.trial)
	}
}

// store writes a trial to disk and then reports its progress.
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

// fail ends the run with the first error; later ones come from the trials that it
// cancels.
func (d *dispatcher) fail(err error) {
	if !d.broken {
		d.stop, d.broken = err, true
	}
	d.cancel()
}

// keep writes a trial's predictions and results to disk.
func (c *pool) keep(t *trial.Trial) error {
	if c.folder != nil {
		if err := c.folder.CheckRepeated(t); err != nil {
			return err
		}
	}
	if err := results.KeepPredictions(c.options.Dir, t); err != nil {
		return err
	}
	return c.journal.Append(t)
}

// firstFailure returns an error that names a trial's first failed fit; nil: none failed.
func firstFailure(t *trial.Trial) error {
	for _, r := range t.Results {
		if r.Status == records.Failed {
			return fmt.Errorf("%w: %s/%d/%s: %s", ErrFailFast, t.Cell, t.Replicate, r.Classifier, r.Message)
		}
	}
	return nil
}

// withDefault returns p, or a Progress that ignores all calls if p is nil.
func withDefault(p Progress) Progress {
	if p == nil {
		return silent{}
	}
	return p
}

// silent is a Progress that ignores all calls.
type silent struct{}

func (silent) Start(*Plan, int)        {}
func (silent) Done(*trial.Trial, Task) {}
func (silent) Note(string)             {}
func (silent) Finish()                 {}
