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

// A crew runs tasks of a study.
type crew struct {
	study   *study.Study
	options Options
	journal *results.Journal // of finished trials
	first   *trial.Worker    // whose programs may run already; its owner closes it
	folder  *results.Folder  // whose results are repeated for a metric; nil: none
}

// run hands the tasks to the workers and writes what they return. Workers share
// nothing; only this goroutine touches the journal.
func (c *crew) run(ctx context.Context, drain <-chan struct{}, p *Plan) error {
	workers := c.options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	helped := &cores{all: int64(workers)}
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
	ctx = parallel.With(ctx, helped.do)
	d := &dispatcher{
		crew:   c,
		tasks:  p.Tasks,
		slots:  slots,
		cancel: cancel,
		fuses:  newFuses(),
		keep:   c.keep,
		todo:   make(chan Task),
		done:   make(chan finished),
	}
	var ended sync.WaitGroup
	for i := range workers {
		ended.Go(func() {
			w := c.first
			if i > 0 {
				w = trial.NewWorker(c.study, c.study.Folder())
				defer w.Close()
			}
			for t := range d.todo {
				helped.run(func() {
					trial, err := w.Run(ctx, t.Cell, t.Replicate, t.Entries)
					d.done <- finished{trial, t, err}
				})
			}
		})
	}
	d.dispatch(drain)
	close(d.todo)
	ended.Wait() // until their programs have ended
	return errors.Join(append(d.faults, d.stop)...)
}

// A dispatcher hands out tasks and takes in trials.
type dispatcher struct {
	*crew
	tasks   []Task // the next ones first
	slots   *slots
	cancel  func()
	keep    func(*trial.Trial) error
	todo    chan Task
	done    chan finished
	running int
	fuses   *fuses
	faults  []error // of programs that were stopped
	stop    error   // why no more tasks are handed out
	broken  bool    // the journal or the context is: nothing more can be kept
}

type finished struct {
	trial *trial.Trial
	task  Task
	err   error
}

// dispatch returns when all tasks are done, or when those under way are done
// after a reason to stop. Whoever finishes a trial gets the next one before the disk
// has it, which may be slow.
func (d *dispatcher) dispatch(drain <-chan struct{}) {
	for drain = d.handOut(drain); d.running > 0; {
		select {
		case <-drain:
			drain = d.drained()
		case <-d.slots.ticks():
			d.slots.measure()
		case f := <-d.done:
			d.running--
			if text := d.slots.decide(); text != "" {
				d.options.Progress.Note(text)
			}
			d.learn(f)
			drain = d.handOut(drain)
			d.store(f)
		}
	}
}

// handOut gives tasks to the workers that have none, unless there is a reason to stop:
// a request to goes before handing out more. It returns what to listen to from now on.
func (d *dispatcher) handOut(drain <-chan struct{}) <-chan struct{} {
	for d.stop == nil && d.running < d.slots.allowed && d.next() {
		select {
		case <-drain:
			return d.drained()
		default:
		}
		d.todo <- d.tasks[0]
		d.tasks = d.tasks[1:]
		d.running++
	}
	return drain
}

// drained takes a request to stop, which comes too late to be the reason where there is
// one already, and returns what to listen to from now on: nothing.
func (d *dispatcher) drained() <-chan struct{} {
	if d.stop == nil {
		d.stop = ErrDrained
	}
	return nil
}

// next looks for a task that is worth handing out, and makes it the first.
func (d *dispatcher) next() bool {
	for len(d.tasks) > 0 {
		if t := d.fuses.spare(d.tasks[0]); len(t.Entries) > 0 {
			d.tasks[0] = t
			return true
		}
		d.tasks = d.tasks[1:]
	}
	return false
}

// learn takes from a trial whether, and which, tasks are still worth handing out.
func (d *dispatcher) learn(f finished) {
	if f.err != nil {
		d.fail(f.err)
		return
	}
	if err := d.fuses.see(f.task, f.trial); err != nil {
		d.options.Progress.Note(err.Error())
		d.faults = append(d.faults, err)
	}
	if d.options.FailFast && d.stop == nil {
		d.stop = firstFailure(f.trial)
	}
}

// store puts a trial on disk, and only then tells of it.
func (d *dispatcher) store(f finished) {
	if f.err != nil {
		return
	}
	if err := d.keep(f.trial); err != nil {
		d.fail(err)
		return
	}
	d.options.Progress.Done(f.trial, f.task)
}

// fail ends the run: of the errors the first counts, not those of the trials that it
// cancels.
func (d *dispatcher) fail(err error) {
	if !d.broken {
		d.stop, d.broken = err, true
	}
	d.cancel()
}

// keep puts a trial's predictions and results on disk.
func (c *crew) keep(t *trial.Trial) error {
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

// firstFailure returns an error that names a trial's first failed fit.
func firstFailure(t *trial.Trial) error {
	for _, r := range t.Results {
		if r.Status == records.Failed {
			return fmt.Errorf("%w: %s/%d/%s: %s", ErrFailFast, t.Cell, t.Replicate, r.Classifier, r.Message)
		}
	}
	return nil
}

// told returns a Progress that can be told where the options have none.
func told(p Progress) Progress {
	if p == nil {
		return silent{}
	}
	return p
}

// silent is no Progress.
type silent struct{}

func (silent) Start(*Plan, int)        {}
func (silent) Done(*trial.Trial, Task) {}
func (silent) Note(string)             {}
func (silent) Finish()                 {}
