package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"copse/experiments/journal"
	"copse/experiments/plan"
	"copse/experiments/predictions"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/parallel"
	"copse/stats/records"
)

// A crew runs tasks of a study.
type crew struct {
	study   *study.Study
	options Options
	journal *journal.Journal // of finished trials
	first   *trial.Worker    // whose programs may run already; its owner closes it
}

// run hands the tasks to the workers and writes what they return. Workers share
// nothing; only this goroutine touches the journal.
func (c *crew) run(ctx context.Context, drain <-chan struct{}, p *plan.Plan) error {
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
	d := &dispatcher{crew: c, tasks: p.Tasks, slots: slots, cancel: cancel, fuses: newFuses(), todo: make(chan plan.Task), done: make(chan finished)}
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
	tasks   []plan.Task // the next ones first
	slots   *slots
	cancel  func()
	todo    chan plan.Task
	done    chan finished
	running int
	fuses   *fuses
	faults  []error // of programs that were stopped
	stop    error   // why no more tasks are handed out
	broken  bool    // the journal or the context is: nothing more can be kept
}

type finished struct {
	trial *trial.Trial
	task  plan.Task
	err   error
}

// dispatch returns when all tasks are done, or when those under way are done
// after a reason to stop.
func (d *dispatcher) dispatch(drain <-chan struct{}) {
	for d.running > 0 || d.stop == nil && d.next() {
		select { // a request to stop goes before handing out more
		case <-drain:
			drain = d.drained()
			continue
		default:
		}
		var feed chan<- plan.Task // nil: nothing to hand out now
		var task plan.Task
		if d.stop == nil && d.next() && d.running < d.slots.allowed {
			feed, task = d.todo, d.tasks[0]
		}
		select {
		case feed <- task:
			d.tasks = d.tasks[1:]
			d.running++
		case <-drain:
			drain = d.drained()
		case <-d.slots.ticks():
			d.slots.measure()
		case f := <-d.done:
			d.running--
			if text := d.slots.decide(); text != "" {
				d.options.Progress.Note(text)
			}
			d.keep(f)
		}
	}
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

// keep writes a trial to the journal; the first error ends the run.
func (d *dispatcher) keep(f finished) {
	err := f.err
	if err == nil {
		if err = predictions.Keep(d.options.Dir, f.trial); err == nil {
			err = d.journal.Append(f.trial)
		}
	}
	if err != nil {
		if !d.broken {
			d.stop, d.broken = err, true // not those of the trials that it cancels
		}
		d.cancel()
		return
	}
	d.options.Progress.Done(f.trial, f.task)
	if err := d.fuses.see(f.task, f.trial); err != nil {
		d.options.Progress.Note(err.Error())
		d.faults = append(d.faults, err)
	}
	if d.options.FailFast && d.stop == nil {
		d.stop = firstFailure(f.trial)
	}
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

func (silent) Start(*plan.Plan, int)        {}
func (silent) Done(*trial.Trial, plan.Task) {}
func (silent) Note(string)                  {}
func (silent) Finish()                      {}
